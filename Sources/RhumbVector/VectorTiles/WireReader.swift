/// Reads Protocol Buffers fields from a range of bytes. The data is untrusted: every length is checked before
/// it is used.
package struct WireReader {
    let bytes: [UInt8]
    private(set) var position: Int
    let end: Int

    /// The content of a field, according to its wire type.
    package enum Content {
        case varint(UInt64)
        /// The offset of four or eight bytes.
        case fixed32(Int)
        case fixed64(Int)
        case bytes(Range<Int>)
    }

    /// - Parameter part: A range within the bytes.
    package init(_ bytes: [UInt8], _ part: Range<Int>) {
        self.bytes = bytes
        position = part.lowerBound
        end = part.upperBound
    }

    /// Returns the next field's number and content; nil at the end.
    /// - Throws: `VectorTileFailure` if the data is truncated or the key is invalid.
    package mutating func field() throws(VectorTileFailure) -> (number: UInt64, content: Content)? {
        guard position < end else { return nil }
        let key = try varint()
        let number = key >> 3
        guard number > 0 else { throw failure("a field has the number 0") }
        switch key & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(try pass(8).lowerBound))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else {
                throw failure("a length of \(length) goes beyond the end")
            }
            return (number, .bytes(try pass(Int(length))))
        case 5: return (number, .fixed32(try pass(4).lowerBound))
        default: throw failure("the wire type \(key & 7) is unknown")
        }
    }

    @inline(__always)
    mutating func varint() throws(VectorTileFailure) -> UInt64 {
        if position < end, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        return try longVarint()
    }

    private mutating func longVarint() throws(VectorTileFailure) -> UInt64 {
        var value: UInt64 = 0, shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw failure(shift < 64 ? "a number is truncated" : "a number has more than ten bytes")
    }

    /// Skips bytes, and returns their range.
    /// - Throws: `VectorTileFailure` if there are fewer.
    mutating func pass(_ count: Int) throws(VectorTileFailure) -> Range<Int> {
        guard count <= end - position else { throw failure("a field is truncated") }
        defer { position += count }
        return position..<position + count
    }

    func failure(_ problem: String) -> VectorTileFailure {
        VectorTileFailure(problem: problem, offset: position)
    }

    /// Maximum number of integers in one feature, two for each point.
    static let numberLimit = 1 << 20

    /// Appends the 32-bit numbers of a repeated field, packed or not.
    /// - Throws: `VectorTileFailure` if a number is truncated or exceeds 32 bits, or if there are too many.
    static func appendNumbers(
        _ number: UInt64, of message: Range<Int>, in bytes: [UInt8], to numbers: inout [UInt32]
    ) throws(VectorTileFailure) {
        var reader = WireReader(bytes, message)
        while let field = try reader.field() {
            guard field.number == number else { continue }
            switch field.content {
            case .bytes(let part):
                // A number has at most five bytes.
                guard part.count <= 5 * (numberLimit - numbers.count) else {
                    throw reader.failure("a feature is too long")
                }
                guard unpack(part, of: bytes, to: &numbers) else {
                    throw reader.failure("a packed number is truncated or too large")
                }
            case .varint(let value):
                guard let small = UInt32(exactly: value) else {
                    throw reader.failure("a number is too large")
                }
                numbers.append(small)
                guard numbers.count <= numberLimit else { throw reader.failure("a feature is too long") }
            case .fixed32, .fixed64: throw reader.failure("a number has the wrong wire type")
            }
        }
    }

    /// Appends packed numbers.
    /// - Returns: False if one is truncated or exceeds 32 bits.
    static func unpack(_ part: Range<Int>, of bytes: [UInt8], to numbers: inout [UInt32]) -> Bool {
        let old = numbers.count
        // Reserves the maximum, because a number has at least one byte.
        numbers.append(contentsOf: repeatElement(0, count: part.count))
        let end = numbers.withUnsafeMutableBufferPointer { numbers -> Int? in
            bytes.withUnsafeBufferPointer {
                unpack(UnsafeBufferPointer(rebasing: $0[part]), to: numbers, from: old)
            }
        }
        numbers.removeLast(numbers.count - (end ?? old))
        return end != nil
    }

    /// - Returns: The index after the last number; nil if one is damaged.
    private static func unpack(
        _ bytes: UnsafeBufferPointer<UInt8>, to numbers: UnsafeMutableBufferPointer<UInt32>, from start: Int
    ) -> Int? {
        var at = 0, next = start
        while at < bytes.count {
            var byte = bytes[at], value = UInt32(byte & 0x7F), shift: UInt32 = 7
            while byte >= 0x80 {
                at += 1
                guard at < bytes.count, shift < 32 else { return nil }
                byte = bytes[at]
                guard shift < 28 || byte < 16 else { return nil }
                value |= UInt32(byte & 0x7F) << shift
                shift += 7
            }
            at += 1
            numbers[next] = value
            next += 1
        }
        return next
    }
}
