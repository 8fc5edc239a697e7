/// The percent-encoding of RFC 3986.
package enum PercentCoding {
    /// Returns the text with some bytes encoded: usually all but letters, digits and "-._~".
    package static func encoded(
        _ text: String, where isEncoded: (UInt8) -> Bool = { !PercentCoding.isUnreserved($0) }
    ) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            result += isEncoded(byte) ? [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns a path with everything but letters, digits and "-._~/" encoded.
    package static func encoded(path: String) -> String {
        encoded(path) { $0 != UInt8(ascii: "/") && !isUnreserved($0) }
    }

    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
        default: false
        }
    }

    /// Returns the text with each "%" and two hexadecimal digits decoded. Anything else is unchanged.
    package static func decoded(_ text: String) -> String {
        var result: [UInt8] = [], rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == 0x25, digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
