/// Converts UTF-16 to UTF-8 piece by piece.
struct UTF16Text: Sendable {
    private let isBigEndian: Bool
    /// An incomplete character.
    private var rest: [UInt8] = []
    /// True if invalid characters were replaced.
    private(set) var isRepaired = false

    /// Detects UTF-16 by its byte order mark, or by two characters of ASCII; nil for other text.
    init?(_ head: Bytes) {
        guard head.count >= 4, !Self.isUTF32(head) else { return nil }
        switch (head[0], head[1], head[2], head[3]) {
        case (0xFF, 0xFE, _, _): isBigEndian = false
        case (0xFE, 0xFF, _, _): isBigEndian = true
        case (9...126, 0, 9...126, 0): isBigEndian = false
        case (0, 9...126, 0, 9...126): isBigEndian = true
        default: return nil
        }
    }

    /// Returns true for a byte order mark or a character of ASCII in UTF-32.
    static func isUTF32(_ head: Bytes) -> Bool {
        guard head.count >= 4 else { return false }
        switch (head[0], head[1], head[2], head[3]) {
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (9...126, 0, 0, 0), (0, 0, 0, 9...126): return true
        default: return false
        }
    }

    /// Converts the beginning of a text; nil if it isn't UTF-16. The result has the mark of UTF-8, which
    /// outweighs the declaration of XML.
    static func begin(_ head: Bytes) -> (text: UTF16Text, utf8: [UInt8])? {
        guard var text = Self(head) else { return nil }
        let utf8 = text.utf8(head), mark = Array("\u{FEFF}".utf8)
        return (text, utf8.starts(with: mark) ? utf8 : mark + utf8)
    }

    /// Returns the next bytes in UTF-8.
    mutating func utf8(_ bytes: Bytes) -> [UInt8] {
        rest.append(contentsOf: bytes)
        var units: [UInt16] = []
        units.reserveCapacity(rest.count / 2)
        for at in stride(from: 0, to: rest.count - 1, by: 2) {
            let pair = (UInt16(rest[at]), UInt16(rest[at + 1]))
            units.append(isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
        }
        // Half of a surrogate pair waits for the other half.
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        rest.removeFirst(units.count * 2)
        isRepaired = isRepaired || String(validating: units, as: UTF16.self) == nil
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}

/// Text in windows-1252, the encoding of old programs in Western Europe, which includes ISO-8859-1.
enum Windows1252 {
    /// The characters of the bytes 0x80 to 0x9F; 0 where there is none.
    private static let special: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
        0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0, 0x017E, 0x0178,
    ]

    /// Returns a text in UTF-8; nil if it already is.
    static func utf8(_ text: Bytes) -> [UInt8]? {
        guard !text.allSatisfy({ $0 < 0x80 }), String(validating: text, as: UTF8.self) == nil else {
            return nil
        }
        let units = text.map { byte -> UInt16 in
            guard (0x80...0x9F).contains(byte) else { return UInt16(byte) }
            let character = special[Int(byte - 0x80)]
            return character == 0 ? 0xFFFD : character
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// True if a text is probably in another encoding. Words in Western languages have few accents.
    static func isDoubtful(_ text: Bytes) -> Bool {
        var run = 0
        for byte in text {
            run = byte < 0x80 ? 0 : run + 1
            if run > 2 || (0x80...0x9F).contains(byte) && special[Int(byte - 0x80)] == 0 { return true }
        }
        return false
    }
}
