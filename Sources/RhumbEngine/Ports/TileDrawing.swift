public import RhumbCore

/// Draws tiles that are not images, such as vector tiles. The source's tiles are fetched and stored
/// unchanged. Each is decoded once for all its uses: pictures at several zooms, labels and features. The
/// methods are called from several threads at once, but never from the one that draws the screen.
public protocol TileDrawing: Sendable {
    /// The zooms at which the source has tiles. Pictures at deeper zooms are drawn from parts of the deepest
    /// tiles.
    var dataZooms: ClosedRange<Int> { get }

    /// The content that a server must send for a tile of the source. Default: vector tiles.
    var content: ExpectedContent { get }

    /// True if its style has labels. Default: false.
    var writesLabels: Bool { get }

    /// True if its pictures are opaque; otherwise the layers below are visible. Default: true.
    var hasGround: Bool { get }

    /// True if its tiles can return the features at a position. Default: false.
    var isDescribed: Bool { get }

    /// Decodes a tile of the source.
    /// - Parameter bytes: The tile as received.
    /// - Throws: `TileFailure`; `badContent` if the bytes aren't a valid tile.
    func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile

    /// Returns a recently decoded tile, for sources whose tiles never change; nil if it isn't cached, the
    /// default.
    func cachedTile(_ data: TileID) -> (any DrawnTile)?

    /// Reads a tile while no other thread reads it, so that it is decoded only once. Later callers wait, and
    /// then find it decoded. Default: no waiting.
    func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value

    /// Removes the decoded tiles.
    func forgetTiles()

    /// The same drawing without a background, for overlays. Default: itself.
    var withoutBackground: any TileDrawing { get }

    /// Returns the same drawing for pixels, whose tiles are finer than those of cells by some zooms. The map
    /// has the colours of the zoom in cells. Default: itself.
    func ahead(by zooms: Int) -> any TileDrawing
}

/// A decoded tile of a source, and all its uses. Safe to use from any thread.
public protocol DrawnTile: Sendable {
    /// True if the background ends within the tile, so that layers below are visible there. Default: false.
    var endsWithin: Bool { get }

    /// The reason why a part of the tile is missing in the pictures drawn so far; nil if none is. Default:
    /// nil.
    var omission: TileFailure? { get }

    /// Draws the picture of a tile.
    /// - Parameters:
    ///   - tile: The source's tile or a descendant of it.
    ///   - side: The side of the picture, in pixels.
    /// - Throws: `TileFailure` if it can't be drawn.
    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster

    /// Draws a picture that is only partly visible. Pixels outside the visible part may be missing; those
    /// inside equal the full picture except for the finest shades of edges. Default: nil, for drawings that
    /// only draw whole pictures.
    func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster?

    /// Returns the tile's labels, the most important first. Default: none.
    /// - Parameter zoom: The zoom of the pictures that the labels are for; the tile's or deeper.
    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel]

    /// Returns the features at a position, points first and areas last. Default: none.
    /// - Parameters:
    ///   - zoom: The zoom of the shown pictures; the tile's or deeper.
    ///   - reach: The distance within which points and lines count, as a share of the world's width.
    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature]
}

extension TileDrawing {
    /// Vector tiles by default.
    public var content: ExpectedContent { .vectorTile }
    /// False by default.
    public var writesLabels: Bool { false }
    /// True by default.
    public var hasGround: Bool { true }
    /// False by default.
    public var isDescribed: Bool { false }
    /// Nil by default.
    public func cachedTile(_ data: TileID) -> (any DrawnTile)? { nil }
    /// Doesn't wait by default, because without a cache of decoded tiles waiting is useless.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try body()
    }
    /// Does nothing by default.
    public func forgetTiles() {}
    /// The drawing itself by default.
    public var withoutBackground: any TileDrawing { self }
    /// The drawing itself by default.
    public func ahead(by zooms: Int) -> any TileDrawing { self }
}

extension DrawnTile {
    /// False by default.
    public var endsWithin: Bool { false }
    /// Nil by default.
    public var omission: TileFailure? { nil }
    /// Nil by default, so that the whole picture is drawn.
    public func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster? { nil }
    /// None by default.
    public func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] { [] }
    /// None by default.
    public func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] { [] }
}

extension TileLayer {
    /// Returns the source's tile from which a picture is drawn: the tile itself, or an ancestor.
    public func dataTile(for tile: TileID) -> TileID {
        guard let deepest = drawing?.dataZooms.upperBound, tile.zoom > deepest else { return tile }
        return tile.ancestor(levels: tile.zoom - deepest) ?? tile
    }

    /// The zooms of the source's tiles that may be requested.
    public var dataZooms: ClosedRange<Int> {
        guard let drawing else { return sourceZooms }
        let deepest = min(drawing.dataZooms.upperBound, sourceZooms.upperBound)
        return min(drawing.dataZooms.lowerBound, deepest)...deepest
    }

    /// The data of a local source for a tile: decoded if it is drawn, or as stored.
    enum TileAtHand: Sendable {
        case drawn(any DrawnTile)
        case answer(TileAnswer?)
    }

    /// Reads a tile from a local source. It is read and decoded once for all callers.
    /// - Returns: nil for other sources.
    func tileAtHand(_ data: TileID) throws(TileFailure) -> TileAtHand? {
        guard let drawing, isAtHand(data) else { return nil }
        if let cached = drawing.cachedTile(data) { return .drawn(cached) }
        return try drawing.reading(data) { () throws(TileFailure) in
            if let cached = drawing.cachedTile(data) { return .drawn(cached) }
            let answer = try source.tile(data, of: self)
            guard case .bitmap(.encoded(let bytes)) = answer else { return .answer(answer) }
            return .drawn(try drawing.tile(data, from: bytes))
        }
    }

    /// Returns true if a tile is from a local source whose tiles never change, so that it can be drawn again
    /// from its decoded form. The distance of contours depends on the layer's detail, so that the same tile
    /// differs for pixels and for labels.
    func isAtHand(_ data: TileID) -> Bool { !isContours && isFromLocalSource(data) }

    /// Returns true if a tile is from a local source whose tiles never change.
    func isFromLocalSource(_ data: TileID) -> Bool {
        cacheIdentifier == nil && source.origin(of: self) == nil && !hasAddress(for: data)
    }

    /// Returns the layer for pixels, whose tiles are finer than those of cells by some zooms.
    public func ahead(by zooms: Int) -> TileLayer {
        var layer = self
        layer.drawing = drawing?.ahead(by: zooms)
        return layer
    }

    /// Returns the layer with pictures that are drawn from its source's tiles, at all zooms that tiles can
    /// have.
    /// - Parameter size: The size of the pictures, in pixels.
    public func drawn(by drawing: any TileDrawing, size: TileSize = .pixels512) -> TileLayer {
        var layer = self
        layer.drawing = drawing
        layer.info.tileSize = size
        layer.info.zooms = info.zooms.lowerBound...max(info.zooms.upperBound, size.usualDepth)
        return layer
    }
}
