/// Numbers as bytes.
extension FixedWidthInteger {
    /// Reads a number whose most significant byte comes first. Bits beyond its size are lost.
    @inlinable
    package init(bigEndian bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }

    /// Reads a number whose least significant byte comes first. Bits beyond its size are lost.
    @inlinable
    package init(littleEndian bytes: some BidirectionalCollection<UInt8>) {
        self.init(bigEndian: bytes.reversed())
    }

    /// The bytes of the number, the least significant first.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}

extension [UInt8] {
    /// Appends an unsigned LEB128 number.
    @inlinable
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
