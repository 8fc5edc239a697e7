package import RhumbBase

extension FeatureReader {
    /// Returns true if the beginning of a file is that of features, false if it isn't; nil if it is too short
    /// to decide.
    /// - Parameter isNamedJSON: True if the file is named as JSON, which may also be a style or a TileJSON
    ///   document.
    public static func mayHold(_ head: [UInt8], isNamedJSON: Bool) -> Bool? {
        head.withUnsafeBufferPointer { bytes in
            if let begun = UTF16Text.begin(bytes) { return mayHold(begun.utf8, isNamedJSON: isNamedJSON) }
            if FITReader.begins(bytes) { return true }
            if isXML(bytes) {
                let root = XMLRoot(of: bytes)
                if root.name == nil, !root.isRejected { return nil }
                return root.format != nil
            }
            let text = bytes.part((bytes.begins(with: "\u{FEFF}") ? 3 : 0)..<bytes.count).trimmed
            switch text.first {
            case nil: return false
            case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E:
                if hasLoggedSentence(text) { return true }
                let answer = isGeoJSON(text)
                return answer == false ? isJSONLine(text) : answer
            case UInt8(ascii: "$"): return isSentence(text) || hasSentence(text)
            default: return !isNamedJSON && (isTable(text) || hasSentence(text))
            }
        }
    }

    /// Returns true if the first line names columns, is a position or a packet of APRS.
    private static func isTable(_ text: Bytes) -> Bool {
        guard !text.contains(0), let line = text.split(whereSeparator: isLineEnd).first else { return false }
        let first = Bytes(rebasing: line)
        if APRSReader.isPacket(first) || LineReader.polylinePrecision(first) > 0 { return true }
        // A row that has a zero in each column.
        let separators = ",;\t|".utf8.map { separator in (separator, line.count { $0 == separator }) }
        let (separator, count) = separators.max { $0.1 < $1.1 } ?? (UInt8(ascii: ","), 1)
        let row = [UInt8(ascii: "0")] + (0..<max(count, 1)).flatMap { _ in [separator, UInt8(ascii: "0")] }
        return isReadable(Array(line) + [0x0A] + row)
    }

    private static func isReadable(_ lines: [UInt8]) -> Bool {
        var reader = FeatureReader()
        reader.read(lines + [0x0A])
        reader.finish()
        return reader.faults.count == 0
    }

    /// Returns true if the first line is a whole JSON text that can be read; nil if the line may be longer.
    private static func isJSONLine(_ text: Bytes) -> Bool? {
        let end = text.firstIndex(where: isLineEnd), line = text.part(0..<(end ?? text.count))
        guard isWhole(line) else { return end == nil ? nil : false }
        return isReadable(Array(line))
    }

    /// Returns true if one of the first lines is a sentence with a valid checksum. Logs may begin within a
    /// sentence, or with binary messages.
    private static func hasSentence(_ text: Bytes) -> Bool {
        firstLines(text).contains { NMEAReader.sentence(in: $0) != nil }
    }

    /// Returns true if one of the first lines is a sentence behind brackets, such as those around a time.
    static func hasLoggedSentence(_ text: Bytes) -> Bool {
        firstLines(text).contains { "[{".utf8.contains($0.first ?? 0) && isLogged($0) }
    }

    /// Returns true for a line with a sentence that is not within quotes, as it is in JSON.
    static func isLogged(_ line: Bytes) -> Bool {
        !line.prefix { !"$!".utf8.contains($0) }.contains(UInt8(ascii: "\""))
            && NMEAReader.sentence(in: line) != nil
    }

    private static func firstLines(_ text: Bytes) -> [Bytes] {
        text.split(maxSplits: sentenceLimit, whereSeparator: isLineEnd).prefix(sentenceLimit)
            .map { Bytes(rebasing: $0) }
    }

    private static let sentenceLimit = 50

    /// Returns true for a sentence of NMEA 0183 such as "$GPRMC,…".
    static func isSentence(_ text: Bytes) -> Bool {
        let address = text.dropFirst().prefix(13).prefix { $0 != UInt8(ascii: ",") }
        return (4...12).contains(address.count) && text.count > address.count + 1
            && address.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }

    // MARK: JSON

    /// Decides about lines whose first is not a whole JSON text. Returns true if they begin a JSON document;
    /// false if they are separate, so that a damaged one can be skipped; nil if there are too few to decide.
    /// - Parameter isLong: True to decide now.
    static func isDocument(_ text: Bytes, isLong: Bool) -> Bool? {
        guard let end = text.lastIndex(where: isLineEnd) else { return isLong ? true : nil }
        let lines = text.part(0..<end).split(maxSplits: 3, whereSeparator: isLineEnd).prefix(3)
        guard let last = lines.last else { return isLong ? true : nil }
        let begun = text.part(0..<last.endIndex), isGeoJSON = isGeoJSON(begun) == true
        do throws(JSONFailure) {
            _ = try JSON.parse(Array(begun), depthLimit: 256)
            return true
        } catch  where error.offset >= begun.count {
            return isLong || lines.count > 2 || isGeoJSON && lines.count > 1 ? true : nil
        } catch {
            if lines.dropFirst().contains(where: { standsAlone(Bytes(rebasing: $0).trimmed) }) {
                return false
            }
            let start = begun.lazy.filter { $0 > 0x20 }.prefix(2)
            guard isGeoJSON || start.elementsEqual("[{".utf8) else { return false }
            return isLong || lines.count > 1 ? true : nil
        }
    }

    /// Returns true for JSON behind comments such as those of JavaScript, which JSON doesn't allow.
    static func isCommentedJSON(_ text: Bytes) -> Bool {
        var rest = text.trimmed
        guard rest.first == UInt8(ascii: "/") else { return false }
        while rest.first == UInt8(ascii: "/") {
            let isLine = rest.begins(with: "//")
            guard isLine || rest.begins(with: "/*") else { return false }
            let end = rest.indices.dropFirst(isLine ? 2 : 3).first { at in
                isLine
                    ? isLineEnd(rest[at]) : rest[at] == UInt8(ascii: "/") && rest[at - 1] == UInt8(ascii: "*")
            }
            guard let end else { return false }
            rest = rest.part(end + 1..<rest.count).trimmed
        }
        return rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[")
    }

    /// Returns true for a line that isn't part of a JSON document.
    private static func standsAlone(_ line: Bytes) -> Bool {
        switch line.first {
        case UInt8(ascii: "$"), UInt8(ascii: "!"): true
        case UInt8(ascii: "{"): isWhole(line)
        default: false
        }
    }

    private static let geometries = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
        "GeometryCollection",
    ]

    /// Returns a cursor at the first object of a text or of its array; nil if another value is first.
    private static func firstObject(_ text: Bytes) -> JSONCursor? {
        let start = text.firstIndex(of: UInt8(ascii: "{")) ?? text.count
        guard text.part(0..<start).allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: "[") }) else { return nil }
        return JSONCursor(text.part(start..<text.count))
    }

    /// Returns the members of the first object of a JSON text, or of its array. The text may be incomplete;
    /// the last value then is, too.
    package static func members(of head: [UInt8]) -> [String: String] {
        head.withUnsafeBufferPointer { bytes in
            let text = bytes.part((bytes.begins(with: "\u{FEFF}") ? 3 : 0)..<bytes.count)
            guard var cursor = firstObject(text) else { return [:] }
            var members: [String: String] = [:]
            try? cursor.members { cursor, name throws(InputFault) in
                let rest = cursor.bytes[cursor.at...].prefix(longestExcerpt)
                do throws(InputFault) {
                    members[name.text] = try cursor.value().jsonWords
                } catch {
                    members[name.text] = Bytes(rebasing: rest).trimmed.text
                    throw error
                }
            }
            return members
        }
    }

    /// Maximum length of an incomplete value in bytes.
    private static let longestExcerpt = 4096

    /// True if the "type" of an object is one of GeoJSON.
    package static func isGeoJSON(type: String) -> Bool {
        type == "FeatureCollection" || type == "Feature" || geometries.contains(type)
    }

    /// Returns true if the members of an object, or of the first object of an array, are those of GeoJSON;
    /// nil if the text is too short to decide.
    private static func isGeoJSON(_ text: Bytes) -> Bool? {
        guard var cursor = firstObject(text) else { return false }
        var found: Bool?
        do throws(InputFault) {
            try cursor.members { cursor, name throws(InputFault) in
                switch name.text {
                case "type":
                    if isGeoJSON(type: try cursor.value().jsonWords) { found = true }
                case "features", "geometry", "geometries", "coordinates": found = true
                default: _ = try cursor.value()
                }
                if found != nil { throw InputFault("found") }
            }
        } catch {
            return found ?? (cursor.at < cursor.bytes.count ? false : nil)
        }
        return false
    }

    // MARK: XML

    /// Returns true if text begins like XML, in UTF-8 or UTF-16, with or without a byte order mark.
    static func isXML(_ head: Bytes) -> Bool {
        guard head.count > 1 else { return head.first == UInt8(ascii: "<") }
        let marks = (head[0], head[1])
        if marks == (0xFE, 0xFF) || marks == (0xFF, 0xFE) { return true }
        if marks == (0, UInt8(ascii: "<")) || marks == (UInt8(ascii: "<"), 0) { return true }
        let start = head.begins(with: "\u{FEFF}") ? 3 : 0
        let text = head.part(start..<head.count).drop { $0 <= 0x20 }
        // A line of syslog begins with a number in angle brackets, which no element does.
        return text.first == UInt8(ascii: "<") && !(0x30...0x39).contains(text.dropFirst().first ?? 0)
    }
}

/// The root element at the beginning of a document.
package struct XMLRoot: XMLHandler {
    package var line = 0
    /// The name; nil if the root element wasn't found.
    package private(set) var name: XMLName?
    /// True if the document is invalid.
    private(set) var isRejected = false

    package init(of head: UnsafeBufferPointer<UInt8>) {
        // The root is nearly always near the start. Expat delays elements after a long comment in pieces.
        for length in [4096, head.count] where name == nil && !isRejected {
            do throws(XMLFailure) {
                try XMLParser().read(head.part(0..<min(length, head.count)), &self)
            } catch {
                isRejected = true
            }
        }
    }

    package mutating func begin(_ name: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]) {
        self.name = self.name ?? name
    }

    package mutating func end(
        _ name: XMLName, text: UnsafeBufferPointer<UInt8>, _ path: [XMLName]
    ) {}

    /// The format of documents with this root element; nil for an unknown one.
    var format: FeatureReader.Format? {
        switch name {
        case XMLName("gpx"): .gpx
        case XMLName("TrainingCenterDatabase"): .tcx
        case let name?: KMLFeatures.roots.contains(name) ? .kml : nil
        case nil: nil
        }
    }
}
