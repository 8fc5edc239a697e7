/// Reads a FIT file (Flexible and Interoperable Data Transfer) from a sports watch: the record messages as
/// one feature, with the sport of the session.
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
    private var paths: [OverlayPath] = []
    private var sport: UInt8?

    /// Returns true if the bytes begin like a FIT file.
    static func begins(_ bytes: Bytes) -> Bool { bytes.count >= 12 && bytes.part(8..<12).equals(".FIT") }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the whole file. Stops at the first error and keeps the records before it.
    mutating func read(into sink: inout FeatureSink) {
        do throws(InputFault) {
            try readFile()
        } catch {
            sink.faults.add(error.reason)
        }
        path.finish().map { paths.append($0) }
        guard !paths.isEmpty else { return }
        var attributes = OverlayAttributes()
        if let sport { attributes.append("sport", Self.sports[Int(sport)] ?? "\(sport)") }
        sink.features.append(
            OverlayFeature(
                .line(paths), name: sport.flatMap { Self.sports[Int($0)] } ?? "", isTrack: true,
                attributes: attributes))
    }

    private static let sports = [
        0: "activity", 1: "running", 2: "cycling", 5: "swimming", 10: "training", 11: "walking", 12: "skiing",
        13: "skiing", 17: "hiking", 19: "paddling",
    ]

    private mutating func readFile() throws(InputFault) {
        guard bytes.count >= 14, bytes[0] >= 12 else { throw InputFault("the FIT file has no header") }
        let size = Int(bytes[4]) | Int(bytes[5]) << 8 | Int(bytes[6]) << 16 | Int(bytes[7]) << 24
        at = Int(bytes[0])
        end = min(at + size, bytes.count)
        let isWhole = at + size + 2 <= bytes.count
        while at < end { try readRecord() }
        guard isWhole else { throw InputFault("the FIT file is truncated") }
        let stored = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
        guard Self.checksum(bytes[..<end]) == stored else {
            throw InputFault("the checksum of the FIT file is wrong; it may be damaged")
        }
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
        var values: [UInt8: UInt32] = [:]
        for field in definition.fields {
            guard at + field.size <= end else { throw InputFault("the FIT file ends within a message") }
            if field.size <= 4 {
                let part = bytes[at..<at + field.size]
                values[field.number] = (definition.isBigEndian ? Array(part) : part.reversed()).reduce(0) {
                    $0 << 8 | UInt32($1)
                }
            }
            at += field.size
        }
        at = min(at + definition.passed, end)
        if let stamp = values[253], stamp != .max { lastTime = stamp }
        switch definition.message {
        case 20: takeRecord(values, time: time ?? values[253])
        case 12, 18:
            sport = values[definition.message == 12 ? 0 : 5].map { UInt8(truncatingIfNeeded: $0) } ?? sport
        default: break
        }
    }

    private mutating func takeRecord(_ values: [UInt8: UInt32], time: UInt32?) {
        guard let latitude = values[0], let longitude = values[1], latitude != 0x7FFF_FFFF,
            longitude != 0x7FFF_FFFF
        else { return }
        func degrees(_ value: UInt32) -> Double { Double(Int32(bitPattern: value)) * 180 / 2_147_483_648 }
        let height: Double =
            if let fine = values[78], fine != .max {
                Double(fine) / 5 - 500
            } else if let coarse = values[2], coarse != 0xFFFF { Double(coarse) / 5 - 500 } else { .nan }
        guard let point = try? GeoJSONFeatures.world(degrees(longitude), degrees(latitude)) else { return }
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
