public import RhumbCore

/// Draws tiles as another drawing does, with the light and shade of hills on top. The relief consists of grey
/// pictures: 128 for flat terrain, brighter towards the light.
public struct ReliefDrawing: TileDrawing {
    /// Returns a stored tile of the relief; nil if there is none.
    public typealias Source = @Sendable (TileID) throws(TileFailure) -> [UInt8]?

    private let base: any TileDrawing
    private let relief: Relief

    /// Creates the drawing of a relief over another drawing.
    /// - Parameters:
    ///   - base: Draws the map beneath the relief.
    ///   - zooms: The zooms of the relief. Beyond the deepest it is enlarged, and fades out within five more
    ///     zooms.
    ///   - lowest: The lowest zoom of a tile with relief; nil for that of the relief.
    ///   - waters: The colour of waters, and the zoom from which they are flat; nil to shade them like land.
    ///   - shades: The strength of light and shade.
    ///   - decoder: Decodes the relief's tiles.
    ///   - source: Reads the relief's tiles.
    public init(
        over base: any TileDrawing, zooms: ClosedRange<Int>, from lowest: Int? = nil,
        waters: (colour: RGB, flatFrom: Int)? = nil, shades: ReliefShades, decoder: any ImageDecoder,
        source: @escaping Source
    ) {
        self.base = base
        relief = Relief(
            zooms: zooms, lowest: lowest ?? zooms.lowerBound, waters: waters, shades: shades,
            decoder: decoder, source: source)
    }

    private init(_ base: any TileDrawing, _ relief: Relief) { (self.base, self.relief) = (base, relief) }

    /// The base's layers without their background, under the same light and shade.
    public var withoutBackground: any TileDrawing { ReliefDrawing(base.withoutBackground, relief) }

    /// Returns the drawing whose relief appears and fades out later by some zooms.
    public func ahead(by zooms: Int) -> any TileDrawing {
        var relief = relief
        relief.zoomsAhead = zooms
        return ReliefDrawing(base.ahead(by: zooms), relief)
    }

    /// The zooms of the base's data.
    public var dataZooms: ClosedRange<Int> { base.dataZooms }
    /// The content of the base.
    public var content: ExpectedContent { base.content }
    /// True if the base's pictures are opaque.
    public var hasGround: Bool { base.hasGround }
    /// True if the base has labels.
    public var writesLabels: Bool { base.writesLabels }
    /// True if the base can return the features at a position.
    public var isDescribed: Bool { base.isDescribed }

    /// Returns a tile of the base, to be drawn under light and shade.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        ShadedTile(ground: try base.tile(data, from: bytes), relief: relief)
    }

    /// Returns a decoded tile of the base from memory; nil if it isn't cached.
    public func cachedTile(_ data: TileID) -> (any DrawnTile)? {
        base.cachedTile(data).map { ShadedTile(ground: $0, relief: relief) }
    }

    /// Reads a tile of the base while no other thread reads it.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try base.reading(data, body)
    }

    /// Removes the decoded tiles.
    public func forgetTiles() {
        base.forgetTiles()
        relief.decoded.removeAll()
    }
}

/// A tile of the base under light and shade.
private struct ShadedTile: DrawnTile {
    let ground: any DrawnTile
    let relief: Relief

    var endsWithin: Bool { ground.endsWithin }
    var omission: TileFailure? { ground.omission }

    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster {
        relief.shaded(try ground.picture(of: tile, side: side), of: tile, seen: nil)
    }

    func picture(of tile: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster? {
        guard let picture = try ground.picture(of: tile, side: side, seen: seen) else { return nil }
        return relief.shaded(picture, of: tile, seen: seen)
    }

    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] {
        ground.labels(at: zoom, in: language)
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        ground.features(at: place, zoom: zoom, reach: reach)
    }
}

/// The tiles of a relief, decoded once.
private struct Relief: Sendable {
    let zooms: ClosedRange<Int>
    private let lowest: Int
    private let waters: (colour: RGB, flatFrom: Int)?
    var zoomsAhead = 0
    let decoder: any ImageDecoder
    let source: ReliefDrawing.Source
    let decoded = DecodedTiles<ReliefTile>(byteLimit: 1 << 20)
    /// The tables of shaded channel values by the number of zooms beyond the deepest.
    private let tables: [Lazy<[UInt8]>]
    private static let strengths = [1, 1, 0.85, 0.7, 0.5, 0.3]

    init(
        zooms: ClosedRange<Int>, lowest: Int, waters: (colour: RGB, flatFrom: Int)?, shades: ReliefShades,
        decoder: any ImageDecoder, source: @escaping ReliefDrawing.Source
    ) {
        self.zooms = zooms
        self.lowest = lowest
        self.waters = waters
        self.decoder = decoder
        self.source = source
        tables = Self.strengths.map { strength in Lazy { shades.table(strength: strength) } }
    }

    /// Returns the picture under light and shade, or unchanged if there is no relief.
    func shaded(_ picture: consuming Raster, of tile: TileID, seen: PixelBox?) -> Raster {
        let levels = max(tile.zoom - zooms.upperBound, 0)
        guard let table = table(at: tile.zoom), let data = tile.ancestor(levels: levels),
            let relief = self.tile(data)
        else { return picture }
        let flat = waters.flatMap { tile.zoom - zoomsAhead >= $0.flatFrom ? $0.colour : nil }
        return relief.shading(
            picture, of: tile, from: data, table.value, flat: flat, seen: seen, neighbour: self.tile)
    }

    /// Returns the table for a zoom; nil if the relief is hidden there.
    private func table(at zoom: Int) -> Lazy<[UInt8]>? {
        let zoom = zoom - zoomsAhead
        guard zoom >= lowest else { return nil }
        let levels = max(zoom - zooms.upperBound, 0)
        return levels < tables.count ? tables[levels] : nil
    }

    private func tile(_ id: TileID) -> ReliefTile? {
        if let cached = decoded[id] { return cached }
        guard let bytes = (try? source(id)) ?? nil else { return nil }
        return try? decoded.tile(id, from: bytes) { () throws(TileFailure) in
            let image = try converting(decoder.decode(bytes, limits: .tile)) { (error: ImageFailure) in
                TileFailure(.badContent, "relief \(id): \(error)")
            }
            let tile = ReliefTile(image)
            return (tile, tile.grey.count)
        }
    }
}
