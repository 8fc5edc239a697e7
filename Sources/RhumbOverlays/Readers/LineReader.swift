internal import RhumbBase
internal import RhumbGeo

/// Reads features from separate lines: JSON, rows of a table whose first line names its columns, plain
/// positions, encoded polylines, NMEA, AIS, APRS, gpsd, Meshtastic and aircraft messages. Other lines count
/// as errors.
struct LineReader: Sendable {
    private var queue = ByteQueue()
    private(set) var line = 0
    private var columns: TableColumns?
    private var looks = OverlayStyleBuilder()
    private var json = GeoJSONFeatures()
    private var nmea = NMEAReader()
    private var gpsd = GPSDReader()
    private var aircraft = AircraftReader()
    private var ais = AISReader()
    private var mesh = MeshNodes()
    private let aprs = APRSReader()
    /// True while the rest of an overlong line is skipped.
    private var isPassing = false
    private static let longest = 64 << 20

    /// - Parameter hasIDs: True if objects and rows have ids, which replace earlier ones with the same id.
    ///   Those of ships, stations and aircraft always do.
    init(hasIDs: Bool) { json.hasIDs = hasIDs }

    /// Reads the next bytes.
    mutating func read(_ more: Bytes, into sink: inout FeatureSink) {
        var queue = ByteQueue(), used = 0
        swap(&queue, &self.queue)
        queue.append(more)
        queue.withBytes { bytes in
            while let end = bytes.part(used..<bytes.count).firstIndex(of: 0x0A) {
                read(line: bytes.part(used..<used + end), into: &sink)
                used += end + 1
            }
            if bytes.count - used > Self.longest { (used, isPassing) = (bytes.count, true) }
        }
        queue.drop(used)
        swap(&queue, &self.queue)
    }

    /// Drops an incomplete line.
    mutating func interrupt() { queue = ByteQueue() }

    /// Reads the last line, which may have no line feed.
    mutating func finish(into sink: inout FeatureSink) {
        var queue = ByteQueue()
        swap(&queue, &self.queue)
        queue.withBytes { bytes in if !bytes.isEmpty { read(line: bytes, into: &sink) } }
    }

    private mutating func read(line bytes: Bytes, into sink: inout FeatureSink) {
        line += 1
        if isPassing {
            isPassing = false
            return sink.faults.add("longer than 64 MiB", line: line)
        }
        var text = bytes.trimmed
        // RFC 8142 begins each text with a record separator; files may begin with a byte order mark.
        if text.first == 0x1E { text = text.part(1..<text.count).trimmed }
        if line == 1, text.begins(with: "\u{FEFF}") { text = text.part(3..<text.count).trimmed }
        guard let first = text.first, first != UInt8(ascii: "#") else { return }
        do throws(InputFault) {
            switch first {
            case UInt8(ascii: "{"): try readJSON(text, &sink)
            case UInt8(ascii: "["): json.read(text, line: line, into: &sink)
            case UInt8(ascii: "$"): if let fix = try nmea.read(text) { sink.fixes.append(fix) }
            case UInt8(ascii: "!"): if let ship = try ais.read(text) { sink.features.append(ship) }
            case UInt8(ascii: "\\"): try readTagged(text, &sink)
            default: try readWords(text, &sink)
            }
        } catch {
            sink.faults.add(error.reason, line: line)
        }
    }

    /// Reads a sentence after a tag block, which contains the time and the source.
    private mutating func readTagged(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        guard let end = text.part(1..<text.count).firstIndex(of: UInt8(ascii: "\\")), end + 2 < text.count
        else {
            throw InputFault("tag block without a sentence")
        }
        let sentence = text.part(end + 2..<text.count)
        if sentence.first == UInt8(ascii: "!") {
            try ais.read(sentence).map { sink.features.append($0) }
        } else if sentence.first == UInt8(ascii: "$") {
            try nmea.read(sentence).map { sink.fixes.append($0) }
        }
    }

    private mutating func readJSON(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        if try gpsd.read(text, into: &sink) { return }
        if try mesh.read(text, into: &sink) { return }
        json.read(text, line: line, into: &sink)
    }

    private mutating func readWords(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        if let columns {
            var feature = try columns.feature(text, &looks)
            if !json.hasIDs { feature.id = "" }
            return sink.features.append(feature)
        }
        if text.begins(with: "MSG,") {
            if let feature = aircraft.read(text) { sink.features.append(feature) }
            return
        }
        if APRSReader.isPacket(text) {
            if let station = try aprs.read(text) { sink.features.append(station) }
            return
        }
        if let named = TableColumns(text) {
            columns = named
            return
        }
        if let line = try Self.polyline(text) { return sink.features.append(line) }
        if let feature = try place(text) { sink.features.append(feature) }
    }

    /// Parses "polyline5:…[,label[,colour]]", or "polyline6:" for six decimals.
    private static func polyline(_ text: Bytes) throws(InputFault) -> OverlayFeature? {
        let precision = text.begins(with: "polyline5:") ? 5 : text.begins(with: "polyline6:") ? 6 : 0
        guard precision > 0 else { return nil }
        let fields = text.part(10..<text.count).split(
            separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false
        ).map { Bytes(rebasing: $0) }
        let places: [Coordinate]
        do throws(Polyline.Failure) {
            places = try Polyline.places(fields[0].trimmed, precision: precision)
        } catch {
            throw InputFault("invalid encoded line: \(error.rawValue)")
        }
        guard places.count > 1 else { throw InputFault("encoded line with fewer than two points") }
        var looks = OverlayStyleBuilder()
        if fields.count > 2 { looks.take("stroke", fields[2].trimmed.text) }
        let points = places.map { place in
            let point = Mercator.plane(place)
            return SIMD2(point.x, point.y)
        }
        return OverlayFeature(
            .line([OverlayPath(points)]), name: fields.count > 1 ? fields[1].trimmed.text : "",
            look: looks.finish(), isTrack: true)
    }

    /// Parses "lat,lon[,label[,colour[,glyph]]]", "lat lon", or any other notation of a position.
    private mutating func place(_ text: Bytes) throws(InputFault) -> OverlayFeature? {
        let separator =
            text.contains(UInt8(ascii: ",")) ? UInt8(ascii: ",") : text.contains(0x09) ? 0x09 : 0x20
        let fields = TableColumns.fields(text, separator).filter { separator != 0x20 || !$0.isEmpty }
        guard fields.count >= 2, let latitude = fields[0].number(comma: false),
            let longitude = fields[1].number(comma: false)
        else {
            guard text.count < 200,
                let place = try? ParsedLocation(text.text, near: Coordinate(latitude: 0, longitude: 0))
            else {
                throw InputFault(
                    "not a place or feature: \(SafeText.sanitised(text.part(0..<min(text.count, 40)).text))")
            }
            return OverlayFeature(.point(Mercator.plane(place.coordinate)))
        }
        guard abs(latitude) <= 90 else {
            let isSwapped = abs(longitude) <= 90
            throw InputFault(
                isSwapped ? "latitude \(latitude) is out of range; the latitude comes first" : "out of range")
        }
        let point = try GeoJSONFeatures.world(longitude, latitude)
        if fields.count > 3, !fields[3].isEmpty { looks.take("stroke", fields[3]) }
        if fields.count > 4, !fields[4].isEmpty { looks.take("glyph", fields[4]) }
        return OverlayFeature(.point(point), name: fields.count > 2 ? fields[2] : "", look: looks.finish())
    }
}
