/// Inserts a text into a PNG file (ISO/IEC 15948, 11.3.3.2), so that tests can recognise the file wherever
/// its bytes are stored.
enum PNGText {
    /// Returns the file with a tEXt chunk, keyword "Comment", inserted before its end.
    static func inserting(_ text: String, into file: [UInt8]) -> [UInt8] {
        guard file.count > 12 else { return file }
        let content = Array("tEXtComment\0".utf8) + Array(text.utf8)
        let chunk =
            bigEndian(UInt32(truncatingIfNeeded: content.count - 4)) + content + bigEndian(checksum(content))
        return file.dropLast(12) + chunk + file.suffix(12)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Returns the CRC-32 that PNG requires.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}
