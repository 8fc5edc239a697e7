internal import RhumbBase
internal import RhumbGeo

/// Reads features from separate lines: JSON, rows of a table whose first line names its columns, plain
/// positions, WKT, encoded polylines, NMEA, AIS, APRS, gpsd, Meshtastic and aircraft messages. Other lines
/// count as errors. Lines end with a line feed, a carriage return, or both.
struct LineReader: Sendable {
    private enum Table {
        /// No line has been read.
        case unknown
        case none
        case columns(TableColumns)
        /// A table without columns for a position. Its rows are skipped.
        case refused
    }

    private var queue = ByteQueue()
    /// The number of queued bytes without a line end.
    private var searched = 0
    /// True behind a carriage return, which a line feed may follow.
    private var isBehindReturn = false
    private(set) var line = 0
    private var table = Table.unknown
    /// The line that seems to be the header of a table without a position, until it is reported. Lines about
    /// the file may precede the header.
    private var refusedLine: Int?
    private static let preambleLength = 8
    /// The separator that the first line of a table names, as Excel writes it: "sep=;".
    private var separator: UInt8?
    /// The beginning of a row with line breaks in quotes.
    private var row: QuotedRow?
    /// The number of rows whose quotes have no end.
    private var openRows = 0
    private static let openRowLimit = 64
    private var styleBuilder = OverlayStyleBuilder()
    private var json = GeoJSONFeatures()
    private var nmea: NMEAReader
    private var gpsd = GPSDReader()
    private var aircraft = AircraftReader()
    private var ais = AISReader()
    private var mesh = MeshNodes()
    private let aprs = APRSReader()
    /// True while the rest of an overlong line is skipped.
    private var isPassing = false
    /// The number of bytes in lines of unknown formats, less some for each line with a feature.
    private(set) var unknownBytes = 0
    private static let bytesPerFeature = 4096
    private static let longest = 64 << 20

    /// - Parameters:
    ///   - isLive: True for a receiver, false for a file.
    ///   - hasIDs: True if objects and rows have ids, which replace earlier ones with the same id. Those of
    ///     ships, stations and aircraft always do.
    init(isLive: Bool, hasIDs: Bool) {
        nmea = NMEAReader(isLive: isLive)
        json.hasIDs = hasIDs
    }

    /// Reads the next bytes.
    mutating func read(_ more: Bytes, into sink: inout FeatureSink) {
        var queue = ByteQueue(), used = 0, at = searched
        swap(&queue, &self.queue)
        queue.append(more)
        queue.withBytes { bytes in
            while let end = bytes.part(at..<bytes.count).firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                let end = at + end, isReturn = bytes[end] == 0x0D
                if end > used || isReturn || !isBehindReturn {
                    read(line: bytes.part(used..<end), into: &sink)
                }
                isBehindReturn = isReturn
                used = end + 1
                at = end + 1
            }
            if bytes.count - used > Self.longest {
                // A line without an end is never counted there.
                unknownBytes += bytes.count - used
                used = bytes.count
                isPassing = true
            }
            searched = bytes.count - used
        }
        queue.drop(used)
        swap(&queue, &self.queue)
        nmea.pause(into: &sink)
    }

    /// Drops an incomplete line.
    mutating func interrupt() {
        (queue, searched, row, unknownBytes) = (ByteQueue(), 0, nil, 0)
        nmea.interrupt()
    }

    /// Reads the last line, which may have no line end.
    mutating func finish(into sink: inout FeatureSink) {
        var queue = ByteQueue()
        swap(&queue, &self.queue)
        queue.withBytes { bytes in if !bytes.isEmpty { read(line: bytes, into: &sink) } }
        while let open = row {
            row = nil
            skip(open, "a quotation mark has no end; the row is skipped", &sink)
        }
        reportRefusal(&sink)
        nmea.finish(into: &sink)
    }

    private mutating func reportRefusal(_ sink: inout FeatureSink) {
        guard let refused = refusedLine else { return }
        refusedLine = nil
        sink.faults.add(
            "the table has no known columns of a position: name them \(TableColumns.readable)", line: refused)
    }

    private mutating func read(line bytes: Bytes, into sink: inout FeatureSink) {
        line += 1
        if isPassing {
            isPassing = false
            return sink.faults.add("longer than 64 MiB", line: line)
        }
        // RFC 8142 begins each text with a record separator; files may begin with a byte order mark.
        var bytes = bytes
        if bytes.first == 0x1E { bytes = bytes.part(1..<bytes.count) }
        if line == 1, bytes.begins(with: "\u{FEFF}") { bytes = bytes.part(3..<bytes.count) }
        guard row == nil else {
            unknownBytes += bytes.count + 1
            return read(continuation: bytes, into: &sink)
        }
        let text = bytes.trimmed
        guard let first = text.first else {
            unknownBytes += bytes.count + 1
            return
        }
        let before = (sink.features.count, sink.fixes.count, nmea.positions)
        do throws(InputFault) {
            switch first {
            case _ where "#$!\\[".utf8.contains(first) && isRow(bytes): try read(row: bytes, &sink)
            case UInt8(ascii: "#"): readRemark(text)
            case _ where "[{".utf8.contains(first) && FeatureReader.isLogged(text):
                try read(words: bytes, &sink)
            case UInt8(ascii: "{"): try readJSON(text, &sink)
            case UInt8(ascii: "["): json.read(text, line: line, into: &sink)
            // The sign may also begin the text of a log before the sentence.
            case UInt8(ascii: "$"), UInt8(ascii: "!"):
                try read(sentence: NMEAReader.sentence(in: text) ?? text, &sink)
            case UInt8(ascii: "\\"): try readTagged(text, &sink)
            default: try read(words: bytes, &sink)
            }
            if before != (sink.features.count, sink.fixes.count, nmea.positions) {
                unknownBytes = max(unknownBytes - Self.bytesPerFeature, 0)
            }
        } catch {
            unknownBytes += bytes.count
            sink.faults.add(error.reason, line: line)
        }
    }

    /// Reads a sentence after a tag block, which contains the time and the source.
    private mutating func readTagged(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        guard let end = text.part(1..<text.count).firstIndex(of: UInt8(ascii: "\\")), end + 2 < text.count
        else {
            throw InputFault("tag block without a sentence")
        }
        try read(sentence: text.part(end + 2..<text.count), &sink)
    }

    private mutating func read(sentence: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        if sentence.first == UInt8(ascii: "!") {
            try ais.read(sentence).map { sink.features.append($0) }
        } else if sentence.first == UInt8(ascii: "$") {
            try nmea.read(sentence, into: &sink)
        }
    }

    private mutating func readJSON(_ text: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        if try gpsd.read(text, into: &sink) { return }
        if try mesh.read(text, into: &sink) { return }
        json.read(text, line: line, into: &sink)
    }

    /// Reads a line that is neither JSON nor a sentence. Its leading tabs may be empty fields.
    private mutating func read(words bytes: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        let text = bytes.trimmed, sentence = NMEAReader.sentence(in: text)
        if case .columns = table, sentence == nil || isRow(bytes) { return try read(row: bytes, &sink) }
        if text.begins(with: "MSG,") {
            if let feature = aircraft.read(text) { sink.features.append(feature) }
            return
        }
        if APRSReader.isPacket(text) {
            if let station = try aprs.read(text, &sink) { sink.features.append(station) }
            return
        }
        if let sentence { return try read(sentence: sentence, &sink) }
        if let utf8 = Windows1252.utf8(bytes) {
            sink.checkEncoding(bytes, line: line)
            return try utf8.withBytes { (bytes) throws(InputFault) in try read(words: bytes, &sink) }
        }
        let isFirst = if case .unknown = table { true } else { false }
        if isFirst, let sign = Self.separator(bytes) { return separator = sign }
        if isFirst, text[0] &- 0x30 >= 10 {
            row = QuotedRow(bytes, line: line, separators: separator.map { [$0] } ?? TableColumns.separators)
            guard row == nil else { return }
        }
        // Positions begin with digits, signs or letters, headers with letters or quotes.
        if text[0] &- 0x30 >= 10, let columns = TableColumns(bytes, separator: separator) {
            sink.remark = columns.remark ?? sink.remark
            refusedLine = nil
            return table = .columns(columns)
        }
        if case .refused = table {
            if line > Self.preambleLength { reportRefusal(&sink) }
            return
        }
        if isFirst { table = .none }
        if let line = try Self.polyline(text) { return sink.features.append(line) }
        if let shapes = try WKTReader.shapes(text, &sink) {
            if shapes.isEmpty { sink.emptyFeatures += 1 }
            return sink.features += shapes.map { OverlayFeature($0) }
        }
        do throws(InputFault) {
            if let feature = try place(text) { sink.features.append(feature) }
        } catch {
            guard isFirst, TableColumns.isHeader(bytes, separator: separator) else { throw error }
            table = .refused
            refusedLine = line
        }
    }

    /// Reads a remark, which may be the header of a table.
    private mutating func readRemark(_ text: Bytes) {
        guard case .unknown = table,
            let columns = TableColumns(
                text.part(1..<text.count), separator: separator, isRemark: true)
        else { return }
        table = .columns(columns)
    }

    /// True if a line that begins like a sentence or a remark is a row of the table.
    private func isRow(_ bytes: Bytes) -> Bool {
        guard case .columns(let columns) = table else { return false }
        return TableColumns.fields(bytes, columns.separator).count == columns.count
    }

    // MARK: Tables

    /// Parses Excel's first line, such as "sep=;". The separator may be a tab.
    private static func separator(_ line: Bytes) -> UInt8? {
        let word = line.filter { $0 != UInt8(ascii: "\"") }, signs = word.dropFirst(4)
        guard String(decoding: word.prefix(4), as: UTF8.self).lowercased() == "sep=",
            signs.dropFirst().allSatisfy({ $0 <= 0x20 })
        else { return nil }
        return signs.first
    }

    private mutating func read(row bytes: Bytes, _ sink: inout FeatureSink) throws(InputFault) {
        guard case .columns(let columns) = table else { return }
        row = QuotedRow(bytes, line: line, separators: [columns.separator])
        guard row == nil else { return }
        guard let utf8 = Windows1252.utf8(bytes) else {
            return sink.features += try columns.features(bytes, hasID: json.hasIDs, &styleBuilder, &sink)
        }
        sink.checkEncoding(bytes, line: line)
        try utf8.withBytes { (bytes) throws(InputFault) in
            sink.features += try columns.features(bytes, hasID: json.hasIDs, &styleBuilder, &sink)
        }
    }

    /// Reads the next line of a row with line breaks.
    private mutating func read(continuation bytes: Bytes, into sink: inout FeatureSink) {
        var whole: QuotedRow?
        swap(&whole, &row)
        guard let isComplete = whole?.append(bytes), let whole else { return }
        guard isComplete else {
            guard whole.bytes.count <= QuotedRow.limit else {
                return skip(whole, "a quotation mark has no end within 1 MiB", &sink)
            }
            return row = whole
        }
        let before = sink.features.count
        do throws(InputFault) {
            try whole.bytes.withBytes { (bytes) throws(InputFault) in try read(words: bytes, &sink) }
            if sink.features.count > before { unknownBytes = max(unknownBytes - whole.bytes.count, 0) }
        } catch {
            sink.faults.add(error.reason, line: whole.line)
        }
    }

    /// Skips the first line of a row whose quote has no end, and reads the others again.
    private mutating func skip(_ open: QuotedRow, _ reason: String, _ sink: inout FeatureSink) {
        sink.faults.add(reason, line: open.line)
        let lines = open.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst()
        guard !lines.isEmpty else { return }
        guard openRows < Self.openRowLimit else {
            let reason = "rows behind an open quotation mark are skipped"
            return sink.faults.add(reason, line: open.line + 1, number: lines.count)
        }
        openRows += 1
        line = open.line
        for bytes in lines { bytes.withUnsafeBufferPointer { read(line: $0, into: &sink) } }
    }

    /// Returns the number of decimals of an encoded line; 0 for other lines.
    static func polylinePrecision(_ text: Bytes) -> Int {
        text.begins(with: "polyline5:") ? 5 : text.begins(with: "polyline6:") ? 6 : 0
    }

    /// Parses "polyline5:…[,label[,colour]]", or "polyline6:" for six decimals.
    private static func polyline(_ text: Bytes) throws(InputFault) -> OverlayFeature? {
        let precision = polylinePrecision(text)
        guard precision > 0 else { return nil }
        let fields = text.part(10..<text.count).split(
            separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false
        ).map { Bytes(rebasing: $0) }
        let places = try converting(Polyline.places(fields[0].trimmed, precision: precision)) {
            (error: Polyline.Failure) in InputFault("invalid encoded line: \(error.rawValue)")
        }
        guard places.count > 1 else { throw InputFault("encoded line with fewer than two points") }
        var styleBuilder = OverlayStyleBuilder()
        if fields.count > 2 { styleBuilder.take("stroke", fields[2].trimmed.text) }
        let points = places.map { place in
            let point = Mercator.plane(place)
            return SIMD2(point.x, point.y)
        }
        return OverlayFeature(
            .line([OverlayPath(points)]), name: fields.count > 1 ? fields[1].trimmed.text : "",
            style: styleBuilder.finish(), isTrack: true)
    }

    /// Parses "lat,lon[,label[,colour[,glyph]]]", "lat lon", or any other notation of a position.
    private mutating func place(_ text: Bytes) throws(InputFault) -> OverlayFeature? {
        guard let (latitude, longitude, fields) = Self.numbers(text) else {
            // A geohash without a digit is a word, such as "test" in a log.
            guard text.count < 200, text.contains(where: { (0x30...0x39).contains($0) }),
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
        if fields.count > 3, !fields[3].isEmpty { styleBuilder.take("stroke", fields[3]) }
        if fields.count > 4, !fields[4].isEmpty { styleBuilder.take("glyph", fields[4]) }
        return OverlayFeature(
            .point(point), name: fields.count > 2 ? fields[2] : "", style: styleBuilder.finish())
    }

    /// Splits a line that begins with two numbers. Other separators than a comma allow decimal commas.
    private static func numbers(_ text: Bytes) -> (latitude: Double, longitude: Double, fields: [String])? {
        for separator in ",\t; ".utf8 where text.contains(separator) {
            let fields = TableColumns.fields(text, separator), comma = separator != UInt8(ascii: ",")
            guard fields.count >= 2, let latitude = fields[0].number(comma: comma),
                let longitude = fields[1].number(comma: comma)
            else { continue }
            return (latitude, longitude, fields)
        }
        return nil
    }
}

/// Reads BaseStation (SBS-1) messages of aircraft. Callsigns, heights, speeds and positions arrive in
/// separate lines.
struct AircraftReader: Sendable {
    private var aircraft = MovingMarks("")
    private var tracks: [String: Double] = [:]
    private static let limit = 20_000

    /// Reads a message; nil if it changes nothing that is visible.
    mutating func read(_ line: Bytes) -> OverlayFeature? {
        let fields = TableColumns.fields(line, UInt8(ascii: ","))
        guard fields.count > 15, !fields[4].isEmpty else { return nil }
        let id = fields[4]
        if let track = fields[13].number(comma: false) {
            if tracks.count >= Self.limit { tracks = [:] }
            tracks[id] = track
        }
        func fact(_ name: String, _ at: Int, _ unit: String) -> (name: String, value: String) {
            (name, fields[at].isEmpty ? "" : fields[at] + unit)
        }
        let changed = aircraft.update(
            id, name: fields[10],
            [fact("height", 11, " ft"), fact("speed", 12, " kn"), fact("track", 13, "°")])
        guard let latitude = fields[14].number(comma: false), let longitude = fields[15].number(comma: false)
        else { return changed }
        return (try? aircraft.move(id, longitude, latitude, heading: tracks[id], [])) ?? changed
    }
}
