public import RhumbCore

/// Makes pictures of tiles that are none themselves, such as vector tiles. A port: what draws is
/// behind it. What is fetched and kept are the source's tiles as they come; each is decoded once,
/// whatever is made of it: pictures of several zooms, labels, what lies at a place. Called from
/// several threads at once, never from the one that draws the screen.
public protocol TileDrawing: Sendable {
    /// The zooms that the source has tiles for. Deeper pictures are drawn from parts of the
    /// deepest.
    var dataZooms: ClosedRange<Int> { get }

    /// What a server must send for a tile of the source. Default: vector tiles.
    var content: ExpectedContent { get }

    /// Whether its style writes any labels. Default: no.
    var writesLabels: Bool { get }

    /// Whether it has ground of its own; without, what lies below is seen. Default: yes.
    var hasGround: Bool { get }

    /// Whether its tiles tell what lies at a place. Default: no.
    var isDescribed: Bool { get }

    /// A tile of the source.
    /// - Parameter bytes: of the tile, as they came.
    /// - Throws: `TileFailure`; `badContent` where the bytes are no such tile.
    func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile

    /// A tile that was decoded lately, for sources whose tiles never change; nil if it isn't kept,
    /// the default.
    func keptTile(_ data: TileID) -> (any DrawnTile)?

    /// Reads a tile while nobody else reads the same one, so that it is decoded once where several want it:
    /// who comes later waits, and then finds it kept. Default: nobody waits.
    func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value

    /// Lets go of the tiles that are kept.
    func forgetTiles()

    /// The same on no ground, for layers that lie over a map. Default: itself.
    var withoutBackground: any TileDrawing { get }
}

/// A tile of a source, decoded, and all that is made of it. Safe to use from any thread.
public protocol DrawnTile: Sendable {
    /// Whether the ground ends within the tile: its pictures show what lies below there, whatever their layer
    /// is. Default: no.
    var endsWithin: Bool { get }

    /// The picture of a tile.
    /// - Parameters:
    ///   - tile: what is drawn: the source's tile or a descendant of it.
    ///   - side: of the picture, in pixels.
    /// - Throws: `TileFailure` where it can't be drawn.
    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster

    /// The same picture where only a part of it is seen: what lies outside may be missing, what lies inside
    /// is the same but for the finest shades of edges. Default: nil, for what is drawn as a whole or not at
    /// all.
    func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster?

    /// The labels on it, the most important first. Default: none.
    /// - Parameter zoom: of the pictures they are for; the tile's or deeper.
    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel]

    /// What lies at a place, points first, areas last. Default: nothing.
    /// - Parameters:
    ///   - zoom: of the pictures shown there; the tile's or deeper.
    ///   - reach: how near points and lines must lie, in shares of the world's width.
    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature]
}

extension TileDrawing {
    /// Drawings are made of vector tiles, unless they say otherwise.
    public var content: ExpectedContent { .vectorTile }
    /// No style, no labels.
    public var writesLabels: Bool { false }
    /// Maps have ground.
    public var hasGround: Bool { true }
    /// Pictures tell nothing of what lies on them.
    public var isDescribed: Bool { false }
    /// Nothing is kept.
    public func keptTile(_ data: TileID) -> (any DrawnTile)? { nil }
    /// Where nothing is kept, waiting would not help.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try body()
    }
    /// Nothing is kept, nothing is let go of.
    public func forgetTiles() {}
    /// There is no ground to leave out.
    public var withoutBackground: any TileDrawing { self }
}

extension DrawnTile {
    /// Ground everywhere.
    public var endsWithin: Bool { false }
    /// Pictures are drawn as a whole.
    public func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster? { nil }
    /// No labels.
    public func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] { [] }
    /// No features.
    public func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] { [] }
}

extension TileLayer {
    /// The tile of the source that a tile's picture is made from: itself, or the ancestor from a
    /// part of which it is drawn.
    public func dataTile(for tile: TileID) -> TileID {
        guard let deepest = drawing?.dataZooms.upperBound, tile.zoom > deepest else { return tile }
        return tile.ancestor(levels: tile.zoom - deepest) ?? tile
    }

    /// The zooms for which the source has tiles that may be asked for.
    public var dataZooms: ClosedRange<Int> {
        guard let drawing else { return sourceZooms }
        let deepest = min(drawing.dataZooms.upperBound, sourceZooms.upperBound)
        return min(drawing.dataZooms.lowerBound, deepest)...deepest
    }

    /// What a source at hand has of a tile: decoded where it is drawn, else as it is.
    enum TileAtHand: Sendable {
        case drawn(any DrawnTile)
        case answer(TileAnswer?)
    }

    /// Reads a tile from a source at hand; it is read and decoded once, however many ask at the same time.
    /// - Returns: nil for other sources.
    func tileAtHand(_ data: TileID) throws(TileFailure) -> TileAtHand? {
        guard let drawing, isAtHand(data) else { return nil }
        if let kept = drawing.keptTile(data) { return .drawn(kept) }
        return try drawing.reading(data) { () throws(TileFailure) in
            if let kept = drawing.keptTile(data) { return .drawn(kept) }
            let answer = try source.tile(data, of: self)
            guard case .bitmap(.encoded(let bytes)) = answer else { return .answer(answer) }
            return .drawn(try drawing.tile(data, from: bytes))
        }
    }

    /// Whether a tile comes from a source at hand whose tiles never change.
    func isAtHand(_ data: TileID) -> Bool {
        cacheIdentifier == nil && source.origin(of: self) == nil && !hasAddress(for: data)
    }

    /// The layer with pictures that are drawn from its source's tiles, at zooms as deep as tiles go.
    /// - Parameter size: of the pictures, in pixels.
    public func drawn(by drawing: any TileDrawing, size: TileSize = .pixels512) -> TileLayer {
        var layer = self
        layer.drawing = drawing
        layer.info.tileSize = size
        layer.info.zooms = info.zooms.lowerBound...max(info.zooms.upperBound, size.maximumZoom)
        return layer
    }
}
