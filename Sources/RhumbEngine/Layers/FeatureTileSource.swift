public import RhumbCore

/// Vector tiles of GeoJSON features, created on demand.
public struct FeatureTileSource: TileLayerDataSource {
    private let features: FeatureCollection

    /// A source of pictures of these features.
    public init(_ features: FeatureCollection) { self.features = features }

    /// Draws the tile.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        .bitmap(.encoded(features.tile(tile)))
    }
}
