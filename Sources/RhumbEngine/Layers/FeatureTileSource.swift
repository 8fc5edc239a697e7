public import RhumbCore

/// Vector tiles of GeoJSON features, made when they are wanted.
public struct FeatureTileSource: TileLayerDataSource {
    private let features: FeatureCollection

    public init(_ features: FeatureCollection) { self.features = features }

    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        .bitmap(.encoded(features.tile(tile)))
    }
}
