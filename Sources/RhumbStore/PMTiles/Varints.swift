/// A reader of consecutive unsigned LEB128 numbers.
package struct Varints {
    private let bytes: [UInt8]
    /// The position of the first unread byte.
    private(set) var position = 0

    /// The reason why bytes can't be read.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String

        package static let damaged = Failure(description: "its data is damaged")
    }

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads the next number. `name` describes it in errors.
    package mutating func next(_ name: StaticString) throws(Failure) -> UInt64 {
        // Most numbers of lists have one byte.
        if position < bytes.count, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        return try long(name)
    }

    private mutating func long(_ name: StaticString) throws(Failure) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard shift < 63 || byte <= 1 else { break }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        let problem = position == bytes.count && shift < 64 ? "is truncated" : "is longer than 64 bits"
        throw Failure(description: "\(name) at byte \(position) \(problem)")
    }

    /// Reads several numbers.
    package mutating func next(
        _ count: Int, _ name: StaticString
    ) throws(Failure) -> [UInt64] {
        var numbers: [UInt64] = []
        numbers.reserveCapacity(min(count, bytes.count - position))
        for _ in 0..<count { numbers.append(try next(name)) }
        return numbers
    }

    /// Skips several numbers.
    package mutating func skip(_ count: Int, _ name: StaticString) throws(Failure) {
        for _ in 0..<count { _ = try next(name) }
    }

    /// Reads a number of raw bytes; nil if there are fewer.
    package mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func next32(
        _ name: StaticString, _ index: Int
    ) throws(Failure) -> UInt32 {
        let value = try next(name)
        guard let small = UInt32(exactly: value) else {
            throw Failure(description: "the \(name) of entry \(index) is \(value)")
        }
        return small
    }
}
