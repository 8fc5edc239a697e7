public import RhumbCore
public import RhumbEngine

/// What stands on the map, besides its picture.
extension VectorTileSource: DescribedTileSource {
    public var hasNames: Bool { painter.writesNames }

    public var describedZooms: ClosedRange<Int> { dataZooms }

    /// The names that the style would write on a tile of the data.
    public func names(
        of tile: TileID, at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel]? {
        guard let data = try passingTile(tile) else { return nil }
        return painter.names(of: data, at: zoom, in: language)
    }

    public func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature] {
        let id = TileID(zoom: min(max(zoom, dataZooms.lowerBound), dataZooms.upperBound), containing: place)
        guard let data = try passingTile(id) else { return [] }
        return data.features(at: place, in: id, reach: reach)
    }
}

extension VectorDrawing: DescribedDrawing {
    public var hasNames: Bool { painters.values.contains(where: \.writesNames) }

    /// The names that the style would write on a tile of the source.
    public func names(
        of data: TileID, _ bytes: [UInt8], at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel] {
        let tile = try decodedTile(data, bytes)
        return painter(for: tile.tile)?.names(of: tile, at: zoom, in: language) ?? []
    }

    public func features(
        at place: WorldPoint, in data: TileID, _ bytes: [UInt8], reach: Double
    ) throws(TileFailure) -> [MapFeature] {
        try decodedTile(data, bytes).features(at: place, in: data, reach: reach)
    }
}

extension VectorPainter {
    fileprivate var writesNames: Bool {
        style.layers.contains { $0.kind == .symbol && $0.source == source && $0.has(.textField) }
    }

    fileprivate func names(of data: DecodedTile, at zoom: Int, in language: NameLanguage) -> [VectorLabel] {
        VectorTileLabels(
            style: style, source: source, zoom: VectorPainter.styleZoom(zoom), language: language,
            names: data.tile.layerNames, layer: data.layer
        ).labels
    }
}

extension DecodedTile {
    /// - Parameter reach: in shares of the world's width.
    fileprivate func features(at place: WorldPoint, in id: TileID, reach: Double) -> [MapFeature] {
        let side = Double(1 << id.zoom), point = place.wrapped
        let inTile = SIMD2(point.x * side - Double(id.x), point.y * side - Double(id.y))
        return FeatureSearch(at: inTile, reach: reach * side).features(in: tile.layerNames.compactMap(layer))
    }
}
