public import RhumbCore
public import RhumbEngine

/// What stands on the map, besides its picture.
extension VectorTileSource: DescribedTileSource {
    public var hasNames: Bool {
        painter.style.layers.contains { $0.kind == .symbol && $0.source == painter.source && $0.has(.textField) }
    }

    public var describedZooms: ClosedRange<Int> { dataZooms }

    /// The names that the style would write on a tile of the data.
    public func names(
        of tile: TileID, at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel]? {
        guard let data = try passingTile(tile) else { return nil }
        let found = VectorTileLabels(
            style: painter.style, source: painter.source, zoom: VectorPainter.styleZoom(zoom), language: language,
            names: data.tile.layerNames, layer: data.layer)
        return found.labels
    }

    public func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature] {
        let id = TileID(zoom: min(max(zoom, dataZooms.lowerBound), dataZooms.upperBound), containing: place)
        guard let data = try passingTile(id) else { return [] }
        let side = Double(1 << id.zoom)
        let inTile = SIMD2(place.x * side - Double(id.x), place.y * side - Double(id.y))
        return FeatureSearch(at: inTile, reach: reach * side).features(in: data.tile.layerNames.compactMap(data.layer))
    }
}
