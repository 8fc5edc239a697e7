public import RhumbCore

/// The labels and features of a layer's map, read from stored tiles without fetching. Calls may take some
/// milliseconds, so avoid the thread that draws. Safe to use from any other thread.
public struct LayerFeatures: Sendable {
    private let layer: TileLayer
    private let drawing: any TileDrawing
    private let fetcher: any TileFetcher

    /// Creates a reader of a layer.
    /// - Parameter fetcher: Finds the stored tiles of web sources.
    /// - Returns: nil for a layer of images.
    public init?(_ layer: TileLayer, _ fetcher: any TileFetcher) {
        guard layer.isDescribed, let drawing = layer.drawing else { return nil }
        self.layer = layer
        self.drawing = drawing
        self.fetcher = fetcher
    }

    /// Returns the labels of a source's tile, the most important first.
    /// - Parameter zoom: The zoom of the pictures; the tile's or deeper.
    /// - Returns: nil if there is no such tile.
    /// - Throws: `TileFailure` if it is not stored, or damaged.
    public func labels(
        of tile: TileID, at zoom: Int, in language: NameLanguage
    ) throws(TileFailure) -> [VectorLabel]? {
        try drawnTile(tile)?.labels(at: zoom, in: language)
    }

    /// Returns the features at a position, points first and areas last.
    /// - Parameters:
    ///   - zoom: The zoom of the shown pictures.
    ///   - reach: The distance within which points and lines count, as a share of the world's width.
    /// - Throws: `TileFailure` if the tile is not stored, or damaged.
    public func features(at place: WorldPoint, zoom: Int, reach: Double) throws(TileFailure) -> [MapFeature] {
        let zooms = layer.dataZooms
        // Nothing is requested outside the bounds.
        guard layer.boundingBox?.contains(Mercator.coordinate(place)) != false else { return [] }
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
            answer = fetcher.stored(WantedTile(layer: layer, tile: tile, urgency: .prefetch))?.answer
            if answer == nil { answer = try layer.source.tile(tile, of: layer) }
        }
        switch answer {
        case .bitmap(.encoded(let bytes)): return try drawing.tile(tile, from: bytes)
        case .absent, .bitmap: return nil
        case nil:
            // A tile that may not be stored was shown from memory.
            if let shown = drawing.cachedTile(tile) { return shown }
            throw TileFailure(.offline, "\(layer.info.name) \(tile): not loaded yet")
        }
    }
}

extension TileLayer {
    /// True if labels can be read from its tiles.
    public var writesLabels: Bool { drawing?.writesLabels ?? false }

    /// True if it can return the features at a position.
    public var isDescribed: Bool { drawing?.isDescribed ?? false }
}
