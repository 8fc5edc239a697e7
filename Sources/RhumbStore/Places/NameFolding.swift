internal import RhumbCore

/// The folding of names as in the list of places, so that both are searched alike.
package struct NameFolding: Sendable {
    let folding: Folding
    /// Tells one table from another.
    let digest: Int

    /// A table as `Folding` reads it; without one letters keep their accents.
    package init(table: String = "") {
        folding = Folding(table)
        digest = ContentHash(Array(table.utf8)).half
    }

    /// A name as it is compared.
    package func fold(_ name: String) -> String { String(decoding: folding.fold(name), as: UTF8.self) }
}
