internal import RhumbBase

/// Reads AIS sentences, "!AIVDM,1,1,,A,…,0*hh", as in ITU-R M.1371: positions of ships (messages 1 to 3, 11,
/// 18, 19, 27), search and rescue aircraft (9), base stations (4, 17) and aids to navigation (21), and ships'
/// names (5, 19, 24).
struct AISReader: Sendable {
    private struct Message {
        let sequence: String, channel: String
        var parts: [[UInt8]?]
        /// The number of the last sentence.
        var sentence: Int
    }

    private var ships = MovingMarks("mmsi ")
    /// Incomplete messages in several sentences.
    private var messages: [Message] = []
    private var sentences = 0
    /// The number of sentences after which the rest of a message is no longer expected, because their numbers
    /// are used again.
    private static let partLimit = 16

    /// Reads a sentence.
    /// - Returns: A ship with its position; nil if the sentence has none.
    /// - Throws: `InputFault` if the sentence is invalid.
    mutating func read(_ sentence: Bytes) throws(InputFault) -> OverlayFeature? {
        let body = try NMEAReader.checked(sentence), fields = TableColumns.fields(body, UInt8(ascii: ","))
        guard fields.count > 5, let kind = fields.first, kind.hasSuffix("VDM") || kind.hasSuffix("VDO") else {
            return nil
        }
        guard let count = Int(fields[1]), let number = Int(fields[2]), (1...9).contains(count),
            (1...count).contains(number)
        else {
            throw InputFault("AIS sentence without part numbers")
        }
        sentences += 1
        let payload = Array(fields[5].utf8)
        guard count > 1 else { return try message(SixBits(payload)) }
        return try joined(payload, fields[3], fields[4], number, of: count).flatMap {
            (whole) throws(InputFault) in try message(SixBits(whole))
        }
    }

    /// Returns the payload of a message after its last missing part, else nil. Parts may be out of order, and
    /// may lack the channel.
    private mutating func joined(
        _ payload: [UInt8], _ sequence: String, _ channel: String, _ number: Int, of count: Int
    ) -> [UInt8]? {
        messages.removeAll { sentences - $0.sentence > Self.partLimit }
        let index = messages.firstIndex { message in
            message.sequence == sequence && message.parts.count == count && message.parts[number - 1] == nil
                && (message.channel == channel || message.channel.isEmpty || channel.isEmpty)
        }
        guard let index else {
            // A repeated part begins another message.
            messages.removeAll { $0.sequence == sequence && $0.channel == channel }
            var message = Message(
                sequence: sequence, channel: channel, parts: Array(repeating: nil, count: count),
                sentence: sentences)
            message.parts[number - 1] = payload
            messages.append(message)
            return nil
        }
        messages[index].parts[number - 1] = payload
        messages[index].sentence = sentences
        let parts = messages[index].parts.compactMap(\.self)
        guard parts.count == count else { return nil }
        messages.remove(at: index)
        return Array(parts.joined())
    }

    private mutating func message(_ bits: SixBits) throws(InputFault) -> OverlayFeature? {
        guard let kind = bits.number(0, 6), let id = bits.number(8, 30).map({ MovingMarks.mmsi("\($0)") })
        else {
            throw InputFault("AIS message too short")
        }
        switch kind {
        case 1...3:
            let facts = motion(bits, speed: 50, course: 116) + [("status", status(bits, 38))]
            return try ship(id, bits, longitude: 61, heading: 128, course: 116, facts)
        case 4, 11:
            let facts = kind == 4 ? [(name: "kind", value: "base station")] : []
            return try ship(id, bits, longitude: 79, facts)
        case 5:
            return ships.update(
                id, name: bits.text(112, 20),
                [
                    ("call sign", bits.text(70, 7)), ("ship type", Self.type(bits.number(232, 8))),
                    ("destination", bits.text(302, 20)),
                ])
        case 9:
            let height = bits.number(38, 12).flatMap { $0 < 4095 ? "\($0) m" : nil } ?? ""
            let facts =
                motion(bits, speed: 50, course: 116, knots: 1)
                + [("height", height), ("kind", "search and rescue aircraft")]
            return try ship(id, bits, longitude: 61, course: 116, facts)
        case 17: return try coarseShip(id, bits, longitude: 40, [("kind", "DGNSS station")])
        case 18, 19:
            if kind == 19 {
                _ = ships.update(
                    id, name: bits.text(143, 20), [("ship type", Self.type(bits.number(263, 8)))])
            }
            return try ship(
                id, bits, longitude: 57, heading: 124, course: 112, motion(bits, speed: 46, course: 112))
        case 21:
            _ = ships.update(id, name: bits.text(43, 20) + bits.text(272, 14))
            return try ship(id, bits, longitude: 164, [("kind", "aid to navigation")])
        case 24:
            if bits.number(38, 2) == 0 { return ships.update(id, name: bits.text(40, 20)) }
            return ships.update(
                id, [("ship type", Self.type(bits.number(40, 8))), ("call sign", bits.text(90, 7))])
        case 27:
            let speed = bits.number(79, 6).flatMap { $0 < 63 ? "\($0) kn" : nil } ?? ""
            let course = bits.number(85, 9).flatMap { $0 < 360 ? $0 : nil }
            return try coarseShip(
                id, bits, longitude: 44, heading: course.map(Double.init),
                [
                    ("speed", speed), ("course", course.map { "\($0)°" } ?? ""),
                    ("status", status(bits, 40)),
                ])
        default: return nil
        }
    }

    private func status(_ bits: SixBits, _ at: Int) -> String {
        bits.number(at, 4).flatMap { Self.states[$0] } ?? ""
    }

    /// Returns speed and course over ground; empty texts if unknown.
    /// - Parameter knots: The number of units of the speed in a knot.
    private func motion(_ bits: SixBits, speed: Int, course: Int, knots: Int = 10) -> MovingMarks.Facts {
        let speed = bits.number(speed, 10).flatMap { $0 < 1023 ? $0 : nil }.map {
            knots == 1 ? "\($0) kn" : "\(Double($0) / Double(knots)) kn"
        }
        let degrees = bits.number(course, 12).flatMap { $0 < 3600 ? "\(Double($0) / 10)°" : nil }
        return [("speed", speed ?? ""), ("course", degrees ?? "")]
    }

    /// - Parameter longitude: Index of the longitude's first bit; the latitude follows.
    /// - Returns: nil if the message has no position.
    private mutating func ship(
        _ id: String, _ bits: SixBits, longitude at: Int, heading: Int? = nil, course: Int? = nil,
        _ facts: MovingMarks.Facts
    ) throws(InputFault) -> OverlayFeature? {
        guard let longitude = bits.signed(at, 28), let latitude = bits.signed(at + 28, 27) else {
            throw InputFault("AIS message too short")
        }
        let bow = heading.flatMap { bits.number($0, 9) }.flatMap { $0 < 360 ? Double($0) : nil }
        let way = course.flatMap { bits.number($0, 12) }.flatMap { $0 < 3600 ? Double($0) / 10 : nil }
        return try mark(id, Double(longitude) / 600_000, Double(latitude) / 600_000, bow ?? way, facts)
    }

    /// As `ship`, for a position in tenths of a minute.
    private mutating func coarseShip(
        _ id: String, _ bits: SixBits, longitude at: Int, heading: Double? = nil, _ facts: MovingMarks.Facts
    ) throws(InputFault) -> OverlayFeature? {
        guard let longitude = bits.signed(at, 18), let latitude = bits.signed(at + 18, 17) else {
            throw InputFault("AIS message too short")
        }
        return try mark(id, Double(longitude) / 600, Double(latitude) / 600, heading, facts)
    }

    private mutating func mark(
        _ id: String, _ longitude: Double, _ latitude: Double, _ heading: Double?, _ facts: MovingMarks.Facts
    ) throws(InputFault) -> OverlayFeature? {
        // 181 and 91 degrees mean unknown.
        guard abs(longitude) <= 180, abs(latitude) <= 90 else { return nil }
        return try ships.move(id, longitude, latitude, heading: heading, facts)
    }

    private static let states = [
        0: "under way", 1: "at anchor", 2: "not under command", 3: "restricted", 4: "constrained by draught",
        5: "moored", 6: "aground",
        7: "fishing", 8: "sailing",
    ]

    /// Returns the ship type in words; mostly the first digit determines it.
    private static func type(_ code: Int?) -> String {
        guard let code, code > 0 else { return "" }
        let special = [
            30: "fishing", 31: "towing", 32: "towing", 33: "dredging", 35: "military", 36: "sailing",
            37: "pleasure", 50: "pilot", 51: "rescue", 52: "tug", 55: "police",
        ]
        let tens = [
            2: "wing in ground", 4: "high-speed craft", 6: "passenger", 7: "cargo", 8: "tanker", 9: "other",
        ]
        return special[code] ?? tens[code / 10] ?? "\(code)"
    }
}

/// The bits of a message, encoded with six bits per letter.
struct SixBits {
    private let values: [UInt8]

    init(_ letters: [UInt8]) {
        values = letters.map { letter in
            let value = letter &- 48
            return (value > 40 ? value &- 8 : value) & 63
        }
    }

    /// Returns an unsigned number; nil beyond the end.
    /// - Parameter length: Number of bits, 1…56.
    func number(_ start: Int, _ length: Int) -> Int? {
        guard start + length <= values.count * 6 else { return nil }
        return (start..<start + length).reduce(0) { $0 << 1 | Int(values[$1 / 6] >> UInt8(5 - $1 % 6) & 1) }
    }

    /// Returns a signed number; nil beyond the end.
    func signed(_ start: Int, _ length: Int) -> Int? {
        number(start, length).map { $0 >= 1 << (length - 1) ? $0 - 1 << length : $0 }
    }

    /// Returns a text of six-bit letters, terminated by "@" or the end of the message.
    func text(_ start: Int, _ length: Int) -> String {
        var letters: [UInt8] = []
        for at in 0..<length {
            guard let value = number(start + 6 * at, 6), value != 0 else { break }
            letters.append(UInt8(value < 32 ? value + 64 : value))
        }
        return String(decoding: letters, as: UTF8.self).trimmed
    }
}
