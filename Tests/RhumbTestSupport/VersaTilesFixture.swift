public import Rhumb
internal import RhumbStore

/// A builder of valid and invalid VersaTiles containers of version 02, from the specification.
public struct VersaTilesFixture: Sendable {
    public var tiles: [(tile: TileID, body: [UInt8])]
    public var metadata: [UInt8] = Array(#"{"name":"A map"}"#.utf8)
    /// The compression of the tiles and the metadata.
    package var compression = Compression.none
    public var tileFormat: UInt8 = 0x10
    /// West, south, east and north.
    public var bounds = [-180.0, -85, 180, 85]
    /// Final changes to the container's bytes, as offset and value.
    public var patches: [(offset: Int, value: UInt8)] = []

    public init(_ tiles: [(tile: TileID, body: [UInt8])]) { self.tiles = tiles }

    /// Creates a fixture with all tiles of the zooms, each with a distinct body.
    public init(zooms: ClosedRange<Int>) {
        self.init(TileID.pyramid(zooms).map { ($0, fakePicture($0)) })
    }

    /// The bytes of the container. Equal bodies of a block share their bytes.
    public var bytes: [UInt8] {
        let metadata = metadata.isEmpty ? [] : compression.stored(metadata)
        var file = [UInt8](repeating: 0, count: 66) + metadata, records: [UInt8] = []
        let blocks = Dictionary(grouping: tiles) { [$0.tile.zoom, $0.tile.x / 256, $0.tile.y / 256] }
        for (place, tiles) in blocks.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let columns = tiles.map { $0.tile.x % 256 }, rows = tiles.map { $0.tile.y % 256 }
            let left = columns.min() ?? 0, top = rows.min() ?? 0
            let right = columns.max() ?? 0, bottom = rows.max() ?? 0
            var blobs: [UInt8] = [], known: [[UInt8]: Int] = [:]
            var places = [(offset: Int, length: Int)](
                repeating: (0, 0), count: (right - left + 1) * (bottom - top + 1))
            for (tile, plain) in tiles {
                let body = compression.stored(plain), offset = known[body] ?? blobs.count
                if known.updateValue(offset, forKey: body) == nil { blobs += body }
                let row = tile.y % 256 - top, column = tile.x % 256 - left
                places[row * (right - left + 1) + column] = (offset, body.count)
            }
            let index = Compression.brotli.stored(
                places.flatMap { Self.number($0.offset, 8) + Self.number($0.length, 4) })
            records += Self.number(place[0], 1) + Self.number(place[1], 4) + Self.number(place[2], 4)
            records += [left, top, right, bottom].map { UInt8($0) }
            records += Self.number(file.count, 8) + Self.number(blobs.count, 8) + Self.number(index.count, 4)
            file += blobs + index
        }
        let blockIndex = Compression.brotli.stored(records), zooms = tiles.map(\.tile.zoom)
        var header = Array("versatiles_v02".utf8) + [tileFormat, precompression]
        header += [UInt8(zooms.min() ?? 0), UInt8(zooms.max() ?? 0)]
        for edge in bounds { header += Self.number(Int(edge * 1e7), 4) }
        header += Self.number(metadata.isEmpty ? 0 : 66, 8) + Self.number(metadata.count, 8)
        header += Self.number(file.count, 8) + Self.number(blockIndex.count, 8)
        file.replaceSubrange(0..<66, with: header)
        file += blockIndex
        for patch in patches { file[patch.offset] = patch.value }
        return file
    }

    private var precompression: UInt8 {
        switch compression {
        case .none: 0
        case .gzip: 1
        case .brotli: 2
        case .zstd: 3
        case .unknown: 9
        }
    }

    /// Returns a big-endian number.
    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
