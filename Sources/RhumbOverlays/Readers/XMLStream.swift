/// An incremental XML parser that tolerates common errors of real files: missing or wrong end tags, unknown
/// entities, truncated files. Rejects document types, so that nothing is ever expanded or fetched.
struct XMLStream: Sendable {
    /// The name of an element or attribute without its prefix, as a hash.
    struct Name: Hashable, Sendable {
        private let hash: UInt64

        init(_ text: StaticString) {
            self.init(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        init(_ bytes: Bytes) {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in bytes {
                if byte == UInt8(ascii: ":") {
                    hash = 0xCBF2_9CE4_8422_2325
                } else {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            }
            self.hash = hash
        }
    }

    /// Receives the elements of a document, with the path of open elements.
    protocol Handler {
        /// The current line, for error messages.
        var line: Int { get set }
        mutating func begin(_ name: Name, _ attributes: Attributes, _ path: [Name])
        /// Ends an element. The text has its entities resolved and excludes nested elements.
        mutating func end(_ name: Name, text: Bytes, _ path: [Name])
    }

    /// The attributes of a start tag, parsed on demand.
    struct Attributes {
        let bytes: Bytes

        /// The raw value of an attribute; nil if there is none.
        subscript(_ wanted: Name) -> Bytes? {
            var at = 0
            while at < bytes.count {
                while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
                let start = at
                while at < bytes.count, bytes[at] != UInt8(ascii: "="), bytes[at] > 0x20 { at += 1 }
                let name = bytes.part(start..<at)
                while at < bytes.count, bytes[at] <= 0x20 || bytes[at] == UInt8(ascii: "=") { at += 1 }
                guard at < bytes.count else { return nil }
                let quote = bytes[at], isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
                if isQuoted { at += 1 }
                let value = at
                while at < bytes.count, isQuoted ? bytes[at] != quote : bytes[at] > 0x20 { at += 1 }
                if Name(name) == wanted { return bytes.part(value..<at) }
                at += 1
            }
            return nil
        }
    }

    private var queue = ByteQueue()
    private(set) var line = 1
    private var path: [Name] = []
    private var text: [UInt8] = []
    /// True if text since the last tag belongs to the innermost element.
    private var isTextWanted = false
    private(set) var hasRoot = false

    private static let deepest = 64
    private static let longestTag = 1 << 20, longestText = 256 << 20

    /// Reads the next bytes.
    /// - Throws: `InputFault` for an unrecoverable error.
    mutating func read(_ more: Bytes, _ handler: inout some Handler) throws(InputFault) {
        var queue = ByteQueue(), fault: InputFault?, used = 0
        swap(&queue, &self.queue)
        queue.append(more)
        queue.withBytes { bytes in
            do throws(InputFault) { used = try take(bytes, &handler) } catch { fault = error }
        }
        queue.drop(used)
        swap(&queue, &self.queue)
        if let fault { throw fault }
    }

    /// Ends the input and closes all open elements.
    /// - Throws: `InputFault` if the document is incomplete.
    mutating func finish(_ handler: inout some Handler) throws(InputFault) {
        let isWhole = path.isEmpty && hasRoot
        while !path.isEmpty { close(&handler) }
        guard isWhole else { throw InputFault("the file is truncated") }
    }

    /// Reads the complete tokens and returns the number of bytes consumed.
    private mutating func take(_ bytes: Bytes, _ handler: inout some Handler) throws(InputFault) -> Int {
        var at = 0
        while at < bytes.count {
            if bytes[at] != UInt8(ascii: "<") {
                var end = at
                while end < bytes.count, bytes[end] != UInt8(ascii: "<") {
                    if bytes[end] == 0x0A { line += 1 }
                    end += 1
                }
                if isTextWanted {
                    guard text.count < Self.longestText else {
                        throw InputFault("line \(line): text larger than 256 MiB")
                    }
                    text.append(contentsOf: bytes.part(at..<end))
                }
                at = end
                continue
            }
            handler.line = line
            guard let next = try markup(bytes, at, &handler) else {
                guard bytes.count - at < Self.longestTag else {
                    throw InputFault("line \(line): unterminated tag")
                }
                return at
            }
            for byte in bytes.part(at..<next) where byte == 0x0A { line += 1 }
            at = next
        }
        return at
    }

    /// Reads markup that begins with "<"; nil if it is incomplete.
    private mutating func markup(
        _ bytes: Bytes, _ at: Int, _ handler: inout some Handler
    ) throws(InputFault) -> Int? {
        let rest = bytes.part(at..<bytes.count)
        guard rest.count > 3 else { return nil }
        switch rest[1] {
        case UInt8(ascii: "?"): return rest.end(of: "?>").map { at + $0 }
        case UInt8(ascii: "!"):
            if rest.begins(with: "<!--") { return rest.end(of: "-->").map { at + $0 } }
            if rest.count < 9 { return nil }
            if rest.begins(with: "<![CDATA[") {
                guard let end = rest.end(of: "]]>") else { return nil }
                if isTextWanted { text.append(contentsOf: rest.part(9..<end - 3)) }
                return at + end
            }
            throw InputFault("line \(line): document types are not supported, for safety")
        default: break
        }
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        if rest[1] == UInt8(ascii: "/") {
            closeTag(Name(rest.part(2..<end).trimmed), &handler)
        } else {
            try openTag(rest.part(1..<end), &handler)
        }
        return at + end + 1
    }

    private mutating func openTag(_ tag: Bytes, _ handler: inout some Handler) throws(InputFault) {
        let isEmpty = tag.last == UInt8(ascii: "/"), tag = isEmpty ? tag.part(0..<tag.count - 1) : tag
        let nameEnd = tag.firstIndex { $0 <= 0x20 } ?? tag.count
        guard path.count < Self.deepest else {
            throw InputFault("line \(line): nested deeper than \(Self.deepest)")
        }
        let name = Name(tag.part(0..<nameEnd))
        path.append(name)
        hasRoot = true
        text.removeAll(keepingCapacity: true)
        isTextWanted = true
        handler.begin(name, Attributes(bytes: tag.part(nameEnd..<tag.count)), path)
        if isEmpty { close(&handler) }
    }

    /// Closes the element with a name and all unclosed elements inside it. Ignores an end tag without a start
    /// tag.
    private mutating func closeTag(_ name: Name, _ handler: inout some Handler) {
        guard path.contains(name) else { return }
        while path.last != name { close(&handler) }
        close(&handler)
    }

    private mutating func close(_ handler: inout some Handler) {
        guard let name = path.last else { return }
        if text.contains(UInt8(ascii: "&")) { text = XMLStream.resolved(text) }
        text.withUnsafeBufferPointer { handler.end(name, text: $0, path) }
        path.removeLast()
        text.removeAll(keepingCapacity: true)
        isTextWanted = false
    }

    /// Resolves the five named entities and character references; leaves others unchanged.
    static func resolved(_ text: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = [], at = 0
        while at < text.count {
            guard text[at] == UInt8(ascii: "&"),
                let end = text[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let character = entity(String(decoding: text[at + 1..<end], as: UTF8.self))
            else {
                kept.append(text[at])
                at += 1
                continue
            }
            kept.append(contentsOf: character.utf8)
            at = end + 1
        }
        return kept
    }

    private static func entity(_ name: String) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let number =
                name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
            return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
    }
}

/// Creates features from the elements of a document.
protocol XMLFeatures: XMLStream.Handler {
    var sink: FeatureSink { get set }
}

extension XMLStream {
    /// Reads the next bytes and adds their features to a sink.
    mutating func read(
        _ more: Bytes, _ handler: inout some XMLFeatures, into sink: inout FeatureSink
    ) throws(InputFault) {
        swap(&handler.sink, &sink)
        defer { swap(&handler.sink, &sink) }
        try read(more, &handler)
    }

    /// Ends the input and adds the remaining features to a sink.
    mutating func finish(_ handler: inout some XMLFeatures, into sink: inout FeatureSink) throws(InputFault) {
        swap(&handler.sink, &sink)
        defer { swap(&handler.sink, &sink) }
        try finish(&handler)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the index after the first occurrence of a text; nil if there is none.
    fileprivate func end(of text: StaticString) -> Int? {
        let length = text.utf8CodeUnitCount, first = text.utf8Start[0]
        guard count >= length else { return nil }
        for at in 0...(count - length) where self[at] == first && part(at..<at + length).equals(text) {
            return at + length
        }
        return nil
    }
}
