/// Reads the XML that small formats need: elements with attributes, and text. It is strict about nesting.
/// Document types are rejected, or skipped without being read, so nothing is ever expanded or fetched.
package struct XMLReader {
    package enum Event: Equatable {
        /// Names have no prefix.
        case start(name: String, attributes: [String: String])
        case end(name: String)
        case text(String)
    }

    /// The problem, and its offset in bytes.
    package struct Failure: Error, Equatable {
        package let problem: String
        package let offset: Int
    }

    private let bytes: [UInt8]
    private let passesDocumentType: Bool
    private var position = 0
    /// The open elements by their full names.
    private var open: [ArraySlice<UInt8>] = []
    private var isAtEmptyElement = false
    private var hasRoot = false

    private static let deepest = 64

    /// - Parameter passesDocumentType: If true, skips a document type that declares nothing itself.
    package init(_ bytes: [UInt8], passesDocumentType: Bool = false) {
        self.bytes = bytes
        self.passesDocumentType = passesDocumentType
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns the next event; nil at the end of the document.
    package mutating func next() throws(Failure) -> Event? {
        if isAtEmptyElement {
            isAtEmptyElement = false
            return try closed()
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let text = try text(upTo: "<")
                if !open.isEmpty { return .text(text) }
                guard text.allSatisfy(\.isWhitespace) else { throw failure("text outside the root element") }
            } else if let event = try markup() {
                return event
            }
        }
        guard open.isEmpty, hasRoot else { throw failure("truncated") }
        return nil
    }

    private func failure(_ problem: String) -> Failure { Failure(problem: problem, offset: position) }

    private func follows(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    /// Skips a comment or instruction, or returns the event of an element.
    private mutating func markup() throws(Failure) -> Event? {
        if follows("<!--") { return try pass(to: "-->") }
        if follows("<?") { return try pass(to: "?>") }
        if follows("<![CDATA[") {
            let start = position + 9
            try pass(to: "]]>")
            guard !open.isEmpty else { throw failure("text outside the root element") }
            return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
        }
        if follows("<!") { return try passDocumentType() }
        if follows("</") { return try endTag() }
        return try startTag()
    }

    @discardableResult
    private mutating func pass(to end: StaticString) throws(Failure) -> Event? {
        while position < bytes.count && !follows(end) { position += 1 }
        guard position < bytes.count else { throw failure("\(end) is missing") }
        position += end.utf8CodeUnitCount
        return nil
    }

    private mutating func passDocumentType() throws(Failure) -> Event? {
        guard passesDocumentType, follows("<!DOCTYPE"),
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")),
            !bytes[position..<end].contains(UInt8(ascii: "["))
        else { throw failure("document types are not supported, for safety") }
        position = end + 1
        return nil
    }

    private mutating func startTag() throws(Failure) -> Event {
        guard !(open.isEmpty && hasRoot) else { throw failure("second root element") }
        guard open.count < XMLReader.deepest else { throw failure("nested deeper than \(XMLReader.deepest)") }
        position += 1
        let name = try name()
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if follows("/>") || follows(">") { break }
            let key = try self.name()
            attributes[XMLReader.local(key)] = try attributeValue()
        }
        isAtEmptyElement = follows("/>")
        position += isAtEmptyElement ? 2 : 1
        open.append(name)
        hasRoot = true
        return .start(name: XMLReader.local(name), attributes: attributes)
    }

    private mutating func endTag() throws(Failure) -> Event {
        position += 2
        let name = try name()
        guard name == open.last else { throw failure("an end tag does not match its element") }
        skipSpace()
        guard follows(">") else { throw failure("an end tag needs '>'") }
        position += 1
        return try closed()
    }

    private mutating func closed() throws(Failure) -> Event {
        guard let name = open.popLast() else { throw failure("unmatched end tag") }
        return .end(name: XMLReader.local(name))
    }

    private mutating func attributeValue() throws(Failure) -> String {
        skipSpace()
        guard follows("=") else { throw failure("an attribute needs '='") }
        position += 1
        skipSpace()
        guard follows("\"") || follows("'") else { throw failure("an attribute needs quotes") }
        let quote = bytes[position]
        position += 1
        let value = try text(upTo: quote == UInt8(ascii: "'") ? "'" : "\"")
        guard position < bytes.count else { throw failure("a quote is missing") }
        position += 1
        return value
    }

    private mutating func name() throws(Failure) -> ArraySlice<UInt8> {
        let start = position
        let stops = Array(" \t\r\n/>=<'\"&".utf8)
        while position < bytes.count && !stops.contains(bytes[position]) { position += 1 }
        guard position > start else { throw failure("a name is missing") }
        return bytes[start..<position]
    }

    private mutating func skipSpace() {
        while position < bytes.count && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private static func local(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? name, as: UTF8.self)
    }

    /// Returns the text up to a byte, with the five named entities and numeric characters resolved.
    private mutating func text(upTo end: Unicode.Scalar) throws(Failure) -> String {
        var text: [UInt8] = []
        while position < bytes.count && bytes[position] != UInt8(ascii: end) {
            if bytes[position] == UInt8(ascii: "&") {
                text += try entity()
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func entity() throws(Failure) -> String.UTF8View {
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let rest = bytes[(position + 1)...].prefix(10)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { throw failure("unescaped '&'") }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
        let scalar = name.hasPrefix("#") ? number.flatMap(Unicode.Scalar.init) : nil
        guard let resolved = named[name] ?? scalar.map({ String(Character($0)) }) else {
            throw failure("unknown entity")
        }
        position = end + 1
        return resolved.utf8
    }
}
