public import RhumbEngine
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbStore

extension GroundHeights {
    /// The heights that the topmost of a map's layers tells which tells any: drawn as light and shade, or an
    /// archive that says how its colours are heights.
    /// - Parameter fetcher: knows what is kept of tiles that come from afar.
    public static func of(_ layers: [TileLayer], _ fetcher: any TileFetcher) -> GroundHeights? {
        layers.reversed().lazy.compactMap { GroundHeights($0, readBy: reading($0), fetcher) }.first
    }

    private static func reading(_ layer: TileLayer) -> HillshadeDrawing? {
        guard layer.drawing == nil, let archive = layer.source as? any TileArchive,
            let encoding = archive.metadata["encoding"]?.string.flatMap(ElevationEncoding.init(name:))
        else { return nil }
        return HillshadeDrawing(layer.info, encoding, Hillshade(), decoder: SniffingDecoder())
    }
}
