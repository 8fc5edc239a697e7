package import RhumbCore
package import RhumbStore

/// Which tiles of an archive are as they were in an earlier edition of it, by the lists of hashes that
/// its publisher made of both.
package struct TilePatch: Sendable {
    /// The version that tiles of the earlier edition are stored with.
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
