extension JSON {
    /// The value as one line of JSON, with members in order. Control characters (C0, DEL and C1), line
    /// separators, and invisible or bidirectional characters are escaped, so that the text is safe for a
    /// terminal and shows its contents.
    public var text: String {
        var writer = JSONWriter(isIndented: false)
        writer.write(self, depth: 0)
        return writer.text
    }

    /// The value as JSON for people, indented by two spaces per level, without a final line break.
    public var indentedText: String {
        var writer = JSONWriter(isIndented: true)
        writer.write(self, depth: 0)
        return writer.text
    }
}

private struct JSONWriter {
    let isIndented: Bool
    var text = ""

    mutating func write(_ value: JSON, depth: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .number(let value): text += number(value)
        case .string(let value): write(string: value)
        case .array(let values):
            list("[", "]", values, depth) { $0.write($1, depth: depth + 1) }
        case .object(let members):
            list("{", "}", members.names, depth) { writer, name in
                writer.write(string: name)
                writer.text += writer.isIndented ? ": " : ":"
                writer.write(members[name] ?? .null, depth: depth + 1)
            }
        }
    }

    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        return Int(exactly: value).map(String.init) ?? withoutExponent("\(value)")
    }

    /// Writes small numbers as "0.00001", not "1e-05". Numbers below 1e-20 keep the exponent.
    private func withoutExponent(_ text: String) -> String {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
            let power = Int(text[mark...].dropFirst()),
            (-20..<0).contains(power)
        else { return text }
        let sign = text.hasPrefix("-") ? "-" : ""
        return sign + "0." + String(repeating: "0", count: -power - 1) + text[..<mark].filter(\.isNumber)
    }

    private mutating func list<Item>(
        _ open: String, _ close: String, _ items: [Item], _ depth: Int,
        _ write: (inout JSONWriter, Item) -> Void
    ) {
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            newLine(depth + 1)
            write(&self, item)
        }
        if !items.isEmpty { newLine(depth) }
        text += close
    }

    private mutating func newLine(_ depth: Int) {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(string: String) {
        text += "\""
        if string.utf8.allSatisfy(Self.isPlain) {
            text += string
        } else {
            for scalar in string.unicodeScalars { write(scalar) }
        }
        text += "\""
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case let scalar where JSONWriter.isHidden(scalar):
            for unit in UTF16.encode(scalar) ?? .init() {
                text += "\\u" + unit.digits(4, radix: 16)
            }
        default: text.unicodeScalars.append(scalar)
        }
    }

    /// True for ASCII characters that are never escaped, as in most names and values.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
