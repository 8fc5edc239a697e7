package import RhumbCore

/// A stored tile, and a hash of its body, which changes with it.
package struct StoredTile: Sendable {
    package let tile: TileID
    package let body: Int

    package init(_ tile: TileID, body: Int) { (self.tile, self.body) = (tile, body) }
}

/// A store or an archive of vector tiles that can be indexed. Safe to call from any thread.
package protocol SearchableTiles: Sendable {
    /// Returns the keys of the vector tile sources, each with a number that changes with its tiles.
    func sources() throws(StoreFailure) -> [(key: String, state: Int)]

    /// Returns the tiles of a source.
    func tiles(of source: String) throws(StoreFailure) -> [StoredTile]

    /// Returns an uncompressed tile; nil if it is missing or damaged.
    func body(_ tile: TileID, of source: String) -> [UInt8]?

    /// Returns true if a tile is stored but can't be unpacked.
    func isDamaged(_ tile: TileID, of source: String) -> Bool

    /// Returns true if the index should remove a source that `sources` doesn't return.
    func isGone(_ source: String) -> Bool
}
