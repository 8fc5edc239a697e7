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
            case .comment: if plain[at] != 0x0A { plain[at] = UInt8(ascii: " ") }
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
    /// - Parameter element: The index of an element whose position is returned if the setting is an array.
    func location(of name: String, element: Int? = nil) -> TextLocation? {
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
        let inner = element.flatMap { index in found.flatMap { self.offset(ofElement: index, after: $0) } }
        return (inner ?? found).map { TextLocation(offset: $0, in: plain) }
    }

    /// Returns the offset of an element of the first array after a setting; nil if it doesn't exist.
    private func offset(ofElement index: Int, after start: Int) -> Int? {
        var depth = 0, count = 0, isBetween = false, found: Int?
        ConfigurationText.walk(plain) { at, part in
            guard at >= start, found == nil, !ConfigurationText.spaces.contains(plain[at]) else { return }
            if depth == 1, isBetween, part != .sign(UInt8(ascii: "]")) {
                isBetween = false
                count += 1
                if count == index + 1 { found = at }
            }
            switch part {
            case .sign(UInt8(ascii: "[")):
                depth += 1
                if depth == 1 { isBetween = true }
            case .sign(UInt8(ascii: "{")): depth += depth > 0 ? 1 : 0
            case .sign(UInt8(ascii: "]")), .sign(UInt8(ascii: "}")): depth -= depth > 0 ? 1 : 0
            case .sign(UInt8(ascii: ",")) where depth == 1: isBetween = true
            default: break
            }
        }
        return found
    }

    /// The first name that an object has twice, with its second position; nil if there is none.
    var duplicate: (name: String, location: TextLocation)? {
        var objects: [Set<String>] = [], text = 0..<0, found: (name: String, at: Int)?
        ConfigurationText.walk(plain) { at, part in
            switch part {
            case .sign(UInt8(ascii: "{")), .sign(UInt8(ascii: "[")): objects.append([])
            case .sign(UInt8(ascii: "}")), .sign(UInt8(ascii: "]")): _ = objects.popLast()
            case .string: text = (text.upperBound == at ? text.lowerBound : at)..<at + 1
            case .sign(UInt8(ascii: ":")) where found == nil && !objects.isEmpty:
                let name = String(decoding: plain[text].dropFirst().dropLast(), as: UTF8.self)
                if !objects[objects.count - 1].insert(name).inserted { found = (name, text.lowerBound) }
            default: break
            }
        }
        return found.map { ($0.name, TextLocation(offset: $0.at, in: plain)) }
    }

    private static let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private enum Part: Equatable { case comment, string, sign(UInt8) }

    /// Visits each byte of a text, with the part it belongs to. Slashes within strings don't start comments.
    private static func walk(_ bytes: [UInt8], _ visit: (Int, Part) -> Void) {
        var isInString = false, isEscaped = false, commentEnd = 0
        for (at, byte) in bytes.enumerated() {
            if !isInString, at >= commentEnd { commentEnd = end(ofCommentAt: at, bytes) }
            if at < commentEnd {
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

    /// Returns the end of a comment that begins here; the position itself if none does.
    private static func end(ofCommentAt at: Int, _ bytes: [UInt8]) -> Int {
        guard bytes[at] == UInt8(ascii: "/"), at + 1 < bytes.count else { return at }
        switch bytes[at + 1] {
        case UInt8(ascii: "/"): return bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
        case UInt8(ascii: "*"):
            let end = bytes.indices.dropFirst(at + 3).first {
                bytes[$0] == UInt8(ascii: "/") && bytes[$0 - 1] == UInt8(ascii: "*")
            }
            return end.map { $0 + 1 } ?? bytes.count
        default: return at
        }
    }
}
