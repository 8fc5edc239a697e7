internal import RhumbBase

/// Reads AIS sentences, "!AIVDM,1,1,,A,…,0*hh", as in ITU-R M.1371: positions of ships (messages 1 to 3, 18,
/// 19), base stations (4) and aids to navigation (21), and ships' names (5, 19, 24).
struct AISReader: Sendable {
    private var ships = ShipList()
    /// Incomplete messages in several sentences, oldest first.
    private var parts: [(key: String, payload: [UInt8], next: Int)] = []
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
        var payload = Array(fields[5].utf8)
        if count > 1 {
            guard let whole = joined(payload, "\(fields[3]) \(fields[4]) \(count)", number, of: count) else {
                return nil
            }
            payload = whole
        }
        return try message(SixBits(payload))
    }

    /// Returns the payload of a message after its last part, else nil. Ignores parts that are out of order.
    private mutating func joined(_ payload: [UInt8], _ key: String, _ number: Int, of count: Int) -> [UInt8]?
    {
        let known = parts.firstIndex { $0.key == key }
        if number == 1 {
            if let known { parts.remove(at: known) }
            if parts.count >= Self.partLimit { parts.removeFirst() }
            parts.append((key, payload, 2))
            return nil
        }
        guard let known, parts[known].next == number else { return nil }
        parts[known].payload += payload
        parts[known].next += 1
        return number == count ? parts.remove(at: known).payload : nil
    }

    private mutating func message(_ bits: SixBits) throws(InputFault) -> OverlayFeature? {
        guard let kind = bits.number(0, 6), let id = bits.number(8, 30).map({ "\($0)" }) else {
            throw InputFault("AIS message too short")
        }
        switch kind {
        case 1...3:
            let facts =
                motion(bits, speed: 50, course: 116) + [
                    ("status", bits.number(38, 4).flatMap { Self.states[$0] } ?? "")
                ]
            return try ship(id, bits, longitude: 61, heading: 128, course: 116, facts)
        case 4:
            return try ship(id, bits, longitude: 79, heading: nil, course: nil, [("kind", "base station")])
        case 5:
            ships.update(
                id, name: bits.text(112, 20),
                [
                    ("call sign", bits.text(70, 7)), ("ship type", Self.type(bits.number(232, 8))),
                    ("destination", bits.text(302, 20)),
                ])
            return nil
        case 18, 19:
            if kind == 19 {
                ships.update(id, name: bits.text(143, 20), [("ship type", Self.type(bits.number(263, 8)))])
            }
            return try ship(
                id, bits, longitude: 57, heading: 124, course: 112, motion(bits, speed: 46, course: 112))
        case 21:
            ships.update(id, name: bits.text(43, 20))
            return try ship(
                id, bits, longitude: 164, heading: nil, course: nil, [("kind", "aid to navigation")])
        case 24:
            if bits.number(38, 2) == 0 {
                ships.update(id, name: bits.text(40, 20))
            } else {
                ships.update(
                    id, [("ship type", Self.type(bits.number(40, 8))), ("call sign", bits.text(90, 7))])
            }
            return nil
        default: return nil
        }
    }

    /// Returns speed and course over ground; empty texts if unknown.
    private func motion(_ bits: SixBits, speed: Int, course: Int) -> [(name: String, value: String)] {
        let knots = bits.number(speed, 10).flatMap { $0 < 1023 ? "\(Double($0) / 10) kn" : nil }
        let degrees = bits.number(course, 12).flatMap { $0 < 3600 ? "\(Double($0) / 10)°" : nil }
        return [("speed", knots ?? ""), ("course", degrees ?? "")]
    }

    /// - Parameter longitude: Index of the longitude's first bit; the latitude follows.
    /// - Returns: nil if the message has no position.
    private func ship(
        _ id: String, _ bits: SixBits, longitude at: Int, heading: Int?, course: Int?,
        _ facts: [(name: String, value: String)]
    ) throws(InputFault) -> OverlayFeature? {
        guard let longitude = bits.signed(at, 28), let latitude = bits.signed(at + 28, 27) else {
            throw InputFault("AIS message too short")
        }
        let place = (x: Double(longitude) / 600_000, y: Double(latitude) / 600_000)
        // 181 and 91 degrees mean unknown.
        guard abs(place.x) <= 180, abs(place.y) <= 90 else { return nil }
        let bow = heading.flatMap { bits.number($0, 9) }.flatMap { $0 < 360 ? Double($0) : nil }
        let way = course.flatMap { bits.number($0, 12) }.flatMap { $0 < 3600 ? Double($0) / 10 : nil }
        return try ships.feature(id, place.x, place.y, heading: bow ?? way, facts)
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
