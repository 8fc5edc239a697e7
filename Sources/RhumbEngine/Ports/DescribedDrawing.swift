public import RhumbCore

/// A drawing of tiles that also knows which names stand on them and what lies where.
public protocol DescribedDrawing: TileDrawing {
    /// Whether its style writes any names.
    var hasNames: Bool { get }

    /// The names on a tile of the source, the most important first.
    /// - Parameters:
    ///   - bytes: of the tile, as they came.
    ///   - zoom: of the pictures they are for; the tile's or deeper.
    /// - Throws: `TileFailure`; `badContent` where the bytes are no such tile.
    func names(
        of data: TileID, _ bytes: [UInt8], at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel]

    /// What lies at a place of a tile, points first, areas last.
    /// - Parameter reach: how near points and lines must lie, in shares of the world's width.
    /// - Throws: `TileFailure`; `badContent` where the bytes are no such tile.
    func features(
        at place: WorldPoint, in data: TileID, _ bytes: [UInt8], reach: Double
    ) throws(TileFailure) -> [MapFeature]
}

extension TileLayer {
    /// Whether names can be read from its tiles.
    public var hasNames: Bool {
        (source as? any DescribedTileSource)?.hasNames ?? (drawing as? any DescribedDrawing)?.hasNames ?? false
    }

    /// Whether it can be asked what lies at a place.
    public var isDescribed: Bool { source is any DescribedTileSource || drawing is any DescribedDrawing }

    /// The zooms of the tiles that names are read from.
    public var describedZooms: ClosedRange<Int> { (source as? any DescribedTileSource)?.describedZooms ?? dataZooms }

    /// Who tells of its tiles; nil for layers of pictures.
    /// - Parameter fetcher: knows what is kept of tiles that come from afar; nothing is fetched.
    public func described(by fetcher: any TileFetcher) -> (any DescribedTileSource)? {
        if let source = source as? any DescribedTileSource { return source }
        return (drawing as? any DescribedDrawing).map { KeptDescription(layer: self, drawing: $0, fetcher: fetcher) }
    }
}

/// Tells of a layer's tiles by what is at hand of them.
private struct KeptDescription: DescribedTileSource {
    let layer: TileLayer
    let drawing: any DescribedDrawing
    let fetcher: any TileFetcher

    var hasNames: Bool { drawing.hasNames }
    var describedZooms: ClosedRange<Int> { layer.dataZooms }

    func names(of tile: TileID, at zoom: Int, in language: NameLanguage) throws(TileFailure) -> [VectorLabel]? {
        guard let bytes = try bytes(of: tile) else { return nil }
        return try drawing.names(of: tile, bytes, at: zoom, in: language)
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature] {
        let zooms = layer.dataZooms
        let tile = TileID(zoom: min(max(zoom, zooms.lowerBound), zooms.upperBound), containing: place)
        guard let bytes = try bytes(of: tile) else { return [] }
        return try drawing.features(at: place, in: tile, bytes, reach: reach)
    }

    /// A tile's bytes; nil if there is none.
    private func bytes(of tile: TileID) throws(TileFailure) -> [UInt8]? {
        guard layer.source.hasTile(tile, of: layer) else { return nil }
        var answer = fetcher.kept(TileWant(layer: layer, tile: tile, urgency: .prefetch))?.answer
        if answer == nil { answer = try layer.source.tile(tile, of: layer) }
        switch answer {
        case .bitmap(.encoded(let bytes)): return bytes
        case .absent, .bitmap: return nil
        case nil: throw TileFailure(.offline, "\(layer.info.name) \(tile): not at hand yet")
        }
    }
}
