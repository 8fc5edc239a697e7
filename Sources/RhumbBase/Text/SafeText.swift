/// Makes untrusted text harmless to a terminal.
public enum SafeText {
    /// Returns the text without control characters, introducers of escape sequences, bidirectional overrides
    /// and other invisible format characters. Line breaks and tabs become spaces, and runs of spaces become
    /// one.
    /// - Parameter limit: The maximum number of scalars; the rest becomes "…".
    public static func sanitised(_ text: String, limit: Int = 500) -> String {
        if isPlain(text, limit) { return text }
        var kept = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let isSpace = isSpace(scalar)
            guard isSpace || isHarmless(scalar) else { continue }
            if isSpace && (kept.last == " " || kept.isEmpty) { continue }
            guard count < limit else {
                kept.append("…")
                break
            }
            kept.append(isSpace ? " " : scalar)
            count += 1
        }
        if kept.last == " " { kept.removeLast() }
        return String(kept)
    }

    /// Returns the text without harmful characters. Spaces and line breaks remain unchanged.
    public static func harmless(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.filter { $0 == "\n" || isHarmless($0) })
        return String(kept)
    }

    /// Returns the text with harmful characters as JSON escapes, such as "\u202e". Line breaks and tabs
    /// remain unchanged. A JSON text keeps its value.
    public static func escaped(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\t" || isHarmless(scalar) {
                kept.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    kept.append(contentsOf: ("\\u" + unit.digits(4, radix: 16)).unicodeScalars)
                }
            }
        }
        return String(kept)
    }

    /// Returns true if the text needs no changes: printable ASCII, with single spaces between words.
    private static func isPlain(_ text: String, _ limit: Int) -> Bool {
        let space = UInt8(ascii: " ")
        var last = space, count = 0
        for byte in text.utf8 {
            guard byte >= space, byte < 0x7F, byte != space || last != space else { return false }
            last = byte
            count += 1
        }
        return count <= limit && (count == 0 || last != space)
    }

    // Unicode's tables are slow, so they are used only for characters beyond Latin.
    private static let latin: UInt32 = 0x300

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0: true
        case ..<latin: false
        default: scalar.properties.isWhitespace
        }
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < latin {
            return scalar.value >= 0x20 && !(0x7F...0x9F ~= scalar.value) && scalar.value != 0xAD
        }
        return switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
        case .format: scalar == "\u{200D}"
        default: true
        }
    }

    /// Returns the text of HTML as in attributions: tags removed, the common entities resolved, then
    /// sanitised.
    public static func plain(html: String, limit: Int = 500) -> String {
        var text = ""
        var inTag = false
        for character in html {
            if character == "<" {
                inTag = true
            } else if character == ">" && inTag {
                inTag = false
            } else if !inTag {
                text.append(character)
            }
        }
        return sanitised(resolvingEntities(text), limit: limit)
    }

    private static let entities: [(String, String)] = [
        ("copy", "©"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", " "),
        ("ndash", "–"), ("mdash", "—"), ("reg", "®"), ("amp", "&"),
    ]

    private static func resolvingEntities(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let amp = rest.firstIndex(of: "&") {
            result += rest[..<amp]
            rest = rest[rest.index(after: amp)...]
            guard let end = rest.prefix(10).firstIndex(of: ";"),
                let resolved = entity(String(rest[..<end]))
            else {
                result += "&"
                continue
            }
            result += resolved
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: String) -> String? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let isHex = digits.first == "x" || digits.first == "X"
            let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
        return entities.first { $0.0 == name }?.1
    }
}
