/// A layer of a vector tile: features that share a table of attribute names and values.
public struct VectorLayer: Sendable {
    /// The name in the tile; not sanitised for terminals.
    public let name: String
    /// The version of Mapbox Vector Tiles, 1 or 2. Version 1 doesn't define the orientation of rings. In
    /// layers of MapLibre Tiles, rings have the orientation of version 2.
    public let version: Int
    /// The length of the tile's side in units of its coordinates, at least 1.
    public let extent: Int
    /// The attribute names, to which tags refer by index.
    public let keys: [String]
    /// The first index of each name in `keys`.
    let keyNumbers: [String: UInt32]
    /// The attribute with the usual names, for which styles request "name".
    let nameKey: String
    /// The attribute values, to which tags refer by index; nil for empty values.
    public let values: [VectorValue?]
    /// The valid features, in order.
    public let features: [VectorFeature]
    /// The number of damaged features, which are skipped.
    public let damagedCount: Int
    /// The source of the features' tags and geometries.
    let content: Content

    enum Content: Sendable {
        /// In the messages of a Mapbox Vector Tile.
        case messages([UInt8])
        /// Decoded from the columns of a MapLibre Tile. Features refer to ranges of tags and of parts.
        /// - isNear: True if all points are within `GeometryReader.reach`.
        case columns(tags: [UInt32], geometry: VectorGeometry, isNear: Bool)
    }

    static let largestExtent: UInt64 = 1 << 20
    /// The attributes with a usual name, best first. Some maps have no `name`, such as those of tilemaker's
    /// example of OpenMapTiles.
    package static let nameKeys = ["name", "name:latin", "name_int", "name:en", "name_en"]

    enum Field {
        static let name: UInt64 = 1, feature: UInt64 = 2, key: UInt64 = 3, value: UInt64 = 4
        static let extent: UInt64 = 5, version: UInt64 = 15
    }

    /// Returns the name of a layer message and the number of its features, keys and values; nil if it has no
    /// name. Damage after the name is only detected when the layer is decoded.
    static func outline(
        of part: Range<Int>, in bytes: [UInt8]
    ) throws(VectorTileFailure) -> (name: String, items: Int)? {
        var reader = WireReader(bytes, part)
        var name: String?, items = 0
        do throws(VectorTileFailure) {
            while let field = try reader.field() {
                if field.number == Field.name, name == nil, case .bytes(let part) = field.content {
                    name = String(decoding: bytes[part], as: UTF8.self)
                }
                if (Field.feature...Field.value).contains(field.number) { items += 1 }
            }
        } catch {
            guard name != nil else { throw error }
        }
        return name.map { ($0, items) }
    }

    /// Returns the attribute names that precede any damage in the message.
    static func keys(in part: Range<Int>, of bytes: [UInt8]) -> [String] {
        var reader = WireReader(bytes, part)
        var keys: [String] = []
        while let field = try? reader.field() {
            if field.number == Field.key, case .bytes(let part) = field.content {
                keys.append(String(decoding: bytes[part], as: UTF8.self))
            }
        }
        return keys
    }

    /// Returns the numbers of features, keys and values that precede any damage in the message.
    private static func counts(
        in part: Range<Int>, of bytes: [UInt8]
    ) -> (features: Int, keys: Int, values: Int) {
        var reader = WireReader(bytes, part), counts = (features: 0, keys: 0, values: 0)
        while let field = try? reader.field() {
            switch field.number {
            case Field.feature: counts.features += 1
            case Field.key: counts.keys += 1
            case Field.value: counts.values += 1
            default: break
            }
        }
        return counts
    }

    init(name: String, _ part: Range<Int>, of bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, part)
        var keys: [String] = [], values: [VectorValue?] = [], features: [VectorFeature] = []
        var damaged = 0, version: UInt64 = 1, extent: UInt64 = 4096
        let counts = VectorLayer.counts(in: part, of: bytes)
        features.reserveCapacity(counts.features)
        keys.reserveCapacity(counts.keys)
        values.reserveCapacity(counts.values)
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (Field.feature, .bytes(let part)):
                if let feature = try? VectorFeature(part, of: bytes) {
                    features.append(feature)
                } else {
                    damaged += 1
                }
            case (Field.key, .bytes(let part)): keys.append(String(decoding: bytes[part], as: UTF8.self))
            case (Field.value, .bytes(let part)):
                values.append((try? VectorValue(part, of: bytes)).flatMap(\.self))
            case (Field.extent, .varint(let value)): extent = value
            case (Field.version, .varint(let value)): version = value
            default: break
            }
        }
        guard (1...VectorLayer.largestExtent).contains(extent) else {
            throw reader.failure("a layer has an extent of \(extent)")
        }
        self.name = name
        self.version = version == 1 ? 1 : 2
        self.extent = Int(extent)
        self.keys = keys
        keyNumbers = Dictionary(zip(keys, 0...)) { first, _ in first }
        nameKey = Self.nameKey(among: keyNumbers)
        self.values = values
        self.features = features
        damagedCount = damaged
        content = .messages(bytes)
    }

    /// Creates a layer with decoded features.
    init(
        name: String, extent: Int, keys: [String], values: [VectorValue?], features: [VectorFeature],
        tags: [UInt32], geometry: VectorGeometry
    ) {
        self.name = name
        version = 2
        self.extent = extent
        self.keys = keys
        keyNumbers = Dictionary(zip(keys, 0...)) { first, _ in first }
        nameKey = Self.nameKey(among: keyNumbers)
        self.values = values
        self.features = features
        damagedCount = 0
        let isNear = geometry.points.withUnsafeBufferPointer { $0.areWithin(GeometryReader.reach) }
        content = .columns(tags: tags, geometry: geometry, isNear: isNear)
    }

    private static func nameKey(among keys: [String: UInt32]) -> String {
        nameKeys.first { keys[$0] != nil } ?? "name"
    }

    /// Reads a feature's tags: alternating indices of keys and values.
    /// - Parameter tags: Replaced by the tags.
    /// - Returns: False, with empty tags, if the bytes are damaged, their number is odd, or an index is out
    ///   of range.
    public func readTags(of feature: VectorFeature, into tags: inout [UInt32]) -> Bool {
        tags.removeAll(keepingCapacity: true)
        if case .columns(let all, _, _) = content {
            let range = feature.tags.range
            all.withUnsafeBufferPointer { tags.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
            return true
        }
        let isRead = appendNumbers(VectorFeature.Field.tags, feature.tags, of: feature, to: &tags)
        if isRead && tagsAreSound(tags) { return true }
        tags.removeAll(keepingCapacity: true)
        return false
    }

    private func tagsAreSound(_ tags: [UInt32]) -> Bool {
        guard tags.count.isMultiple(of: 2) else { return false }
        for at in stride(from: 0, to: tags.count, by: 2)
        where Int(tags[at]) >= keys.count || Int(tags[at + 1]) >= values.count { return false }
        return true
    }

    /// Returns a feature's attributes; nil if they are damaged. The first value of a repeated name is used.
    public func attributes(of feature: VectorFeature) -> [String: VectorValue]? {
        var tags: [UInt32] = []
        guard readTags(of: feature, into: &tags) else { return nil }
        var found: [String: VectorValue] = [:]
        for at in stride(from: 0, to: tags.count, by: 2) {
            let key = keys[Int(tags[at])]
            if found[key] == nil { found[key] = values[Int(tags[at + 1])] }
        }
        return found
    }
}
