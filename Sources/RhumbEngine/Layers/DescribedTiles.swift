public import RhumbCore

/// Names and things on a layer's map, by what is at hand of its tiles; nothing is fetched. What it is
/// asked may take some milliseconds: not for the thread that draws. Safe to use from any other.
public struct DescribedTiles: Sendable {
    private let layer: TileLayer
    private let drawing: any TileDrawing
    private let fetcher: any TileFetcher

    /// What stands on a layer's map.
    /// - Parameter fetcher: knows what is kept of tiles that come from afar.
    /// - Returns: nil for a layer of pictures.
    public init?(_ layer: TileLayer, _ fetcher: any TileFetcher) {
        guard layer.isDescribed, let drawing = layer.drawing else { return nil }
        self.layer = layer
        self.drawing = drawing
        self.fetcher = fetcher
    }

    /// The labels on a tile of the source, the most important first.
    /// - Parameter zoom: of the pictures they are for; the tile's or deeper.
    /// - Returns: nil where there is no such tile.
    /// - Throws: `TileFailure` where it isn't at hand, or is damaged.
    public func labels(
        of tile: TileID, at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel]? {
        try drawnTile(tile)?.labels(at: zoom, in: language)
    }

    /// What lies at a place, points first, areas last.
    /// - Parameters:
    ///   - zoom: of the pictures shown there.
    ///   - reach: how near points and lines must lie, in shares of the world's width.
    /// - Throws: `TileFailure` where it isn't at hand, or is damaged.
    public func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature] {
        let zooms = layer.dataZooms
        let tile = TileID(zoom: min(max(zoom, zooms.lowerBound), zooms.upperBound), containing: place)
        return try drawnTile(tile)?.features(at: place, zoom: zoom, reach: reach) ?? []
    }

    private func drawnTile(_ tile: TileID) throws(TileFailure) -> (any DrawnTile)? {
        guard layer.source.hasTile(tile, of: layer) else { return nil }
        var answer: TileAnswer?
        switch try layer.tileAtHand(tile) {
        case .drawn(let drawn): return drawn
        case .answer(let found?): answer = found
        case .answer(nil), nil:
            answer = fetcher.kept(TileWant(layer: layer, tile: tile, urgency: .prefetch))?.answer
            if answer == nil { answer = try layer.source.tile(tile, of: layer) }
        }
        switch answer {
        case .bitmap(.encoded(let bytes)): return try drawing.tile(tile, from: bytes)
        case .absent, .bitmap: return nil
        case nil: throw TileFailure(.offline, "\(layer.info.name) \(tile): not loaded yet")
        }
    }
}

extension TileLayer {
    /// Whether labels can be read from its tiles.
    public var writesLabels: Bool { drawing?.writesLabels ?? false }

    /// Whether it can be asked what lies at a place.
    public var isDescribed: Bool { drawing?.isDescribed ?? false }
}
