public import RhumbCore

/// Vector tiles of a route's line, created on demand.
public struct RouteTileSource: TileLayerDataSource {
    private let tiles: RouteTiles

    /// A source of these tiles.
    public init(_ tiles: RouteTiles) { self.tiles = tiles }

    /// Creates the tile.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        .bitmap(.encoded(tiles.tile(tile)))
    }
}
