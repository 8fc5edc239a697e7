public import RhumbEngine
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbStore

extension ElevationModel {
    /// Returns the heights of the topmost layer that has any: a hillshade layer, or an archive that declares
    /// an elevation encoding.
    /// - Parameter fetcher: Provides the stored tiles of web sources.
    public static func of(_ layers: [TileLayer], _ fetcher: any TileFetcher) -> ElevationModel? {
        layers.reversed().firstNonNil { ElevationModel($0, readBy: reading($0), fetcher) }
    }

    /// Returns a reader of the heights of an archive that declares an elevation encoding; nil for others.
    static func reading(_ layer: TileLayer) -> HillshadeDrawing? {
        let metadata =
            (layer.source as? any TileArchive)?.metadata ?? (layer.source as? RemoteArchive)?.metadata
        guard layer.drawing == nil,
            let encoding = metadata?["encoding"]?.string.flatMap(ElevationEncoding.init(name:))
        else { return nil }
        return HillshadeDrawing(layer.info, encoding, Hillshade(), decoder: SniffingDecoder())
    }
}
