public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Draws the vector tiles of a source, sharp even beyond the source's maximum zoom, and describes their
/// features. Fetched, cached and downloaded tiles remain in their original form.
public struct VectorDrawing: TileDrawing {
    /// Unpacks a body, for example from gzip. The name is for error messages.
    public typealias Unpacking = @Sendable (_ body: [UInt8], _ name: String) throws(TileFailure) -> [UInt8]

    /// The zooms of the source's tiles.
    public let dataZooms: ClosedRange<Int>
    /// True, because features of vector tiles have kinds and attributes.
    public let isDescribed = true
    /// True if the style has any labels.
    public private(set) var writesLabels: Bool
    /// True if the tiles are a map rather than features on top of one.
    public private(set) var hasGround: Bool
    /// The names of the tiles' layers according to the source; empty if unknown.
    public let layerNames: [String]
    /// Selects and words the attributes of a feature; nil for the default.
    public var wording: (@Sendable ([String: VectorValue]) -> [MapFeature.Attribute])?
    private let name: String
    private let unpack: Unpacking
    private var painters: [TileSchema: VectorPainter]
    private let schema: SchemaGuess
    private let ground: CoveredGround?
    private let decoded: DecodedTiles<DecodedTile>

    /// Creates the drawing of a source.
    /// - Parameters:
    ///   - info: Information about the source, with the zooms that have data.
    ///   - layerNames: Names of the tiles' layers; empty to detect them from the tiles.
    ///   - painters: The painters by schema of the tiles. The one for `other` replaces missing ones.
    ///   - hasGround: False for features on top of a map, which painters draw without a background.
    ///   - byteLimit: Maximum size in bytes of the decoded tiles in memory.
    ///   - unpack: Unpacks the body of a tile.
    public init(
        _ info: TileSourceInfo, layerNames: [String] = [], painters: [TileSchema: VectorPainter],
        hasGround: Bool = true, byteLimit: Int = 8 << 20,
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
        decoded = DecodedTiles(byteLimit: byteLimit)
    }

    /// Returns the drawing of the same tiles in another style.
    public func restyled(_ painters: [TileSchema: VectorPainter], hasGround: Bool = true) -> VectorDrawing {
        var drawing = self
        drawing.painters = painters
        drawing.hasGround = hasGround
        drawing.writesLabels = painters.values.contains(where: \.writesLabels)
        return drawing
    }

    /// The drawing of the same tiles without a background, for layers on top of a map.
    public var withoutBackground: any TileDrawing {
        restyled(painters.mapValues(\.withoutBackground), hasGround: hasGround)
    }

    /// Returns the drawing with the colours of lower zooms, if the style is Rhumb's own.
    public func ahead(by zooms: Int) -> any TileDrawing {
        restyled(painters.mapValues { $0.ahead(by: zooms) }, hasGround: hasGround)
    }

    /// Returns a decoded tile, from memory if possible.
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

    /// Returns a decoded tile from memory; nil if it isn't cached.
    public func cachedTile(_ data: TileID) -> (any DrawnTile)? { decoded[data].map { drawn(data, $0) } }

    /// Calls a closure while no other thread reads the same tile.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try decoded.alone(data, body)
    }

    /// Removes the decoded tiles from memory.
    public func forgetTiles() { decoded.removeAll() }

    private func drawn(_ id: TileID, _ tile: DecodedTile) -> DrawnVectorTile {
        let painter = painters[schema.schema(of: tile.tile.layerNames)] ?? painters[.other]
        let ground = painter?.drawsBackground == true && ground?.isLeft(by: id) == true ? ground : nil
        return DrawnVectorTile(
            name: name, id: id, tile: tile, painter: painter, hasGround: hasGround, ground: ground,
            wording: wording)
    }
}

/// A vector tile with its style.
private struct DrawnVectorTile: DrawnTile {
    /// The name of the source.
    let name: String
    let id: TileID
    let tile: DecodedTile
    /// The painter; nil if the style can't draw such tiles.
    let painter: VectorPainter?
    let hasGround: Bool
    /// The area that the source covers; nil unless the tile extends beyond it.
    let ground: CoveredGround?
    let wording: (@Sendable ([String: VectorValue]) -> [MapFeature.Attribute])?

    var endsWithin: Bool { ground != nil || !hasGround }

    var omission: TileFailure? {
        tile.omission.map { TileFailure(.badContent, "\(name) \(id): not shown: \($0)") }
    }

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
        if let damage = tile.damage {
            throw TileFailure(.badContent, "\(name) \(id): no layer can be read; \(damage)")
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
        // Layers with labels only are decoded here, so that the omission includes them.
        for layer in painter.labelLayers(at: part.zoom, names: tile.tile.layerNames) {
            _ = tile.layer(layer, by: painter.use(ofLayer: layer))
        }
        return raster
    }

    func labels(at zoom: Int, in language: NameLanguage) -> [VectorLabel] {
        guard let painter else { return [] }
        return VectorTileLabels(
            style: painter.style, source: painter.source, zoom: VectorPainter.styleZoom(zoom),
            tile: id, language: language, names: tile.tile.layerNames,
            layer: { tile.layer($0, by: painter.use(ofLayer: $0)) }
        ).labels
    }

    func features(at place: WorldPoint, zoom: Int, reach: Double) -> [MapFeature] {
        let side = Double(1 << id.zoom), point = place.wrapped
        let inTile = SIMD2(point.x * side - Double(id.x), point.y * side - Double(id.y))
        var search = FeatureSearch(at: inTile, reach: reach * side)
        if let wording { search.wording = wording }
        guard let painter else { return search.features(in: tile.decodedLayers) }
        var drawing = DrawingLayers(
            painter.style, source: painter.source, zoom: VectorPainter.styleZoom(zoom), tile: id)
        return search.features(in: tile.decodedLayers) { drawing.ids(drawing: $1, of: $0) }
    }
}

/// The schema of a source's tiles, determined from the source's layer names or else from the first tile with
/// enough layers.
private final class SchemaGuess: Sendable {
    private let cached: Mutex<TileSchema?>

    init(_ layerNames: [String]) {
        cached = Mutex(layerNames.isEmpty ? nil : TileSchema(layerNames: layerNames))
    }

    func schema(of layerNames: [String]) -> TileSchema {
        cached.withLock { cached in
            if let cached { return cached }
            let schema = TileSchema(layerNames: layerNames)
            guard schema == .other else {
                cached = schema
                return schema
            }
            // Tiles of open sea have one or two layers, whose names most schemas share.
            return layerNames.allSatisfy(["water", "ocean", "earth", "landcover"].contains)
                ? .openMapTiles : .other
        }
    }
}
