package import RhumbCore
package import RhumbStore

/// The tiles of an archive that have not changed since an earlier edition, according to the publisher's lists
/// of hashes for both editions.
package struct TilePatch: Sendable {
    /// The version that tiles of the earlier edition are stored under.
    let earlier: String
    package let old: TileHashes
    package let new: TileHashes

    package init(earlier: String, old: TileHashes, new: TileHashes) {
        self.earlier = earlier
        self.old = old
        self.new = new
    }

    /// Returns true if a stored tile equals the archive's current one.
    package func holds(_ held: StoredResponse, of tile: TileID) -> Bool {
        held.dataVersion == earlier && old[tile] == new[tile] && (held.body == nil) == (new[tile] == nil)
    }
}
