public import RhumbBase

/// A value of a feature's attribute.
public enum VectorValue: Sendable, Hashable {
    case string(String)
    case number(Double)
    /// A whole number that is no double.
    case integer(Int)
    /// A whole number above `Int.max` that is no double.
    case unsigned(UInt64)
    case bool(Bool)
    /// A list, an object or null in the properties of GeoJSON. Tiles of servers have none.
    case nested(JSON)

    /// Creates a whole number, which is a `number` if it is a double.
    public init(_ value: Int64) { self = Double(exactly: value).map(Self.number) ?? .integer(Int(value)) }

    /// Creates a whole number, which is a `number` if it is a double.
    public init(_ value: UInt64) {
        self =
            Double(exactly: value).map(Self.number) ?? Int(exactly: value).map(Self.integer)
            ?? .unsigned(value)
    }

    /// The value as a number, rounded to a double; nil for texts and truth values.
    public var double: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .string, .bool, .nested: nil
        }
    }

    /// The value as JSON. Whole numbers have no decimals.
    public var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .bool(let flag): .bool(flag)
        case .nested(let json): json
        case .integer(let number): .integer(number)
        case .unsigned(let number): .unsigned(number)
        case .number(let number):
            Int(exactly: number).map(JSON.integer) ?? UInt64(exactly: number).map(JSON.unsigned)
                ?? .number(number)
        }
    }

    /// The value in readable form. It is not sanitised.
    package var text: String {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "yes" : "no"
        case .nested(let json): json == .null ? "" : json.text
        case .integer(let number): "\(number)"
        case .unsigned(let number): "\(number)"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        }
    }
}

extension VectorValue {
    /// Parses a Value message; nil if it is empty. If it has several values, the last one is used.
    init?(_ part: Range<Int>, of bytes: [UInt8]) throws(VectorTileFailure) {
        var reader = WireReader(bytes, part)
        var found: VectorValue?
        while let field = try reader.field() {
            found = VectorValue(field.number, field.content, bytes) ?? found
        }
        guard let found else { return nil }
        self = found
    }

    private init?(_ number: UInt64, _ content: WireReader.Content, _ bytes: [UInt8]) {
        switch (number, content) {
        case (VectorTileWriter.nestedField, .bytes(let part)):
            guard let json = try? JSON.parse(Array(bytes[part])) else { return nil }
            self = .nested(json)
        case (1, .bytes(let part)): self = .string(String(decoding: bytes[part], as: UTF8.self))
        case (2, .fixed32(let at)):
            self = .number(Double(Float(bitPattern: UInt32(littleEndian: bytes[at..<at + 4]))))
        case (3, .fixed64(let at)):
            self = .number(Double(bitPattern: UInt64(littleEndian: bytes[at..<at + 8])))
        case (4, .varint(let value)): self.init(Int64(bitPattern: value))
        case (5, .varint(let value)): self.init(value)
        case (6, .varint(let value)): self.init(Int64(bitPattern: value >> 1) ^ -Int64(value & 1))
        case (7, .varint(let value)): self = .bool(value != 0)
        default: return nil
        }
    }
}
