internal import RhumbCore

/// The text of a configuration file: JSON with comments and with commas before closing brackets.
struct ConfigurationText {
    /// The text as plain JSON of the same length, so that offsets in it match the file.
    let plain: [UInt8]

    init(_ bytes: [UInt8]) {
        var plain = bytes
        var comma: Int?
        ConfigurationText.walk(bytes) { at, part in
            switch part {
            case .comment: plain[at] = UInt8(ascii: " ")
            case .string: comma = nil
            case .sign(let sign):
                if sign == UInt8(ascii: "}") || sign == UInt8(ascii: "]"), let comma {
                    plain[comma] = UInt8(ascii: " ")
                }
                if !ConfigurationText.spaces.contains(sign) { comma = sign == UInt8(ascii: ",") ? at : nil }
            }
        }
        self.plain = plain
    }

    /// Returns the position of a setting in the outermost object; nil if it is not set.
    func place(of name: String) -> TextLocation? {
        let wanted = Array("\"\(name)\"".utf8)
        var depth = 0, found: Int?
        ConfigurationText.walk(plain) { at, part in
            switch part {
            case .sign(UInt8(ascii: "{")), .sign(UInt8(ascii: "[")): depth += 1
            case .sign(UInt8(ascii: "}")), .sign(UInt8(ascii: "]")): depth -= 1
            case .string where depth == 1 && found == nil && plain[at...].starts(with: wanted):
                let next = plain[(at + wanted.count)...].first { !ConfigurationText.spaces.contains($0) }
                if next == UInt8(ascii: ":") { found = at }
            default: break
            }
        }
        return found.map { TextLocation(offset: $0, in: plain) }
    }

    private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private enum Part { case comment, string, sign(UInt8) }

    /// Visits each byte of a text, with the part it belongs to. Slashes within strings don't start comments.
    private static func walk(_ bytes: [UInt8], _ visit: (Int, Part) -> Void) {
        var isInString = false, isEscaped = false, isInComment = false
        for (at, byte) in bytes.enumerated() {
            if byte == 0x0A { isInComment = false }
            if !isInString, !isInComment, byte == UInt8(ascii: "/"), bytes[at...].dropFirst().first == byte {
                isInComment = true
            }
            if isInComment {
                visit(at, .comment)
            } else if isInString || byte == UInt8(ascii: "\"") {
                visit(at, .string)
                let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
                isEscaped = isInString && !isEscaped && byte == UInt8(ascii: "\\")
                if isQuote { isInString.toggle() }
            } else {
                visit(at, .sign(byte))
            }
        }
    }
}
