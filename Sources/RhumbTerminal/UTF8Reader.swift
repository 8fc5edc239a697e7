internal import RhumbCore

/// Decodes one non-ASCII character of UTF-8. Malformed bytes and C1 controls are dropped.
enum UTF8Reader {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        guard let first = bytes.first, let length = length(first) else { return .read(1, []) }
        let tail = bytes.dropFirst().prefix(length - 1).prefix { 0x80...0xBF ~= $0 }
        let count = 1 + tail.count
        if count < length {
            return count == bytes.count ? .incomplete : .read(count, [])
        }
        guard let scalar = scalar(bytes.prefix(length)), !scalar.isControl else {
            return .read(length, [])
        }
        return .read(length, [.key(.character(Character(scalar)))])
    }

    private static func length(_ first: UInt8) -> Int? {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    /// Decodes a character; nil for overlong forms, surrogates and values beyond U+10FFFF.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }
}
