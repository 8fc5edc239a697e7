internal import CExpat

/// Receives the elements of an XML document, with the path of open elements.
package protocol XMLHandler {
    /// The current line, for error messages.
    var line: Int { get set }
    mutating func begin(_ name: XMLName, _ attributes: XMLAttributes, _ path: [XMLName])
    /// Ends an element. The text excludes nested elements.
    mutating func end(_ name: XMLName, text: UnsafeBufferPointer<UInt8>, _ path: [XMLName])
    /// Returns true if elements of a namespace belong to the format. Those of no namespace, and of the root
    /// element's, always do.
    static func owns(namespace: String) -> Bool
}

extension XMLHandler {
    package static func owns(namespace: String) -> Bool { true }
}

/// The reason why the rest of a document can't be read.
package struct XMLFailure: Error, Equatable {
    package let problem: String
    /// The line, from 1.
    package let line: Int
    /// The offset in bytes, 0 or more. Expat's own is -1 before the first byte.
    package let offset: Int
    /// True if the parser rejects the document, which may be valid.
    package var isRefusal = false
}

/// An incremental XML parser: Expat, which is loaded for the first document. Nothing is ever fetched, and
/// documents that declare entities are rejected. An error ends the open elements, which keeps their content.
///
/// A copy of a reader shares its parser. It is used by one thread at a time.
package final class XMLParser: @unchecked Sendable {
    private var parser: XML_Parser?
    /// The bytes up to the end of the declaration or of the first tag.
    private var opening: [UInt8] = []
    /// The encoding that replaces the declaration; nil for the declared one.
    private var encoding: String?
    /// The decoder of an encoding that Expat doesn't know; nil for one that it knows.
    private var decoder: TextDecoder?
    /// True if the text should be UTF-8. Invalid bytes in it are replaced, because many programs write a
    /// wrong declaration or none.
    private var isUTF8 = false
    /// True if invalid bytes were replaced.
    package private(set) var isRepaired = false
    /// The beginning of a character whose end follows in the next bytes.
    private var held: [UInt8] = []
    // The checks of exclusive access to what each element changes would take a tenth of the time.
    @exclusivity(unchecked) private var path: [XMLName] = []
    @exclusivity(unchecked) private var namespaces = XMLNamespaces()
    /// The texts of the open elements one after another, and where each begins.
    @exclusivity(unchecked) private var texts: [UInt8] = []
    @exclusivity(unchecked) private var starts: [Int] = []
    /// White space before the document, which XML doesn't allow.
    private var skipped = (bytes: 0, lines: 0)
    /// True for a document that begins with the mark of UTF-8, which outweighs the declaration.
    private var isMarked = false
    private var hasBegun = false, isOver = false
    /// The reason for stopping the parser.
    private var refusal: String?
    private var begin: ((XMLName, XMLAttributes) -> Void)?
    private var end: ((XMLName, UnsafeBufferPointer<UInt8>) -> Void)?

    /// True if Expat is available. The first access loads it.
    package static let isAvailable = rhumb_expat_load()
    private static let deepest = 64, longestText = 256 << 20, longestOpening = 4096
    /// Maximum length of a reference to a character in bytes, with some leading zeros.
    private static let longestReference = 14
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init() {}

    deinit { if let parser { rhumb_expat_ParserFree(parser) } }

    /// Reads the next bytes.
    package func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ handler: inout some XMLHandler
    ) throws(XMLFailure) {
        guard !isOver else { return }
        guard !hasBegun else { return try parse(bytes, isFinal: false, &handler) }
        opening += opening.isEmpty ? UnsafeBufferPointer(rebasing: bytes[leadingSpace(of: bytes)...]) : bytes
        if opening.contains(UInt8(ascii: ">")) || opening.count > Self.longestOpening {
            try parseOpening(isFinal: false, &handler)
        }
    }

    /// Ends the input.
    /// - Throws: `XMLFailure` if the document is incomplete.
    package func finish(_ handler: inout some XMLHandler) throws(XMLFailure) {
        guard !isOver else { return }
        guard hasBegun else { return try parseOpening(isFinal: true, &handler) }
        try parse(UnsafeBufferPointer(start: nil, count: 0), isFinal: true, &handler)
    }

    /// Counts the bytes before the document: white space, and the mark of UTF-8.
    private func leadingSpace(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        isMarked = isMarked || skipped.bytes == 0 && bytes.starts(with: Self.byteOrderMark)
        var count = skipped.bytes == 0 && isMarked ? 3 : 0
        while count < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[count]) {
            if bytes[count] == 0x0A { skipped.lines += 1 }
            count += 1
        }
        skipped.bytes += count
        return count
    }

    /// Parses the opening. Programs that save a document in another encoding often leave the declaration as
    /// it was, so a declaration that can't be true is ignored.
    private func parseOpening(isFinal: Bool, _ handler: inout some XMLHandler) throws(XMLFailure) {
        hasBegun = true
        guard !isUTF32 else { throw refusal(of: "UTF-32") }
        let name = declaredEncoding, declared = name?.lowercased() ?? "utf-8"
        let is16Bit = opening.prefix(2).contains { $0 == 0 || $0 >= 0xFE }
        if is16Bit {
            encoding = "UTF-16"
        } else if isMarked || opening.starts(with: Self.byteOrderMark) || TextDecoder.isUTF8(declared) {
            isUTF8 = true
        } else if declared != "iso-8859-1", let name {
            decoder = TextDecoder(name)
            guard decoder != nil else { throw refusal(of: name) }
            isUTF8 = true
        }
        if isUTF8 { encoding = "UTF-8" }
        let bytes = opening
        opening = []
        try bytes.withUnsafeBufferPointer { bytes throws(XMLFailure) in
            try parse(bytes, isFinal: isFinal, &handler)
        }
    }

    /// Stops reading a document in an encoding that isn't supported.
    private func refusal(of encoding: String) -> XMLFailure {
        isOver = true
        return XMLFailure(
            problem: "its encoding \(encoding.prefix(40)) is not supported; convert it to UTF-8 with iconv",
            line: 1, offset: 0, isRefusal: true)
    }

    /// True for a byte order mark or a character of ASCII in UTF-32.
    private var isUTF32: Bool {
        opening.count >= 4
            && (opening[0] == 0 && opening[1] == 0 || opening[2] == 0 && opening[3] == 0)
    }

    /// The encoding in the declaration; nil without one.
    private var declaredEncoding: String? {
        let text = String(decoding: opening.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
        guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
            let name = text[..<end.lowerBound].firstRange(of: "encoding")
        else { return nil }
        let parts = text[name.upperBound...].split(
            maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
        return parts.count == 3 ? String(parts[1]) : nil
    }

    private func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool, _ handler: inout some XMLHandler
    ) throws(XMLFailure) {
        guard Self.isAvailable, let parser = parser ?? create() else {
            isOver = true
            throw XMLFailure(
                problem: "XML needs the library Expat; install the Debian package libexpat1", line: 1,
                offset: 0, isRefusal: true)
        }
        var isRead = false
        namespaces.owns = type(of: handler).owns
        withUnsafeMutablePointer(to: &handler) { handler in
            // The parser outlives the closures, which would otherwise count references for each element.
            begin = { [unowned(unsafe) self] name, attributes in
                handler.pointee.line = line
                handler.pointee.begin(name, attributes, path)
            }
            end = { [unowned(unsafe) self] name, text in
                handler.pointee.line = line
                handler.pointee.end(name, text: text, path)
            }
            isRead =
                if let decoder {
                    decoder.utf8(bytes, isFinal: isFinal).withUnsafeBufferPointer {
                        parseText($0, parser, isFinal)
                    }
                } else {
                    isUTF8 ? parseText(bytes, parser, isFinal) : Self.parse(bytes, parser, isFinal)
                }
            if !isRead { while !path.isEmpty { close() } }
            begin = nil
            end = nil
        }
        isOver = isFinal || !isRead
        guard isRead else {
            throw failure(rhumb_expat_GetErrorCode(parser))
        }
    }

    /// Parses text that should be UTF-8. Characters that XML doesn't allow become spaces, and references to
    /// them are removed.
    private func parseText(
        _ bytes: UnsafeBufferPointer<UInt8>, _ parser: XML_Parser, _ isFinal: Bool
    ) -> Bool {
        if held.isEmpty, Self.isPlain(bytes) { return Self.parse(bytes, parser, isFinal) }
        var whole = held + bytes
        let end = isFinal ? whole.count : Self.endOfCharacters(whole[..<Self.endOfReferences(whole)])
        held = Array(whole[end...])
        whole.removeSubrange(end...)
        for at in whole.indices where Self.isControl(whole[at]) { whole[at] = 0x20 }
        Self.removeInvalidReferences(from: &whole)
        if String(validating: whole, as: UTF8.self) == nil {
            isRepaired = true
            whole = Array(String(decoding: whole, as: UTF8.self).utf8)
        }
        return whole.withUnsafeBufferPointer { Self.parse($0, parser, isFinal) }
    }

    /// Returns true for ASCII that needs no repair: without references to characters, and not within one at
    /// the end.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if byte >= 0x80 || isControl(byte) || byte == UInt8(ascii: "#") && last == UInt8(ascii: "&") {
                return false
            }
            last = byte
        }
        return last != UInt8(ascii: "&")
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// Returns the end of the last complete reference to a character.
    private static func endOfReferences(_ bytes: [UInt8]) -> Int {
        let tail = bytes.suffix(longestReference)
        guard let start = tail.lastIndex(of: UInt8(ascii: "&")), !tail[start...].contains(UInt8(ascii: ";"))
        else { return bytes.count }
        return start
    }

    /// Removes references to control characters and to numbers that are no characters.
    private static func removeInvalidReferences(from bytes: inout [UInt8]) {
        var at = bytes.startIndex
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "&")) {
            at = start + 1
            let rest = bytes[start...].prefix(longestReference)
            guard let end = rest.firstIndex(of: UInt8(ascii: ";")),
                rest.dropFirst().first == UInt8(ascii: "#")
            else { continue }
            let text = String(decoding: bytes[start + 2..<end], as: UTF8.self)
            let number = text.hasPrefix("x") ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
            guard let number, Unicode.Scalar(number) == nil || number < 0x20 && isControl(UInt8(number))
            else { continue }
            bytes.removeSubrange(start...end)
            at = start
        }
    }

    /// Returns the end of the last complete character.
    private static func endOfCharacters(_ bytes: ArraySlice<UInt8>) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back], length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            if byte >= 0xC0 { return length > back ? bytes.count - back : bytes.count }
            if byte < 0x80 { break }
        }
        return bytes.count
    }

    /// Passes bytes to Expat, which takes less than 2 GiB at a time.
    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, _ parser: XML_Parser, _ isFinal: Bool
    ) -> Bool {
        bytes.withMemoryRebound(to: CChar.self) { bytes in
            for start in stride(from: 0, to: max(bytes.count, 1), by: 1 << 20) {
                let count = min(bytes.count - start, 1 << 20),
                    isLast = isFinal && start + count == bytes.count
                let piece = bytes.baseAddress.map { $0 + start }
                guard rhumb_expat_Parse(parser, piece, Int32(count), isLast ? 1 : 0) == XML_STATUS_OK else {
                    return false
                }
            }
            return true
        }
    }

    // MARK: Events

    private func create() -> XML_Parser? {
        parser = rhumb_expat_ParserCreate(encoding)
        guard let parser else { return nil }
        rhumb_expat_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        rhumb_expat_SetElementHandler(
            parser, { XMLParser.at($0)?.open($1, $2) }, { data, _ in XMLParser.at(data)?.close() })
        rhumb_expat_SetCharacterDataHandler(parser) { data, bytes, count in
            bytes?.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
                XMLParser.at(data)?.add(UnsafeBufferPointer(start: $0, count: Int(count)))
            }
        }
        rhumb_expat_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
            XMLParser.at(data)?.stop("it declares entities, which are not supported, for safety")
        }
        // References to entities that aren't declared, such as "&nbsp;", remain as they are.
        _ = rhumb_expat_UseForeignDTD(parser, 1)
        rhumb_expat_SetSkippedEntityHandler(parser) { data, name, isParameter in
            guard isParameter == 0, let name else { return }
            var text = "&" + String(cString: name) + ";"
            text.withUTF8 { XMLParser.at(data)?.add($0) }
        }
        return parser
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> XMLParser? {
        data.map { Unmanaged<XMLParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private var line: Int {
        skipped.lines + (parser.map { Int(clamping: rhumb_expat_GetCurrentLineNumber($0)) } ?? 1)
    }

    private func stop(_ reason: String) {
        refusal = refusal ?? reason
        if let parser { _ = rhumb_expat_StopParser(parser, 0) }
    }

    private func open(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard refusal == nil, let name else { return }
        guard path.count < Self.deepest else { return stop("nested deeper than \(Self.deepest)") }
        let attributes = XMLAttributes(pairs: attributes)
        let element = namespaces.open(name, attributes, in: path.last)
        path.append(element)
        starts.append(texts.count)
        begin?(element, attributes)
    }

    private func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard refusal == nil, let start = starts.last else { return }
        // White space between elements isn't stored.
        if texts.count == start, text.allSatisfy({ $0 <= 0x20 }) { return }
        guard texts.count < Self.longestText else { return stop("text larger than 256 MiB") }
        texts.append(contentsOf: text)
    }

    private func close() {
        guard let name = path.last, let start = starts.popLast() else { return }
        texts.withUnsafeBufferPointer { end?(name, UnsafeBufferPointer(rebasing: $0[start...])) }
        path.removeLast()
        namespaces.close()
        texts.removeSubrange(start...)
    }

    private func failure(_ error: XML_Error) -> XMLFailure {
        let offset = parser.map { skipped.bytes + max(0, Int(rhumb_expat_GetCurrentByteIndex($0))) } ?? 0
        let problem: String
        switch error {
        case _ where refusal != nil: problem = refusal ?? ""
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION,
            XML_ERROR_PARTIAL_CHAR:
            problem = XMLParser.truncated
        case XML_ERROR_TAG_MISMATCH: problem = "an end tag does not match its element"
        case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: problem = "text after the end of the document"
        default: problem = rhumb_expat_ErrorString(error).map { String(cString: $0) } ?? "invalid XML"
        }
        return XMLFailure(problem: problem, line: line, offset: offset, isRefusal: refusal != nil)
    }

    /// The problem of a document that ends too early.
    package static let truncated = "the file is truncated"
}
