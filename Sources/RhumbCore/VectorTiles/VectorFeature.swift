/// One thing on the map: its kind is known, its attributes and shape are read from its layer
/// when they are wanted.
public struct VectorFeature: Sendable, Hashable {
    /// What a geometry consists of.
    public enum Kind: UInt8, Sendable {
        case unknown, point, line, polygon
    }

    /// What its geometry consists of.
    public let kind: Kind
    /// As the tile's maker gave it; unique in the layer at best.
    public let id: UInt64?
    private let start: Int32
    private let end: Int32

    enum Field {
        static let id: UInt64 = 1, tags: UInt64 = 2, kind: UInt64 = 3, geometry: UInt64 = 4
    }

    /// Where its message lies in the tile.
    var message: Range<Int> { Int(start)..<Int(end) }

    /// - Throws: `VectorTileFailure` if the message is damaged.
    init(_ part: Range<Int>, of bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, part)
        var id: UInt64?
        var kind = Kind.unknown
        while let field = try reader.field() {
            guard case .varint(let value) = field.content else { continue }
            if field.number == Field.id { id = value }
            if field.number == Field.kind { kind = UInt8(exactly: value).flatMap(Kind.init) ?? .unknown }
        }
        guard let end = Int32(exactly: part.upperBound) else { throw reader.failure("the tile is too large") }
        self.kind = kind
        self.id = id
        start = Int32(part.lowerBound)
        self.end = end
    }
}
