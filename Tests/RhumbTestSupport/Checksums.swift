/// Returns the CRC-32 of PNG, gzip and zip (ISO 3309, polynomial 0xEDB88320).
public func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in
            rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1
        }
    }
}

/// Returns the Adler-32 of zlib (RFC 1950).
public func adler32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low = (low + UInt32(byte)) % 65521
        high = (high + low) % 65521
    }
    return high << 16 | low
}
