/// Returns the bytes as a zlib stream (RFC 1950) of stored blocks, which is valid but uncompressed.
public func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var at = 0
    repeat {
        let block = bytes[at..<min(at + 65535, bytes.count)]
        at += block.count
        let count = UInt16(block.count)
        stream.append(at == bytes.count ? 1 : 0)
        stream += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
        stream += block
    } while at < bytes.count
    return stream + bigEndian(adler32(bytes))
}

/// Returns the number's four bytes in big-endian order.
public func bigEndian(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(value >> UInt32($0) & 255) }
}
