package import RhumbCore

/// A tile that is stored, and a mark of its body: another one means that it changed.
package struct StoredTile: Sendable {
    package let tile: TileID
    package let body: Int

    package init(_ tile: TileID, body: Int) { (self.tile, self.body) = (tile, body) }
}

/// Something that holds vector tiles to be indexed: a store or an archive. Safe to call from any thread.
package protocol SearchableTiles: Sendable {
    /// The keys of the sources that it has vector tiles of, each with a number that changes when its tiles
    /// do.
    func sources() throws(StoreFailure) -> [(key: String, state: Int)]

    /// The tiles of a source.
    func tiles(of source: String) throws(StoreFailure) -> [StoredTile]

    /// A tile, not packed; nil where it is gone or damaged.
    func body(_ tile: TileID, of source: String) -> [UInt8]?

    /// Whether an index should let go of a source that is none of `sources`.
    func isGone(_ source: String) -> Bool
}
