internal import RhumbBase
internal import RhumbGeo

/// Incrementally reads features in any supported format: GeoJSON and GeoJSON sequences, tables, lines of
/// positions, GPX, KML, TCX, FIT, NMEA. Skips and counts invalid parts.
public struct FeatureReader: Sendable {
    /// The detected format.
    public enum Format: String, Sendable {
        case geoJSON = "GeoJSON"
        case lines
        case gpx = "GPX"
        case kml = "KML"
        case tcx = "TCX"
        case fit = "FIT"
        case nmea = "NMEA"
        case meshtastic = "Meshtastic"
    }

    /// The bytes before the format is detected; for FIT, all bytes.
    private var head = ByteQueue()
    private var texts = JSONTextSplitter()
    private var json = GeoJSONFeatures()
    private var lines: LineReader
    /// The conversion of a text in UTF-16.
    private var utf16: UTF16Text?
    private var xml = XMLParser()
    private var gpx = GPXFeatures()
    private var kml = KMLFeatures()
    private var tcx = TCXFeatures()
    private var mesh = MeshtasticReader()
    private var sink = FeatureSink()
    /// The positions of a receiver, which form a line in a file.
    private var track = OverlayPathBuilder()
    private let isLive: Bool
    /// True after an unrecoverable error, which is one of `faults`.
    public private(set) var isOver = false
    /// The format; nil until it is detected.
    public private(set) var format: Format?

    /// Maximum number of bytes needed to detect the format. Comments may precede the root of XML.
    private static let headLength = 1 << 16, xmlHeadLength = 1 << 24
    private static let largestFIT = 64 << 20

    /// Creates a reader.
    /// - Parameters:
    ///   - isLive: True to report a receiver's positions as fixes; false to collect them into a line.
    ///   - hasIDs: True if a feature with an id replaces earlier ones with the same id; false for documents,
    ///     where all are shown.
    ///   - format: The format, if it can't be detected; nil to detect it.
    public init(isLive: Bool = false, hasIDs: Bool? = nil, format: Format? = nil) {
        self.isLive = isLive
        json.hasIDs = hasIDs ?? isLive
        lines = LineReader(isLive: isLive, hasIDs: hasIDs ?? isLive)
        self.format = format
    }

    /// The messages that request the positions of a Meshtastic network, and that keep the connection open.
    public static let meshtastic = (
        request: MeshtasticReader.request, heartbeat: MeshtasticReader.heartbeat
    )

    /// True once a device has sent all nodes that it knows.
    public var hasList: Bool { mesh.hasList }

    /// True if the rest of the input can't be read, or nothing in its last MiB could be.
    public var isUnreadable: Bool { isOver || lines.unknownBytes > Self.unreadableLength }
    private static let unreadableLength = 1 << 20

    /// Drops an incomplete part, because the connection has ended.
    public mutating func interrupt() {
        mesh.interrupt()
        lines.interrupt()
        isOver = false
        guard format == nil || format == .geoJSON else { return }
        // The next connection may send another format.
        format = nil
        head = ByteQueue()
        texts = JSONTextSplitter()
    }

    /// True if the caller reads linked documents, or reports them, after the end of this one.
    public var followsLinks = false

    /// The errors so far.
    public var faults: OverlayFaults { sink.faults }
    /// The title of the document, sanitised for terminals; may be empty.
    public var title: String { sink.title }

    /// A sentence about data that is not shown, which is no error; nil for none.
    public var remark: String? { sink.remark }
    /// The number of features that have no positions, as GeoJSON and KML allow.
    public var emptyFeatures: Int { sink.emptyFeatures }
    /// The features that documents of this format contain, for messages.
    public var contents: String {
        switch format {
        case .geoJSON, .lines, .meshtastic, nil: "positions or features"
        case .nmea: "positions"
        case .gpx: "waypoint, route or track"
        case .kml: "placemark with a position"
        case .tcx: "trackpoint with a position"
        case .fit: "record with a position"
        }
    }

    /// Reads the next bytes.
    public mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        if utf16 != nil {
            let utf8 = utf16?.utf8(bytes) ?? []
            return utf8.withUnsafeBufferPointer { readUTF8($0) }
        }
        readUTF8(bytes)
    }

    private mutating func readUTF8(_ bytes: Bytes) {
        if format == nil { return begin(with: bytes) }
        take(bytes)
    }

    private mutating func begin(with bytes: Bytes) {
        head.append(bytes)
        if utf16 == nil { decodeHead() }
        guard !head.withBytes({ UTF16Text.isUTF32($0) }) else {
            format = .lines
            isOver = true
            return sink.faults.add("its encoding UTF-32 is not supported; convert it to UTF-8 with iconv")
        }
        format = head.withBytes { Self.format(of: $0) }
        guard format != nil, format != .fit else { return }
        takeHead()
    }

    private mutating func takeHead() {
        var begun = ByteQueue()
        swap(&begun, &head)
        // Lines and XML have their own byte order marks.
        if format == .geoJSON, begun.withBytes({ $0.begins(with: "\u{FEFF}") }) { begun.drop(3) }
        begun.withBytes { take($0) }
    }

    /// Converts the first bytes if they are UTF-16.
    private mutating func decodeHead() {
        guard let begun = head.withBytes({ UTF16Text.begin($0) }) else { return }
        utf16 = begun.text
        head = ByteQueue()
        begun.utf8.withUnsafeBufferPointer { head.append($0) }
    }

    /// Ends the input and reads incomplete parts.
    public mutating func finish() {
        if format == nil {
            format = head.withBytes { Self.format(of: $0, isEnd: true) ?? (Self.isXML($0) ? .gpx : .lines) }
            takeHead()
        }
        if utf16?.isRepaired == true { sink.faults.add("invalid UTF-16 is shown as \u{FFFD}") }
        if !isOver { finishFormat() }
        if !followsLinks { for link in takeLinks() { reportUnread(link) } }
        addToTrack()
        track.finish().map { sink.features.append(OverlayFeature(.line([$0]), name: title, isTrack: true)) }
    }

    private mutating func finishFormat() {
        do throws(InputFault) {
            switch format {
            case nil, .meshtastic: break
            case .geoJSON: try texts.finish()
            case .lines, .nmea: lines.finish(into: &sink)
            case .gpx: try xml.finish(&gpx, into: &sink)
            case .kml: try xml.finish(&kml, into: &sink)
            case .tcx: try xml.finish(&tcx, into: &sink)
            case .fit:
                var reader = FITReader(head.withBytes { Array($0) })
                reader.read(into: &sink)
            }
        } catch {
            sink.faults.add(error.reason)
        }
    }

    /// Reads the next bytes.
    public mutating func read(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBufferPointer { read($0) }
    }

    /// Returns and removes the features read so far.
    public mutating func takeFeatures() -> [OverlayFeature] {
        defer { sink.features = [] }
        return sink.features
    }

    /// Returns and forgets the ids of features that have ended. They are removed before the features read so
    /// far are added.
    public mutating func takeRemovals() -> [String] {
        defer { sink.removals = [] }
        return sink.removals
    }

    /// Reports a linked document that is not read.
    public mutating func reportUnread(_ link: (address: String, line: Int)) {
        sink.faults.add("NetworkLink to \(link.address) is not read", line: link.line)
    }

    /// Returns and removes the addresses of linked documents.
    public mutating func takeLinks() -> [(address: String, line: Int)] {
        defer { sink.links = [] }
        return sink.links
    }

    /// Returns and removes the fixes read so far.
    public mutating func takeFixes() -> [PositionFix] {
        defer { sink.fixes = [] }
        return sink.fixes
    }

    /// Detects the format of the first bytes; nil if more are needed.
    /// - Parameter isEnd: True at the end of the data.
    private static func format(of head: Bytes, isEnd: Bool = false) -> Format? {
        let mark = head.begins(with: "\u{FEFF}") ? 3 : 0
        guard let first = head.part(mark..<head.count).first(where: { $0 > 0x20 }) else {
            return head.count < headLength ? nil : .lines
        }
        if isXML(head) {
            let root = XMLRoot(of: head)
            if root.name == nil, !root.isRejected, head.count < xmlHeadLength { return nil }
            // The reader of GPX reports other documents.
            return root.format ?? .gpx
        }
        // The signature of FIT follows the header's length, 12 or 14.
        if head[0] == 12 || head[0] == 14 {
            guard head.count >= 12 else { return nil }
            if FITReader.begins(head) { return .fit }
        }
        // RFC 8142 begins each text with a record separator, which other text doesn't contain.
        if head.prefix(while: { $0 <= 0x20 }).contains(0x1E) { return .geoJSON }
        if isCommentedJSON(head.part(mark..<head.count)) { return .geoJSON }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard let end = head.firstIndex(where: isLineEnd) else {
                return head.count < headLength ? nil : .geoJSON
            }
            // A line with a whole JSON text is followed by others.
            if isWhole(head.part(mark..<end)) || hasLoggedSentence(head) { return .lines }
            let isLong = isEnd || head.count >= headLength
            return isDocument(head.part(mark..<head.count), isLong: isLong).map { $0 ? .geoJSON : .lines }
        }
        guard head.contains(where: isLineEnd) || head.count >= headLength else { return nil }
        return first == UInt8(ascii: "$") ? .nmea : .lines
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isWhole(_ line: Bytes) -> Bool {
        var cursor = JSONCursor(line)
        return (try? cursor.value()) != nil && cursor.next() == nil
    }

    private mutating func take(_ bytes: Bytes) {
        guard !isOver else { return }
        do throws(InputFault) {
            switch format {
            case nil: break
            case .geoJSON: try takeJSON(bytes)
            case .meshtastic: mesh.read(bytes, into: &sink)
            case .lines, .nmea: lines.read(bytes, into: &sink)
            case .gpx: try xml.read(bytes, &gpx, into: &sink)
            case .kml: try xml.read(bytes, &kml, into: &sink)
            case .tcx: try xml.read(bytes, &tcx, into: &sink)
            case .fit:
                guard head.count + bytes.count <= Self.largestFIT else {
                    throw InputFault("the FIT file is larger than 64 MiB")
                }
                head.append(bytes)
            }
        } catch {
            isOver = true
            sink.faults.add(error.reason)
        }
        addToTrack()
    }

    private mutating func takeJSON(_ bytes: Bytes) throws(InputFault) {
        var json = json, sink = FeatureSink()
        swap(&sink, &self.sink)
        defer { (self.json, self.sink) = (json, sink) }
        try texts.read(bytes) { text, line, kind throws(InputFault) in
            switch kind {
            case .features: json.read(text, line: line, into: &sink)
            case .reference, .lateReference:
                try json.readReference(text, isLate: kind == .lateReference, into: &sink)
            case .truncated: sink.faults.add("the JSON is truncated", line: line)
            }
        }
    }

    private mutating func addToTrack() {
        guard !isLive else { return }
        for fix in sink.fixes {
            guard let place = fix.place else { continue }
            track.append(Mercator.plane(place), height: fix.height ?? .nan, time: fix.time ?? .nan)
        }
        sink.fixes = []
    }
}
