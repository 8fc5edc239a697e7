internal import RhumbBase

/// Writes one layer of a vector tile (Mapbox Vector Tile 2.1), feature by feature.
package struct VectorTileWriter {
    package typealias Point = VectorGeometry.Point

    private let name: String
    private let extent: Int
    private var features: [UInt8] = []
    private var keys: [String: UInt64] = [:]
    private var keyBytes: [UInt8] = []
    private var values: [VectorValue: UInt64] = [:]
    private var valueBytes: [UInt8] = []

    package init(layer name: String, extent: Int) { (self.name, self.extent) = (name, extent) }

    /// Adds a feature.
    /// - Parameter parts: Points, lines, or rings whose first corner isn't repeated.
    package mutating func add(
        _ kind: VectorFeature.Kind, _ parts: [[Point]], _ attributes: [(String, VectorValue)],
        id: UInt64? = nil
    ) {
        guard !parts.isEmpty else { return }
        var message: [UInt8] = []
        if let id { Self.append(1 << 3, id, to: &message) }
        var tags: [UInt8] = []
        for (key, value) in attributes {
            tags += Self.varint(number(of: key)) + Self.varint(number(of: value))
        }
        if !tags.isEmpty { Self.append(2, tags, to: &message) }
        Self.append(3 << 3, UInt64(kind.rawValue), to: &message)
        Self.append(4, Self.commands(kind, parts), to: &message)
        Self.append(2, message, to: &features)
    }

    /// The tile; empty if there are no features.
    package var bytes: [UInt8] {
        guard !features.isEmpty else { return [] }
        var layer: [UInt8] = [], tile: [UInt8] = []
        Self.append(1, Array(name.utf8), to: &layer)
        layer += features + keyBytes + valueBytes
        Self.append(5 << 3, UInt64(extent), to: &layer)
        Self.append(15 << 3, 2, to: &layer)
        Self.append(3, layer, to: &tile)
        return tile
    }

    private mutating func number(of key: String) -> UInt64 {
        if let index = keys[key] { return index }
        keys[key] = UInt64(keys.count)
        Self.append(3, Array(key.utf8), to: &keyBytes)
        return UInt64(keys.count - 1)
    }

    private mutating func number(of value: VectorValue) -> UInt64 {
        if let index = values[value] { return index }
        values[value] = UInt64(values.count)
        Self.append(4, Self.encoded(value), to: &valueBytes)
        return UInt64(values.count - 1)
    }

    /// The field of a nested value, one of those that the specification leaves to extensions.
    static let nestedField: UInt64 = 15

    private static func encoded(_ value: VectorValue) -> [UInt8] {
        var body: [UInt8] = []
        switch value {
        case .string(let text): append(1, Array(text.utf8), to: &body)
        case .number(let number):
            body =
                varint(3 << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        case .integer(let number): append(4 << 3, UInt64(bitPattern: Int64(number)), to: &body)
        case .unsigned(let number): append(5 << 3, number, to: &body)
        case .bool(let flag): append(7 << 3, flag ? 1 : 0, to: &body)
        case .nested(let json): append(nestedField, Array(json.text.utf8), to: &body)
        }
        return body
    }

    static func commands(_ kind: VectorFeature.Kind, _ parts: [[Point]]) -> [UInt8] {
        var bytes: [UInt8] = [], pen = Point(0, 0)
        func move(to point: Point) {
            for delta in [point.x &- pen.x, point.y &- pen.y] {
                bytes.append(varint: UInt64(UInt32(bitPattern: (delta << 1) ^ (delta >> 31))))
            }
            pen = point
        }
        if kind == .point {
            let points = parts.joined()
            bytes += varint(UInt64(points.count) << 3 | 1)
            for point in points { move(to: point) }
            return bytes
        }
        for part in parts where part.count > 1 {
            bytes += varint(1 << 3 | 1)
            move(to: part[0])
            bytes += varint(UInt64(part.count - 1) << 3 | 2)
            for point in part.dropFirst() { move(to: point) }
            if kind == .polygon { bytes += varint(1 << 3 | 7) }
        }
        return bytes
    }

    static func append(_ key: UInt64, _ value: UInt64, to bytes: inout [UInt8]) {
        bytes += varint(key) + varint(value)
    }

    static func append(_ number: UInt64, _ body: [UInt8], to bytes: inout [UInt8]) {
        bytes += varint(number << 3 | 2) + varint(UInt64(body.count)) + body
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: value)
        return bytes
    }
}
