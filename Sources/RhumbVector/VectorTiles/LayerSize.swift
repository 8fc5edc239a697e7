internal import RhumbBase

/// The number and the size of a layer's contents, in one tile or in many. Sizes are uncompressed.
public struct LayerSize: Sendable, Equatable {
    /// The number of valid features.
    public internal(set) var features = 0
    /// The number of points of all shapes. The first point of a ring isn't repeated at its end.
    public internal(set) var vertices = 0
    /// The size in bytes of attribute names, values, and the references of features to them.
    public internal(set) var attributeBytes = 0
    /// The size in bytes.
    public internal(set) var bytes = 0
    /// The features that can't be drawn.
    public internal(set) var faults = FeatureFaults()

    /// Creates the size of an empty layer.
    public init() {}

    /// Adds the contents of tiles with equal layers.
    /// - Parameter count: The number of such tiles.
    public mutating func add(_ other: LayerSize, times count: Int = 1) {
        func sum(_ own: Int, _ more: Int) -> Int { own.saturatingAdd(more.saturatingMultiply(count)) }
        features = sum(features, other.features)
        vertices = sum(vertices, other.vertices)
        attributeBytes = sum(attributeBytes, other.attributeBytes)
        bytes = sum(bytes, other.bytes)
        faults.merge(other.faults)
    }
}

extension VectorTile {
    /// Returns the number and the size of a layer's contents.
    /// - Parameter index: Index of the layer in `layerNames`.
    /// - Throws: `VectorTileFailure` if the layer is damaged.
    public func size(ofLayer index: Int) throws(VectorTileFailure) -> LayerSize {
        let layer = try layer(at: index)
        var size = LayerSize(), reader = GeometryReader(), tags: [UInt32] = []
        size.features = layer.features.count
        size.bytes = parts[index].count
        size.faults.add(layer.damagedCount, .message)
        for feature in layer.features {
            let isRead = layer.readTags(of: feature, into: &tags)
            let reason = FeatureFaults.reason(feature, of: layer, hasAttributes: isRead, &reader)
            if let reason { size.faults.add(1, reason) }
            size.vertices += reader.geometry.points.count
        }
        size.attributeBytes =
            if let header = try header(ofLayer: index) {
                header.attributeBytes
            } else {
                try VectorLayer.attributeBytes(in: parts[index], of: bytes)
            }
        return size
    }
}

extension VectorLayer {
    /// Returns the size of a layer's names, values and tags, with the headers of their fields.
    fileprivate static func attributeBytes(
        in part: Range<Int>, of bytes: [UInt8]
    ) throws(VectorTileFailure) -> Int {
        var reader = WireReader(bytes, part), start = reader.position, sum = 0
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (Field.key, _), (Field.value, _): sum += reader.position - start
            case (Field.feature, .bytes(let message)): sum += tagBytes(in: message, of: bytes)
            default: break
            }
            start = reader.position
        }
        return sum
    }

    private static func tagBytes(in message: Range<Int>, of bytes: [UInt8]) -> Int {
        var reader = WireReader(bytes, message), start = reader.position, sum = 0
        while let field = try? reader.field() {
            if field.number == VectorFeature.Field.tags { sum += reader.position - start }
            start = reader.position
        }
        return sum
    }
}

/// The size of an attribute of a layer in one tile. Sizes are uncompressed.
public struct FieldSize: Sendable, Equatable {
    /// The number of features with the attribute.
    public internal(set) var features = 0
    /// The size in bytes of the name, the values, and the references of features to them.
    public internal(set) var bytes = 0
    /// The hashes of the different values. Equal values have equal hashes in all tiles.
    public internal(set) var values: Set<UInt64> = []
}

extension VectorTile {
    /// Returns the sizes of a layer's attributes by name. A value that several attributes share counts for
    /// the first of them that a feature has.
    /// - Parameter index: Index of the layer in `layerNames`.
    /// - Throws: `VectorTileFailure` if the layer is damaged.
    public func fieldSizes(ofLayer index: Int) throws(VectorTileFailure) -> [String: FieldSize] {
        let layer = try layer(at: index)
        var columns: [String: Int] = [:], sizes: VectorLayer.TableSizes?
        if let header = try header(ofLayer: index) {
            columns = header.fieldBytes
        } else {
            sizes = try VectorLayer.tableSizes(in: parts[index], of: bytes)
        }
        let table = sizes
        let hashes = layer.values.map { $0?.hash }
        var found = [FieldSize](repeating: FieldSize(), count: layer.keys.count)
        var isCounted = [Bool](repeating: false, count: layer.values.count)
        var tags: [UInt32] = []
        for (key, name) in layer.keys.enumerated() {
            found[key].bytes = table?.keys[key] ?? columns[name] ?? 0
        }
        for feature in layer.features where layer.readTags(of: feature, into: &tags) {
            for at in stride(from: 0, to: tags.count, by: 2) {
                let key = Int(tags[at]), value = Int(tags[at + 1])
                found[key].features += 1
                if let hash = hashes[value] { found[key].values.insert(hash) }
                guard let table else { continue }
                found[key].bytes += WireReader.varintSize(tags[at]) + WireReader.varintSize(tags[at + 1])
                guard !isCounted[value] else { continue }
                isCounted[value] = true
                found[key].bytes += table.values[value]
            }
        }
        return Dictionary(zip(layer.keys, found)) { first, second in
            FieldSize(
                features: first.features + second.features, bytes: first.bytes + second.bytes,
                values: first.values.union(second.values))
        }
    }
}

extension VectorLayer {
    /// The sizes of the names and of the values.
    fileprivate typealias TableSizes = (keys: [Int], values: [Int])

    /// Returns the sizes of the names and of the values, with the headers of their fields.
    fileprivate static func tableSizes(
        in part: Range<Int>, of bytes: [UInt8]
    ) throws(VectorTileFailure) -> TableSizes {
        var reader = WireReader(bytes, part), start = reader.position
        var keys: [Int] = [], values: [Int] = []
        while let field = try reader.field() {
            if case .bytes = field.content {
                if field.number == Field.key { keys.append(reader.position - start) }
                if field.number == Field.value { values.append(reader.position - start) }
            }
            start = reader.position
        }
        return (keys, values)
    }
}

extension WireReader {
    /// Returns the number of bytes of a varint in its shortest form.
    fileprivate static func varintSize(_ value: UInt32) -> Int {
        max(1, (38 - value.leadingZeroBitCount) / 7)
    }
}

extension VectorValue {
    /// A hash that is the same in every run of the program.
    fileprivate var hash: UInt64 {
        let plain =
            switch self {
            case .string(let text): FNV1a.hash(text.utf8)
            case .number(let number): number.bitPattern &+ 1
            case .integer(let number): FNV1a.hash("\(number)".utf8) &+ 1
            case .unsigned(let number): FNV1a.hash("\(number)".utf8) &+ 1
            case .nested(let json): FNV1a.hash(json.text.utf8) &+ 2
            case .bool(let value): value ? 0x5DEE_CE66 : 0x2545_F491 as UInt64
            }
        // The finalizer of SplitMix64, because FNV-1a distributes the highest bits unevenly.
        let first = (plain ^ plain >> 30) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ first >> 27) &* 0x94D0_49BB_1331_11EB
        return second ^ second >> 31
    }
}
