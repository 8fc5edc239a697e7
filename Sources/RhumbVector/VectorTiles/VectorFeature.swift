/// A feature of a vector tile. Only its kind is decoded; attributes and shape are read from its layer on
/// demand.
public struct VectorFeature: Sendable, Hashable {
    /// The geometry type.
    public enum Kind: UInt8, Sendable {
        case unknown, point, line, polygon
    }

    // The order of these properties minimises padding, because tiles have many features.
    /// The feature's id in the tile, not necessarily unique; nil if there is none.
    public let id: UInt64?
    /// The geometry type.
    public let kind: Kind
    private let start: Int32
    private let end: Int32
    let tags: PackedNumbers
    let geometry: PackedNumbers

    enum Field {
        static let id: UInt64 = 1, tags: UInt64 = 2, kind: UInt64 = 3, geometry: UInt64 = 4
    }

    /// The byte range of the feature's message in the tile.
    var message: Range<Int> { Int(start)..<Int(end) }

    /// - Throws: `VectorTileFailure` if the message is damaged.
    init(_ part: Range<Int>, of bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, part)
        guard let end = Int32(exactly: part.upperBound) else { throw reader.failure("the tile is too large") }
        var id: UInt64?, kind = Kind.unknown
        var tags = PackedNumbers.none, geometry = PackedNumbers.none
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (Field.id, .varint(let value)): id = value
            case (Field.kind, .varint(let value)): kind = UInt8(exactly: value).flatMap(Kind.init) ?? .unknown
            case (Field.tags, let content): tags.add(content)
            case (Field.geometry, let content): geometry.add(content)
            default: break
            }
        }
        self.kind = kind
        self.id = id
        self.tags = tags
        self.geometry = geometry
        start = Int32(part.lowerBound)
        self.end = end
    }

    /// Creates a feature of a MapLibre Tile.
    /// - Parameters:
    ///   - tags: The range of its tags in the layer.
    ///   - parts: The range of its parts in the geometry of the layer.
    init(_ kind: Kind, id: UInt64?, tags: Range<Int>, parts: Range<Int>) {
        self.kind = kind
        self.id = id
        self.tags = .packed(Int32(tags.lowerBound)..<Int32(tags.upperBound))
        geometry = .packed(Int32(parts.lowerBound)..<Int32(parts.upperBound))
        start = 0
        end = 0
    }
}

/// The position of a repeated field's numbers in a tile.
enum PackedNumbers: Sendable, Hashable {
    case none
    case packed(Range<Int32>)
    /// Not packed, or in several parts, which are collected from the message.
    case scattered

    /// The range of packed numbers; empty for others.
    var range: Range<Int> {
        guard case .packed(let range) = self else { return 0..<0 }
        return Int(range.lowerBound)..<Int(range.upperBound)
    }

    /// Adds an occurrence of the field.
    /// - Parameter content: Must be within the first 2 GiB.
    fileprivate mutating func add(_ content: WireReader.Content) {
        if case .none = self, case .bytes(let part) = content {
            self = .packed(Int32(part.lowerBound)..<Int32(part.upperBound))
        } else {
            self = .scattered
        }
    }
}

extension VectorLayer {
    /// Appends the numbers of a feature's field.
    /// - Returns: False if they are damaged or too many, or the layer has no messages.
    func appendNumbers(
        _ field: UInt64, _ location: PackedNumbers, of feature: VectorFeature, to numbers: inout [UInt32]
    ) -> Bool {
        guard case .messages(let bytes) = content else { return false }
        return switch location {
        case .none: true
        case .packed(let part) where part.count <= WireReader.numberLimit:
            WireReader.unpack(Int(part.lowerBound)..<Int(part.upperBound), of: bytes, to: &numbers)
        case .packed, .scattered:
            (try? WireReader.appendNumbers(field, of: feature.message, in: bytes, to: &numbers)) != nil
        }
    }
}
