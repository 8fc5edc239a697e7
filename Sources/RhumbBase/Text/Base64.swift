/// Base64 (RFC 4648), with padding.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encoded(_ bytes: [UInt8]) -> String {
        String(decoding: self.bytes(bytes), as: UTF8.self)
    }

    /// Returns the ASCII characters of the encoded bytes.
    package static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        let count = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: count) { text, written in
            var at = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let left = bytes.count - start
                let value =
                    Int(bytes[start]) << 16 | (left > 1 ? Int(bytes[start + 1]) << 8 : 0)
                    | (left > 2 ? Int(bytes[start + 2]) : 0)
                text[at] = digits[value >> 18]
                text[at + 1] = digits[value >> 12 & 63]
                text[at + 2] = left > 1 ? digits[value >> 6 & 63] : UInt8(ascii: "=")
                text[at + 3] = left > 2 ? digits[value & 63] : UInt8(ascii: "=")
                at += 4
            }
            written = count
        }
    }

    /// Decodes a text with padding. Returns nil if it is not the only encoding of the bytes.
    package static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = [], bits = 0, count = 0
        for digit in text.utf8 where digit != UInt8(ascii: "=") {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            (bits, count) = (bits << 6 & 0xFFFFFF | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return encoded(bytes) == text ? bytes : nil
    }
}
