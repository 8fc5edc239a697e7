public import RhumbCore

/// A builder of valid and invalid vector tiles (MVT 2.1).
public struct VectorTileFixture: Sendable {
    public struct Feature: Sendable {
        public var kind: VectorFeature.Kind
        /// The command integers.
        public var geometry: [UInt32]
        public var attributes: [(String, VectorValue)]
        public var id: UInt64?

        public init(
            _ kind: VectorFeature.Kind, _ geometry: [UInt32], _ attributes: [(String, VectorValue)] = [],
            id: UInt64? = nil
        ) {
            self.kind = kind
            self.geometry = geometry
            self.attributes = attributes
            self.id = id
        }

        /// Creates a point, a line or a ring through points in tile units.
        public init(
            _ kind: VectorFeature.Kind, through points: [(Int, Int)],
            _ attributes: [(String, VectorValue)] = []
        ) {
            self.init(kind, Feature.commands(kind, points), attributes)
        }

        private static func commands(_ kind: VectorFeature.Kind, _ points: [(Int, Int)]) -> [UInt32] {
            var commands: [UInt32] = []
            var last = (0, 0)
            for (index, point) in points.enumerated() {
                if index == 0 { commands.append(9) }
                if index == 1 { commands.append(UInt32(points.count - 1) << 3 | 2) }
                commands += [zigzag(point.0 - last.0), zigzag(point.1 - last.1)]
                last = point
            }
            return kind == .polygon ? commands + [15] : commands
        }

        private static func zigzag(_ value: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: value << 1 ^ value >> 63)
        }
    }

    public var layers: [(name: String, features: [Feature])]
    public var extent = 4096
    public var version = 2

    public init(_ layers: [(name: String, features: [Feature])]) { self.layers = layers }

    public var bytes: [UInt8] { layers.flatMap { Self.message(3, layer($0.name, $0.features)) } }

    private func layer(_ name: String, _ features: [Feature]) -> [UInt8] {
        var keys: [String] = [], values: [VectorValue] = []
        func index<Item: Equatable>(_ item: Item, in items: inout [Item]) -> UInt32 {
            if let found = items.firstIndex(of: item) { return UInt32(found) }
            items.append(item)
            return UInt32(items.count - 1)
        }
        var body = Self.message(1, Array(name.utf8))
        for feature in features {
            let tags = feature.attributes.flatMap { [index($0.0, in: &keys), index($0.1, in: &values)] }
            let id = feature.id.map { Self.varint(1 << 3) + Self.varint($0) } ?? []
            let kind = Self.varint(3 << 3) + Self.varint(UInt64(feature.kind.rawValue))
            let message = id + Self.packed(2, tags) + kind + Self.packed(4, feature.geometry)
            body += Self.message(2, message)
        }
        for key in keys { body += Self.message(3, Array(key.utf8)) }
        for value in values { body += Self.message(4, Self.encoded(value)) }
        body += Self.varint(5 << 3) + Self.varint(UInt64(extent))
        return body + Self.varint(15 << 3) + Self.varint(UInt64(version))
    }

    private static func encoded(_ value: VectorValue) -> [UInt8] {
        switch value {
        case .string(let text): message(1, Array(text.utf8))
        case .number(let number):
            varint(3 << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        case .integer(let number): varint(4 << 3) + varint(UInt64(bitPattern: Int64(number)))
        case .unsigned(let number): varint(5 << 3) + varint(number)
        case .bool(let flag): varint(7 << 3) + [flag ? 1 : 0]
        case .nested(let json): message(15, Array(json.text.utf8))
        }
    }

    /// Returns a length-delimited field.
    public static func message(_ number: UInt64, _ body: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(body.count)) + body
    }

    /// Returns a packed field of numbers; empty for no numbers.
    public static func packed(_ number: UInt64, _ values: [UInt32]) -> [UInt8] {
        values.isEmpty ? [] : message(number, values.flatMap { varint(UInt64($0)) })
    }

    public static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
