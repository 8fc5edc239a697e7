public import RhumbCore

/// Vector tiles of GeoJSON features, created on demand.
public struct FeatureTileSource: TileLayerDataSource {
    private let features: FeatureCollection

    /// Creates a source of tiles of these features.
    public init(_ features: FeatureCollection) { self.features = features }

    /// Returns the tile, created from the features.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        .bitmap(.encoded(features.tile(tile)))
    }
}

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
