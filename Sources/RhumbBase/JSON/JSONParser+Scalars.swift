extension JSONParser {
    mutating func number() throws(JSONFailure) -> JSON {
        let start = position
        _ = pass("-")
        if !pass("0") { try digits() }
        var isWhole = true
        if pass(".") {
            isWhole = false
            try digits()
        }
        if pass("e") || pass("E") {
            isWhole = false
            _ = pass("+") || pass("-")
            try digits()
        }
        return try number(String(decoding: bytes[start..<position], as: UTF8.self), isWhole)
    }

    private func number(_ text: String, _ isWhole: Bool) throws(JSONFailure) -> JSON {
        if isWhole, let value = Int(text) { return .integer(value) }
        if isWhole, let value = UInt64(text) { return .unsigned(value) }
        guard let value = Double(text), value.isFinite else {
            throw JSONFailure(problem: "a number is out of range", offset: position)
        }
        return Int(exactly: value).map(JSON.integer) ?? .number(value)
    }

    private mutating func digits() throws(JSONFailure) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw failure("a value was expected") }
    }

    /// Reads a quoted string. The opening quote comes next.
    mutating func string() throws(JSONFailure) -> String {
        let start = position
        position += 1
        var unescaped: [UInt8] = [], plain = position
        while let byte = next {
            guard byte >= 0x20 else { throw failure("control character in a string") }
            position += 1
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            let rest = bytes[plain..<(position - 1)]
            if byte == UInt8(ascii: "\"") {
                return try text(unescaped.isEmpty ? rest : unescaped[...] + rest, start)
            }
            unescaped += rest
            unescaped += String(try escaped()).utf8
            plain = position
        }
        throw failure("unterminated string")
    }

    private func text(_ bytes: ArraySlice<UInt8>, _ start: Int) throws(JSONFailure) -> String {
        // Most texts are ASCII, which is always valid.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONFailure(problem: "a string is not UTF-8", offset: start)
        }
        return text
    }

    private mutating func escaped() throws(JSONFailure) -> Unicode.Scalar {
        guard let byte = next else { throw failure("unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw failure("unknown escape in a string")
        }
    }

    private mutating func unicodeEscape() throws(JSONFailure) -> Unicode.Scalar {
        let unit = try fourHexDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, pass("\\"), pass("u") else { throw failure("incomplete surrogate pair") }
        let low = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else { throw failure("incomplete surrogate pair") }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONFailure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("\\u needs four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
