public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Draws the vector tiles of a source, crisp also beyond the source's deepest zoom, and knows what
/// stands on them. What is fetched, kept and downloaded are the tiles as they came.
public struct VectorDrawing: TileDrawing {
    /// Takes off what a body is wrapped in, such as gzip; the name is for the failure's sentence.
    public typealias Unpacking = @Sendable (_ body: [UInt8], _ name: String) throws(TileFailure) -> [UInt8]

    /// The zooms of the tiles that pictures are drawn from.
    public let dataZooms: ClosedRange<Int>
    /// Features of vector tiles have kinds and attributes.
    public let isDescribed = true
    /// Whether its style writes any labels.
    public let writesLabels: Bool
    /// Whether the tiles are a map rather than things that lie on one.
    public let hasGround: Bool
    /// The layers that the tiles are said to have; empty if unknown.
    public let layerNames: [String]
    /// What is told of a thing by its attributes; nil: those that come first.
    public var wording: (@Sendable ([String: VectorValue]) -> [MapFeature.Attribute])?
    private let name: String
    private let unpack: Unpacking
    private let painters: [TileSchema: VectorPainter]
    private let schema: SchemaGuess
    private let ground: CoveredGround?
    private let decoded: DecodedTiles<DecodedTile>

    /// Bytes of decoded tiles that are kept.
    private static let byteLimit = 8 << 20

    /// - Parameters:
    ///   - info: what is known of the source; its zooms are those that have data.
    ///   - layerNames: the layers that its tiles are said to have; empty if unknown: the tiles tell.
    ///   - painters: by the schema of the tiles; those for `other` stand in for missing ones.
    ///   - hasGround: no for tiles of things that lie on a map; painters draw them without a background then.
    public init(
        _ info: TileSourceInfo, layerNames: [String] = [], painters: [TileSchema: VectorPainter],
        hasGround: Bool = true,
        unpack: @escaping Unpacking = { body, _ in body }
    ) {
        name = info.name
        dataZooms = info.zooms
        self.layerNames = layerNames
        self.painters = painters
        self.hasGround = hasGround
        writesLabels = painters.values.contains(where: \.writesLabels)
        self.unpack = unpack
        schema = SchemaGuess(layerNames)
        ground = CoveredGround(info)
        decoded = DecodedTiles(byteLimit: Self.byteLimit)
    }

    private init(_ other: VectorDrawing, _ painters: [TileSchema: VectorPainter], _ hasGround: Bool) {
        name = other.name
        dataZooms = other.dataZooms
        layerNames = other.layerNames
        unpack = other.unpack
        schema = other.schema
        ground = other.ground
        decoded = other.decoded
        wording = other.wording
        self.painters = painters
        self.hasGround = hasGround
        writesLabels = painters.values.contains(where: \.writesLabels)
    }

    /// The same tiles drawn otherwise.
    public func restyled(_ painters: [TileSchema: VectorPainter], hasGround: Bool = true) -> VectorDrawing {
        VectorDrawing(self, painters, hasGround)
    }

    /// The same tiles on no ground, for layers that lie over a map.
    public var withoutBackground: any TileDrawing {
        let painters = painters.mapValues {
            VectorPainter($0.style, source: $0.source, drawsBackground: false)
        }
        return restyled(painters, hasGround: hasGround)
    }

    /// A vector tile, decoded at most once while it is kept.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        drawn(
            data,
            try decoded.tile(data, from: bytes) { () throws(TileFailure) in
                let body = try unpack(bytes, "\(name) \(data)")
                do throws(VectorTileFailure) {
                    let tile = DecodedTile(try VectorTile(body))
                    return (tile, tile.weight)
                } catch {
                    throw TileFailure(.badContent, "\(name) \(data): \(error)")
                }
            })
    }

    /// A tile that is kept decoded, else nil.
    public func keptTile(_ data: TileID) -> (any DrawnTile)? { decoded[data].map { drawn(data, $0) } }

    /// Reads a tile while nobody else reads the same one.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try decoded.alone(data, body)
    }

    /// Lets go of the decoded tiles.
    public func forgetTiles() { decoded.removeAll() }

    private func drawn(_ id: TileID, _ tile: DecodedTile) -> DrawnVectorTile {
        let painter = painters[schema.schema(of: tile.tile.layerNames)] ?? painters[.other]
        let ground = painter?.drawsBackground == true && ground?.isLeft(by: id) == true ? ground : nil
        return DrawnVectorTile(
            name: name, id: id, tile: tile, painter: painter, hasGround: hasGround, ground: ground,
            wording: wording)
    }
}

/// A vector tile in a style.
private struct DrawnVectorTile: DrawnTile {
    /// The source's.
    let name: String
    let id: TileID
    let tile: DecodedTile
    /// nil: the style draws no such tiles.
    let painter: VectorPainter?
    let hasGround: Bool
    /// What the source covers, if the tile reaches beyond it.
    let ground: CoveredGround?
    let wording: (@Sendable ([String: VectorValue]) -> [MapFeature.Attribute])?

    var endsWithin: Bool { ground != nil || !hasGround }

    func picture(of part: TileID, side: Int) throws(TileFailure) -> Raster {
        try draw(part, side: side, seen: nil)
    }

    func picture(of part: TileID, side: Int, seen: PixelBox) throws(TileFailure) -> Raster? {
        try draw(part, side: side, seen: seen)
    }

    private func draw(_ part: TileID, side: Int, seen: PixelBox?) throws(TileFailure) -> Raster {
        guard let painter else {
            throw TileFailure(
                .refused, "\(name): the style can't draw these tiles", retryAfter: .seconds(600))
        }
        guard VectorPainter.canDraw else {
            throw TileFailure(
                .refused, "\(name): vector tiles need Cairo, which is missing; install libcairo2",
                retryAfter: .seconds(600))
        }
        let covered = ground.map { $0.pixels(of: part, side: side) }
        let raster = painter.draw(
            TilePart(part, deepest: id.zoom), side: side, ground: covered, seen: seen,
            names: tile.tile.layerNames
        ) {
            tile.layer($0, by: painter.use(ofLayer: $0))
        }
        guard let raster else {
            throw TileFailure(.sourceFailed, "\(name) \(part): out of memory while drawing")
        }
        return raster
    }

    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] {
        guard let painter else { return [] }
        return VectorTileLabels(
            style: painter.style, source: painter.source, zoom: VectorPainter.styleZoom(zoom),
            language: language,
            names: tile.tile.layerNames, layer: { tile.layer($0, by: painter.use(ofLayer: $0)) }
        ).labels
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        let side = Double(1 << id.zoom), point = place.wrapped
        let inTile = SIMD2(point.x * side - Double(id.x), point.y * side - Double(id.y))
        var search = FeatureSearch(at: inTile, reach: reach * side)
        if let wording { search.wording = wording }
        guard let painter else { return search.features(in: tile.decodedLayers) }
        var drawing = DrawingLayers(
            painter.style, source: painter.source, zoom: VectorPainter.styleZoom(zoom))
        return search.features(in: tile.decodedLayers) { drawing.ids(drawing: $1, of: $0) }
    }
}

/// Which schema a source's tiles follow: as it says, else as its tiles show once one has enough
/// layers to tell.
private final class SchemaGuess: Sendable {
    private let known: Mutex<TileSchema?>

    init(_ layerNames: [String]) {
        known = Mutex(layerNames.isEmpty ? nil : TileSchema(layerNames: layerNames))
    }

    func schema(of layerNames: [String]) -> TileSchema {
        known.withLock { known in
            if let known { return known }
            let schema = TileSchema(layerNames: layerNames)
            guard schema == .other else {
                known = schema
                return schema
            }
            // Tiles of open sea have a layer or two that most schemas call the same.
            return layerNames.allSatisfy(["water", "ocean", "earth", "landcover"].contains)
                ? .openMapTiles : .other
        }
    }
}
