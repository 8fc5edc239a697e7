internal import RhumbBase
internal import RhumbGeo

/// Reads a FIT file (Flexible and Interoperable Data Transfer) from a sports watch: the record messages as
/// one feature, with the sport of the session or the name of the course, and also the points of a course and
/// stored locations. A pause of the timer ends a line of the feature. A chained file consists of several such
/// files.
struct FITReader {
    private struct Field { let number: UInt8, size: Int, type: UInt8 }
    private struct Definition { let message: UInt16, isBigEndian: Bool, fields: [Field], passed: Int }

    /// The FIT epoch, 1989-12-31, in seconds since 1970.
    private static let epoch = 631_065_600.0
    private let bytes: [UInt8]
    private var at = 0, end = 0
    private var definitions: [UInt8: Definition] = [:]
    private var lastTime: UInt32 = 0
    private var path = OverlayPathBuilder()
    /// The lines before the pauses.
    private var paths: [OverlayPath] = []
    /// True after the timer was stopped, until it is started again.
    private var isStopped = false
    private var sport: UInt8?
    private var courseName = ""
    private var marks: [OverlayFeature] = []

    /// Returns true if the bytes begin like a FIT file.
    static func begins(_ bytes: Bytes) -> Bool { bytes.count >= 12 && bytes.part(8..<12).equals(".FIT") }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the whole file. Skips the rest of a damaged part, and keeps the records before it.
    mutating func read(into sink: inout FeatureSink) {
        var start = 0
        repeat {
            let next: Int
            do throws(InputFault) {
                next = try readPart(start)
            } catch {
                sink.faults.add(error.reason)
                next = Self.end(ofPart: start, bytes).end
            }
            takeTrack(&sink)
            start = next
            // Some devices fill their last block with zeros.
        } while bytes[min(start, bytes.count)...].contains { $0 != 0 }
        if sink.features.isEmpty, sink.faults.count == 0 { sink.faults.add("the FIT file has no positions") }
    }

    /// Adds the records of a part as a feature.
    private mutating func takeTrack(_ sink: inout FeatureSink) {
        endPath()
        defer {
            sport = nil
            courseName = ""
            marks = []
            paths = []
            definitions = [:]
            lastTime = 0
            isStopped = false
        }
        sink.features += marks
        guard !paths.isEmpty else { return }
        let name = sport.flatMap { Self.sports[Int($0)] }
        var attributes = OverlayAttributes()
        if let sport { attributes.append("sport", name ?? "\(sport)") }
        sink.features.append(
            OverlayFeature(
                .line(paths), name: courseName.isEmpty ? name ?? "" : courseName, isTrack: true,
                attributes: attributes))
    }

    private static let sports = [
        0: "activity", 1: "running", 2: "cycling", 5: "swimming", 10: "training", 11: "walking", 12: "skiing",
        13: "skiing", 17: "hiking", 19: "paddling",
    ]

    /// Returns the number of bytes in the header of a part and the number behind it, without the checksum;
    /// nil if there is no header.
    private static func sizes(ofPart start: Int, _ bytes: [UInt8]) -> (header: Int, data: Int)? {
        guard bytes.count - start >= headerSize, bytes[start] >= 12,
            bytes[start + 8..<start + 12].elementsEqual(".FIT".utf8)
        else { return nil }
        let data = (0..<4).reduce(0) { $0 | Int(bytes[start + 4 + $1]) << (8 * $1) }
        return (Int(bytes[start]), data)
    }

    /// Returns the end of a part: the one that its header states, or, if the file ends before it, the start
    /// of the next part or the end of the file.
    private static func end(ofPart start: Int, _ bytes: [UInt8]) -> (end: Int, isStated: Bool) {
        guard let (header, data) = sizes(ofPart: start, bytes) else { return (bytes.count, false) }
        let begin = start + header, end = begin + data + checksumSize
        if data > 0, end <= bytes.count {
            // Only the right size is followed by another part or zeros, or has the right checksum.
            let isLast = bytes[end...].allSatisfy { $0 == 0 }
            if isLast || isHeader(end, bytes) || checksum(bytes[start..<end]) == 0 { return (end, true) }
        }
        let next = (begin..<max(bytes.count - headerSize, begin)).first { isHeader($0, bytes) }
        return (next ?? bytes.count, false)
    }

    private static func isHeader(_ at: Int, _ bytes: [UInt8]) -> Bool {
        bytes.count - at >= headerSize && (bytes[at] == 12 || bytes[at] == 14)
            && bytes[at + 8..<at + 12].elementsEqual(".FIT".utf8)
    }

    /// The size of a header with its checksum, or of one without and the checksum of a part.
    private static let headerSize = 14
    private static let checksumSize = 2

    /// Reads a part.
    /// - Returns: The end of the part.
    private mutating func readPart(_ start: Int) throws(InputFault) -> Int {
        guard let (header, data) = Self.sizes(ofPart: start, bytes) else {
            let rest = bytes.count - start
            if rest < Self.headerSize, bytes[start...].first.map({ $0 == 12 || $0 == 14 }) == true {
                throw Self.truncated
            }
            throw InputFault(
                start == 0
                    ? "the FIT file has no header"
                    : "\(AmountText.bytes(rest)) after the end of the FIT file are not FIT")
        }
        at = start + header
        let (next, isStated) = Self.end(ofPart: start, bytes)
        guard isStated else {
            end = next
            guard at + Self.checksumSize < end else {
                throw data == 0 ? InputFault("the FIT file has no records") : Self.truncated
            }
            let isCut = at + data + Self.checksumSize > end && !hasChecksum(start, header)
            do throws(InputFault) {
                // A device that crashed has not written the size. The last bytes may be a checksum.
                while at + Self.checksumSize < end { try readRecord() }
            } catch {
                throw isCut ? Self.truncated : error
            }
            guard !isCut, data == 0 || at + Self.checksumSize == end else { throw Self.truncated }
            let problem = data == 0 ? "says that it is empty" : "has a wrong size"
            throw InputFault("the header of the FIT file \(problem); its records are shown")
        }
        end = next - Self.checksumSize
        while at < end { try readRecord() }
        // The checksum of bytes and their checksum is 0.
        guard Self.checksum(bytes[start..<next]) == 0 else {
            throw InputFault("the checksum of the FIT file is wrong; it may be damaged")
        }
        return next
    }

    private static let truncated = InputFault("the FIT file is truncated")

    /// Returns true if a part whose header states a wrong size ends with its checksum: of its bytes as they
    /// are, or of those with the right size.
    private func hasChecksum(_ start: Int, _ header: Int) -> Bool {
        var part = Array(bytes[start..<end])
        if Self.checksum(part) == 0 { return true }
        let data = end - start - header - Self.checksumSize
        for at in 0..<4 { part[4 + at] = UInt8(truncatingIfNeeded: data >> (8 * at)) }
        return Self.checksum(part) == 0
    }

    private mutating func next() throws(InputFault) -> UInt8 {
        guard at < end else { throw InputFault("the FIT file ends within a message") }
        defer { at += 1 }
        return bytes[at]
    }

    private mutating func readRecord() throws(InputFault) {
        let header = try next()
        if header & 0x80 != 0 {
            // The five bits are an offset from the last time.
            let offset = UInt32(header & 0x1F)
            lastTime = (lastTime & ~0x1F) &+ offset &+ (offset < lastTime & 0x1F ? 0x20 : 0)
            try readData(header >> 5 & 3, time: lastTime)
        } else if header & 0x40 != 0 {
            try readDefinition(header & 0xF, hasDeveloperFields: header & 0x20 != 0)
        } else {
            try readData(header & 0xF, time: nil)
        }
    }

    private mutating func readDefinition(_ local: UInt8, hasDeveloperFields: Bool) throws(InputFault) {
        _ = try next()
        let isBigEndian = try next() != 0, low = UInt16(try next()), high = UInt16(try next())
        var fields: [Field] = [], passed = 0
        for _ in 0..<(try next()) {
            fields.append(Field(number: try next(), size: Int(try next()), type: try next()))
        }
        if hasDeveloperFields {
            for _ in 0..<(try next()) {
                _ = try next()
                passed += Int(try next())
                _ = try next()
            }
        }
        definitions[local] = Definition(
            message: isBigEndian ? low << 8 | high : high << 8 | low, isBigEndian: isBigEndian,
            fields: fields, passed: passed)
    }

    private mutating func readData(_ local: UInt8, time: UInt32?) throws(InputFault) {
        guard let definition = definitions[local] else {
            throw InputFault("FIT message without a definition")
        }
        var values: [UInt8: UInt32] = [:], texts: [UInt8: String] = [:]
        for field in definition.fields {
            guard at + field.size <= end else { throw InputFault("the FIT file ends within a message") }
            if field.size <= 4 {
                let part = bytes[at..<at + field.size]
                let value = definition.isBigEndian ? UInt32(bigEndian: part) : UInt32(littleEndian: part)
                if value != Self.missing(field) { values[field.number] = value }
            }
            if field.type == Self.text {
                let text = bytes[at..<at + field.size].prefix { $0 != 0 }
                texts[field.number] = String(decoding: text, as: UTF8.self)
            }
            at += field.size
        }
        at = min(at + definition.passed, end)
        if let stamp = values[253] { lastTime = stamp }
        switch definition.message {
        case 20: takeRecord(values, time: time ?? values[253])
        case 12, 18:
            sport = values[definition.message == 12 ? 0 : 5].map { UInt8(truncatingIfNeeded: $0) } ?? sport
        case 21: takeEvent(values[0], values[1])
        case 29:
            let height = Self.height(coarse: values[4])
            takeMark(Self.place(values[1], values[2]), texts[0], ("height", height.map { "\($0)" }), nil)
        case 31: courseName = texts[5] ?? courseName
        case 32:
            let kind = values[5].flatMap { Self.kinds.indices.contains(Int($0)) ? Self.kinds[Int($0)] : nil }
            takeMark(Self.place(values[2], values[3]), texts[6], ("type", kind), values[1])
        default: break
        }
    }

    /// Returns the value that means a missing one: the largest of the type, or 0 for some.
    private static func missing(_ field: Field) -> UInt32 {
        let largest = UInt32(truncatingIfNeeded: (UInt64(1) << (8 * min(field.size, 4))) - 1)
        return switch field.type & 0x1F {
        case 1, 3, 5: largest >> 1
        case text, 0x0A, 0x0B, 0x0C: 0
        default: largest
        }
    }

    /// The type of a field with text.
    private static let text: UInt8 = 7
    /// The kinds of a course's points by number.
    private static let kinds = [
        "point", "summit", "valley", "water", "food", "danger", "left", "right", "straight", "first aid",
        "fourth category", "third category", "second category", "first category", "hors catégorie", "sprint",
        "left fork", "right fork", "middle fork", "slight left", "sharp left", "slight right", "sharp right",
        "U-turn", "segment start", "segment end",
    ]

    /// Adds a point of a course, or a stored location.
    private mutating func takeMark(
        _ point: WorldPoint?, _ name: String?, _ fact: (name: String, value: String?), _ time: UInt32?
    ) {
        guard let point else { return }
        var attributes = OverlayAttributes()
        if let value = fact.value { attributes.append(fact.name, value) }
        let moment = time.map { Double($0) + Self.epoch } ?? .nan
        marks.append(OverlayFeature(.point(point), name: name ?? "", time: moment, attributes: attributes))
    }

    /// Returns a position; nil if it is missing or invalid.
    private static func place(_ latitude: UInt32?, _ longitude: UInt32?) -> WorldPoint? {
        guard let latitude, let longitude else { return nil }
        func degrees(_ value: UInt32) -> Double { Double(Int32(bitPattern: value)) * 180 / 2_147_483_648 }
        return try? GeoJSONFeatures.world(degrees(longitude), degrees(latitude))
    }

    /// Returns metres above sea level; nil if they are missing.
    private static func height(fine: UInt32? = nil, coarse: UInt32?) -> Double? {
        (fine ?? coarse).map { Double($0) / 5 - 500 }
    }

    /// Notes that the timer is stopped, and starts a new line where it is started again. Until then, records
    /// belong to the line before the pause.
    private mutating func takeEvent(_ event: UInt32?, _ kind: UInt32?) {
        guard event == Self.timerEvent, let kind else { return }
        if Self.stopKinds.contains(kind) { isStopped = true }
        guard kind == Self.startKind, isStopped else { return }
        isStopped = false
        endPath()
    }

    private mutating func endPath() { path.finish().map { paths.append($0) } }

    private static let timerEvent: UInt32 = 0
    private static let startKind: UInt32 = 0
    /// The kinds of events that stop the timer: stop, stop all, and both with the device disabled.
    private static let stopKinds: Set<UInt32> = [1, 4, 8, 9]

    private mutating func takeRecord(_ values: [UInt8: UInt32], time: UInt32?) {
        guard let point = Self.place(values[0], values[1]) else { return }
        let height = Self.height(fine: values[78], coarse: values[2]) ?? .nan
        path.append(point, height: height, time: time.map { Double($0) + Self.epoch } ?? .nan)
    }

    /// Computes the checksum of FIT, CRC-16/ARC.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            var sum = sum ^ UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 != 0 ? sum >> 1 ^ 0xA001 : sum >> 1 }
            return sum
        }
    }
}
