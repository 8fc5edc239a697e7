public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Draws the vector tiles of a source as the engine hands their bytes over, crisp also beyond the
/// source's deepest zoom. What is fetched, kept and downloaded are the tiles as they came.
public struct VectorDrawing: TileDrawing {
    /// Takes off what a body is wrapped in, such as gzip; the name is for the failure's sentence.
    public typealias Unpacking = @Sendable (_ body: [UInt8], _ name: String) throws(TileFailure) -> [UInt8]

    public let dataZooms: ClosedRange<Int>
    private let name: String
    private let unpack: Unpacking
    let painters: [TileSchema: VectorPainter]
    private let schema: SchemaGuess
    private let decoded: DecodedTiles

    /// - Parameters:
    ///   - info: what is known of the source; its zooms are those that have data.
    ///   - layerNames: the layers that its tiles are said to have; empty if unknown: the tiles tell.
    ///   - painters: by the schema of the tiles; those for `other` stand in for missing ones.
    public init(
        _ info: TileSourceInfo, layerNames: [String] = [], painters: [TileSchema: VectorPainter],
        unpack: @escaping Unpacking = { body, _ in body }
    ) {
        (name, dataZooms) = (info.name, info.zooms)
        self.painters = painters
        self.unpack = unpack
        schema = SchemaGuess(layerNames)
        decoded = DecodedTiles()
    }

    private init(_ other: VectorDrawing, _ painters: [TileSchema: VectorPainter]) {
        (name, dataZooms, unpack, schema, decoded) =
            (other.name, other.dataZooms, other.unpack, other.schema, other.decoded)
        self.painters = painters
    }

    /// The same tiles drawn otherwise.
    public func restyled(_ painters: [TileSchema: VectorPainter]) -> VectorDrawing { VectorDrawing(self, painters) }

    public func picture(
        of tile: TileID, from data: TileID, _ bytes: [UInt8], side: Int
    ) throws(TileFailure) -> Raster {
        let source = try decodedTile(data, bytes)
        guard let painter = painter(for: source.tile) else {
            throw TileFailure(.refused, "\(name): the style draws no such tiles", retryAfter: .seconds(600))
        }
        let part = TilePart(tile, deepest: data.zoom)
        guard let raster = painter.draw(part, side: side, names: source.tile.layerNames, layer: source.layer)
        else { throw TileFailure(.sourceFailed, "\(name) \(tile): memory ended while drawing it") }
        return raster
    }

    func painter(for tile: VectorTile) -> VectorPainter? {
        painters[schema.schema(of: tile.layerNames)] ?? painters[.other]
    }

    func decodedTile(_ id: TileID, _ bytes: [UInt8]) throws(TileFailure) -> DecodedTile {
        if let known = decoded.tile(id, from: bytes) { return known }
        let body = try unpack(bytes, "\(name) \(id)")
        do throws(VectorTileFailure) {
            return decoded.keep(try VectorTile(body), from: bytes, as: id)
        } catch {
            throw TileFailure(.badContent, "\(name) \(id): \(error)")
        }
    }
}

/// Which schema a source's tiles follow: as it says, else as its tiles show once one has enough
/// layers to tell.
private final class SchemaGuess: Sendable {
    private let known: Mutex<TileSchema?>

    init(_ layerNames: [String]) { known = Mutex(layerNames.isEmpty ? nil : TileSchema(layerNames: layerNames)) }

    func schema(of layerNames: [String]) -> TileSchema {
        known.withLock { known in
            if let known { return known }
            let schema = TileSchema(layerNames: layerNames)
            guard schema == .other else {
                known = schema
                return schema
            }
            // Tiles of open sea have a layer or two that most schemas call the same.
            return layerNames.allSatisfy(["water", "ocean", "earth", "landcover"].contains) ? .openMapTiles : .other
        }
    }
}
