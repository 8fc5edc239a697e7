/// A value of a feature's attribute.
public enum VectorValue: Sendable, Hashable {
    case string(String)
    case number(Double)
    case bool(Bool)
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
        case (1, .bytes(let part)): self = .string(String(decoding: bytes[part], as: UTF8.self))
        case (2, .fixed32(let at)): self = .number(Double(Float(bitPattern: UInt32(littleEndian: bytes, at))))
        case (3, .fixed64(let at)): self = .number(Double(bitPattern: UInt64(littleEndian: bytes, at)))
        case (4, .varint(let value)): self = .number(Double(Int64(bitPattern: value)))
        case (5, .varint(let value)): self = .number(Double(value))
        case (6, .varint(let value)):
            self = .number(Double(Int64(bitPattern: value >> 1) ^ -Int64(value & 1)))
        case (7, .varint(let value)): self = .bool(value != 0)
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    /// Reads a little-endian number.
    fileprivate init(littleEndian bytes: [UInt8], _ start: Int) {
        self = bytes[start..<start + Self.bitWidth / 8].reversed().reduce(0) { $0 << 8 | Self($1) }
    }
}
