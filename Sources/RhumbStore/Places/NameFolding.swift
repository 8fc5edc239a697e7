internal import RhumbCore

/// Folds names for comparison, in the same way as the gazetteer.
package struct NameFolding: Sendable {
    let folding: Folding
    /// A hash that identifies the table.
    let digest: Int

    /// Creates a folding from a table in the format of `Folding`. Without one, letters keep their accents.
    package init(table: String = "") {
        folding = Folding(table)
        digest = ContentHash(Array(table.utf8)).half
    }

    /// Returns a name in folded form.
    package func fold(_ name: String) -> String { String(decoding: folding.fold(name), as: UTF8.self) }
}
