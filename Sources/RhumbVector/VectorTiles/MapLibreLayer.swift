/// A frame of a MapLibre Tile (MLT), https://maplibre.org/maplibre-tile-spec: a layer in one version of the
/// format.
struct MapLibreFrame {
    /// The version of the format.
    let tag: UInt8
    /// The whole frame, with its size and tag.
    let range: Range<Int>
    /// The bytes after the tag.
    let body: Range<Int>

    /// The stable version.
    static let v1: UInt8 = 1
    /// The experimental version, which is skipped.
    static let v2: UInt8 = 2

    /// Returns the frames of a tile; nil if the bytes are no MapLibre Tile. Such tiles have no signature:
    /// their frames must end with the tile, and the first one must have a known version. In a Mapbox Vector
    /// Tile, that byte is the length of a layer, which is larger.
    static func frames(of bytes: [UInt8]) -> [MapLibreFrame]? {
        var reader = WireReader(bytes, 0..<bytes.count), frames: [MapLibreFrame] = []
        while reader.position < bytes.count {
            let start = reader.position
            guard let size = try? reader.count(), size > 0, let part = try? reader.pass(size) else {
                return nil
            }
            let tag = bytes[part.lowerBound]
            if frames.isEmpty, tag != v1, tag != v2 { return nil }
            frames.append(
                MapLibreFrame(
                    tag: tag, range: start..<part.upperBound, body: part.lowerBound + 1..<part.upperBound))
        }
        return frames.isEmpty ? nil : frames
    }
}

/// The header of a layer of a MapLibre Tile of version 1, and its columns, whose values are not decoded.
struct MapLibreLayer {
    /// The type of a column: the byte "column_type" without the flag of nullable columns.
    enum ColumnType: UInt8 {
        case id = 0
        case longID = 2
        case geometry = 4
        case bool = 10
        case int32 = 16
        case uint32 = 18
        case int64 = 20
        case uint64 = 22
        case float = 24
        case double = 26
        case string = 28
        case sharedDictionary = 30

        var isProperty: Bool { rawValue >= ColumnType.bool.rawValue }
    }

    /// A column, or a child of a shared dictionary.
    struct Column {
        let type: ColumnType
        let name: String
        let presence: MapLibreStream?
        /// The other streams. Those of a child begin with the streams of its dictionary.
        let streams: [MapLibreStream]

        func stream(_ kinds: MapLibreStream.Kind...) -> MapLibreStream? {
            streams.first { kinds.contains($0.kind) }
        }
    }

    let name: String
    let extent: Int
    let columns: [Column]
    /// The number of features.
    let featureCount: Int
    /// The number of features, attribute names and strings, and an eighth of all other values, in proportion
    /// to the memory for decoding.
    let itemCount: Int
    /// The size in bytes of each column with attributes, and the name of its first attribute.
    private let sizes: [(name: String, bytes: Int)]
    /// The size in bytes of the columns with attributes.
    var attributeBytes: Int { sizes.reduce(0) { $0 + $1.bytes } }
    /// The size in bytes of the column of each attribute. Attributes that share a dictionary count for the
    /// first of them.
    var fieldBytes: [String: Int] { Dictionary(sizes, uniquingKeysWith: +) }

    /// Maximum number of values in a stream.
    static let valueLimit = 8 * VectorTile.itemLimit

    private struct Metadata {
        let type: ColumnType
        let isNullable: Bool
        let name: String
        var children: [Metadata] = []

        init(_ reader: inout WireReader, isChild: Bool = false) throws(VectorTileFailure) {
            let code = try reader.byte()
            guard let type = ColumnType(rawValue: code & ~1), code != 5, code != 31,
                !isChild || type == .string
            else { throw reader.failure("the column type \(code) is unknown") }
            self.type = type
            isNullable = code & 1 == 1
            name = type.isProperty ? try reader.string() : ""
            guard type == .sharedDictionary else { return }
            for _ in 0..<(try reader.count()) { children.append(try Metadata(&reader, isChild: true)) }
        }
    }

    /// Returns the name of the layer in a frame.
    static func name(in frame: MapLibreFrame, of bytes: [UInt8]) throws(VectorTileFailure) -> String {
        var reader = WireReader(bytes, frame.body)
        return try reader.string()
    }

    init(_ frame: MapLibreFrame, of bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, frame.body)
        name = try reader.string()
        extent = try reader.count()
        var metadata: [(column: Metadata, size: Int)] = []
        for _ in 0..<(try reader.count()) {
            let start = reader.position
            metadata.append((try Metadata(&reader), reader.position - start))
        }
        var columns: [Column] = [], sizes: [(name: String, bytes: Int)] = []
        for (column, size) in metadata {
            let start = reader.position
            let found = try Self.columns(column, &reader)
            columns += found
            if column.type.isProperty {
                sizes.append((found.first?.name ?? column.name, size + reader.position - start))
            }
        }
        guard reader.position == reader.end else {
            throw reader.failure("a layer has unknown data at its end")
        }
        let geometries = columns.filter { $0.type == .geometry }
        guard geometries.count == 1, let types = geometries[0].streams.first,
            columns.count(where: { $0.type == .id || $0.type == .longID }) <= 1
        else { throw reader.failure("a layer needs one column of geometries, and at most one of ids") }
        self.columns = columns
        self.sizes = sizes
        featureCount = types.count
        var items = types.count + columns.count, values = 0
        // The streams of a dictionary are repeated in later columns.
        var last = -1
        for column in columns {
            for stream in column.streams where stream.offset > last {
                last = stream.offset
                values += stream.count
                if stream.kind == .varBinary || stream.kind == .dictionary { items += stream.count }
            }
        }
        itemCount = items + values / 8
    }

    /// Reads the streams of a column.
    private static func columns(
        _ column: Metadata, _ reader: inout WireReader
    ) throws(VectorTileFailure) -> [Column] {
        func streams(_ count: Int) throws(VectorTileFailure) -> [MapLibreStream] {
            var streams: [MapLibreStream] = []
            for _ in 0..<count { streams.append(try MapLibreStream(&reader)) }
            return streams
        }
        func presence(_ column: Metadata) throws(VectorTileFailure) -> MapLibreStream? {
            column.isNullable ? try MapLibreStream(&reader) : nil
        }
        let presenceCount = column.isNullable ? 1 : 0
        switch column.type {
        case .geometry:
            return [.init(type: .geometry, name: "", presence: nil, streams: try streams(try reader.count()))]
        case .string:
            let count = try reader.count(), presence = try presence(column)
            return [
                .init(
                    type: .string, name: column.name, presence: presence,
                    streams: try streams(count - min(count, presenceCount)))
            ]
        case .sharedDictionary:
            // The number of streams is ignored, because it is wrong in some tiles.
            _ = try reader.count()
            var dictionary: [MapLibreStream] = []
            while dictionary.last?.kind.endsDictionary != true {
                dictionary.append(try MapLibreStream(&reader))
            }
            var children: [Column] = []
            for child in column.children {
                _ = try reader.count()
                let presence = try presence(child)
                children.append(
                    Column(
                        type: .string, name: column.name + child.name, presence: presence,
                        streams: dictionary + CollectionOfOne(try MapLibreStream(&reader))))
            }
            return children
        default:
            let presence = try presence(column)
            let data = try MapLibreStream(&reader, isBoolean: column.type == .bool)
            return [.init(type: column.type, name: column.name, presence: presence, streams: [data])]
        }
    }
}

extension MapLibreStream.Kind {
    /// True for the last stream of a shared dictionary.
    fileprivate var endsDictionary: Bool { self == .singleDictionary || self == .sharedDictionary }
}
