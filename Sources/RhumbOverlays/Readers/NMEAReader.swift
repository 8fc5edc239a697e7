internal import RhumbBase
internal import RhumbGeo

/// Reads NMEA 0183 sentences: position, time and speed from RMC, height and accuracy from GGA.
struct NMEAReader: Sendable {
    private var height: Double?
    private var dilution: Double?
    /// Metres of error per unit of dilution of precision, for a typical receiver.
    private static let metresPerDilution = 5.0

    /// Reads a sentence; nil if it has no position.
    /// - Throws: `InputFault` if the sentence is invalid.
    mutating func read(_ sentence: Bytes) throws(InputFault) -> PositionFix? {
        let body = try Self.checked(sentence), fields = TableColumns.fields(body, UInt8(ascii: ","))
        guard let kind = fields.first, kind.utf8.count == 5 else { return nil }
        switch kind.suffix(3) {
        case "GGA":
            guard fields.count > 9 else { throw InputFault("GGA sentence too short") }
            height = fields[9].number(comma: false)
            dilution = fields[8].number(comma: false)
            return nil
        case "RMC":
            guard fields.count > 9 else { throw InputFault("RMC sentence too short") }
            guard fields[2] == "A" else { return PositionFix(place: nil) }
            return try fix(fields)
        default: return nil
        }
    }

    private func fix(_ fields: [String]) throws(InputFault) -> PositionFix {
        guard let latitude = Self.degrees(fields[3], fields[4] == "S"),
            let longitude = Self.degrees(fields[5], fields[6] == "W"),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { throw InputFault("RMC sentence without a position") }
        return PositionFix(
            place: Coordinate(latitude: latitude, longitude: longitude),
            accuracy: dilution.map { $0 * Self.metresPerDilution },
            heading: fields[8].number(comma: false),
            speed: fields[7].number(comma: false).map { $0 * 1852 / 3600 }, height: height,
            time: Self.moment(fields[1], fields[9]))
    }

    /// Returns the text between "$" and "*" after verifying the checksum, if there is one.
    static func checked(_ sentence: Bytes) throws(InputFault) -> Bytes {
        guard let star = sentence.lastIndex(of: UInt8(ascii: "*")), star + 2 < sentence.count else {
            return sentence.part(1..<sentence.count)
        }
        let body = sentence.part(1..<star)
        guard let sum = UInt8(sentence.part(star + 1..<star + 3).text, radix: 16), body.reduce(0, ^) == sum
        else {
            throw InputFault("sentence with a wrong checksum")
        }
        return body
    }

    /// Parses degrees and minutes: "4916.45" is 49 degrees and 16.45 minutes.
    private static func degrees(_ text: String, _ isNegative: Bool) -> Double? {
        guard let number = text.number(comma: false), number >= 0 else { return nil }
        let whole = (number / 100).rounded(.down), degrees = whole + (number - whole * 100) / 60
        return isNegative ? -degrees : degrees
    }

    /// Parses a time and a date: "123519.5" and "230394" are 23 March 1994, 12:35:19.5.
    private static func moment(_ time: String, _ date: String) -> Double? {
        func pair(_ text: String, _ at: Int) -> Int? {
            text.withBytes { $0.count >= at + 2 ? $0.part(at..<at + 2).digits : nil }
        }
        guard let hour = pair(time, 0), let minute = pair(time, 2), let second = pair(time, 4),
            let day = pair(date, 0),
            let month = pair(date, 2), let year = pair(date, 4)
        else { return nil }
        let fraction = time.withBytes { $0.count > 6 ? $0.part(6..<$0.count).number() : nil } ?? 0
        return CivilDate(
            year: Int64(year + (year < 80 ? 2000 : 1900)), month: Int64(month), day: Int64(day),
            hour: Int64(hour), minute: Int64(minute),
            second: Int64(second)
        ).seconds.map { Double($0.value) + fraction }
    }
}
