internal import RhumbBase
internal import RhumbGeo

/// Reads NMEA 0183 sentences of any talker: positions from RMC, GGA, GNS and GLL, which are joined by their
/// clock time, and waypoints from WPL. Dates are those of RMC and ZDA, also for positions before them.
struct NMEAReader: Sendable {
    /// The sentences of one moment.
    private struct Epoch {
        /// Seconds of the day; nil if no sentence has a time.
        var clock: Double?
        /// The start of the day in RMC.
        var day: Double?
        /// The number of the day; see `days`.
        var days = 0.0
        /// The talkers and types of the sentences. The same one again begins the next moment.
        var kinds: Set<String> = []
        var fix = PositionFix(place: nil)
        /// True if a sentence is about a position.
        var isUsed = false
        /// True if a live fix has been reported since the last change.
        var isReported = false
    }

    private let isLive: Bool
    private var epoch = Epoch()
    /// The number of midnights since the first clock time.
    private var days = 0.0
    private var lastClock: Double?
    /// The start of the day of the first clock time, in seconds since 1970; nil until a date is known.
    private var firstDay: Double?
    /// The fixes of a file until its end. Before the first date, their times count from the first day.
    private var held: [PositionFix] = []
    /// The held fixes by the seconds since the first day, with the types of their sentences as bits. A file
    /// may have all sentences of one type before those of another.
    private var known: [Double: (at: Int, types: UInt8)] = [:]
    private var sentences = 0
    /// The number of sentences that report that the receiver has no fix.
    private var voids = 0
    /// The number of positions so far.
    private(set) var positions = 0

    /// Metres of error per unit of dilution of precision, for a typical receiver.
    private static let metresPerDilution = 5.0
    private static let secondsPerDay = 86_400.0
    /// Seconds by which a clock may step back on the same day, as sentences may be out of order.
    private static let disorder = 3600.0
    /// Maximum number of held fixes: more than a day.
    private static let heldLimit = 200_000

    /// - Parameter isLive: True to report fixes without delay, false for a file.
    init(isLive: Bool) { self.isLive = isLive }

    /// Reads a sentence.
    /// - Throws: `InputFault` if the sentence is invalid.
    mutating func read(_ sentence: Bytes, into sink: inout FeatureSink) throws(InputFault) {
        let body = try Self.checked(sentence), fields = TableColumns.fields(body, UInt8(ascii: ","))
        sentences += 1
        guard let kind = fields.first, kind.utf8.count >= 3,
            kind.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x41 < 26 })
        else { throw InputFault("not an NMEA sentence") }
        // Proprietary sentences begin with P and have other formats.
        guard kind.utf8.count == 5, kind.utf8.first != UInt8(ascii: "P") else { return }
        func field(_ at: Int) -> String { at < fields.count ? fields[at] : "" }
        func number(_ at: Int) -> Double? { field(at).number(comma: false) }
        switch kind.suffix(3) {
        case "RMC":
            begin(kind, field(1), day: Self.day(field(9)), &sink)
            guard field(2) == "A" else { return voids += 1 }
            try setPlace(fields, 3, kind)
            epoch.fix.speed = number(7).map { $0 * 1852 / 3600 } ?? epoch.fix.speed
            epoch.fix.heading = number(8)?.plausibleBearing ?? epoch.fix.heading
        case "GGA":
            begin(kind, field(1), &sink)
            // Quality 0 is no fix.
            guard let quality = number(6), quality > 0 else { return voids += 1 }
            try setPlace(fields, 2, kind)
            let unit = field(10).lowercased() == "f" ? 0.3048 : 1
            setHeight(number(9).map { $0 * unit }, dilution: number(8))
        case "GNS":
            begin(kind, field(1), &sink)
            // The mode has a letter for each system, N for no fix.
            guard field(6).contains(where: { $0 != "N" }) else { return voids += 1 }
            try setPlace(fields, 2, kind)
            setHeight(number(9), dilution: number(8))
        case "GLL":
            // Old receivers send neither a time nor a status.
            if fields.count <= 5, epoch.clock != nil { return }
            begin(kind, field(5), &sink)
            guard field(6) == "A" || field(6).isEmpty else { return voids += 1 }
            try setPlace(fields, 1, kind)
        case "VTG":
            guard epoch.isUsed else { return }
            epoch.isReported = false
            epoch.fix.speed = epoch.fix.speed ?? number(5).map { $0 * 1852 / 3600 }
            epoch.fix.heading = epoch.fix.heading ?? number(1)?.plausibleBearing
        case "ZDA":
            guard let clock = Self.clock(field(1)) else { return }
            Self.day(year: field(4), field(3), field(2)).map { setDay($0, at: clock, &sink) }
        case "WPL":
            guard let place = Self.place(fields, 1) else { throw Self.fault(fields, 1, kind) }
            let name = field(5)
            positions += 1
            sink.features.append(
                OverlayFeature(
                    .point(Mercator.plane(place)), id: isLive ? "waypoint \(name)" : "", name: name))
        default: return
        }
    }

    /// Reports the fix of the last sentences without waiting for the next ones.
    mutating func pause(into sink: inout FeatureSink) {
        guard isLive, epoch.isUsed, !epoch.isReported else { return }
        report(&sink)
        epoch.isReported = true
    }

    /// Drops incomplete data, because the connection has ended.
    mutating func interrupt() { epoch = Epoch() }

    /// Reports the remaining fixes, and why there are none.
    mutating func finish(into sink: inout FeatureSink) {
        endEpoch(&sink)
        release(into: &sink)
        guard sentences > 0, positions == 0, !isLive else { return }
        sink.faults.add(
            voids > 0
                ? "the receiver had no fix: all NMEA positions are void (status V or quality 0)"
                : "the NMEA sentences have no position: RMC, GGA, GNS, GLL and WPL with a fix are read")
    }

    // MARK: Moments

    /// Starts a moment, unless the sentence belongs to the current one.
    /// - Parameter day: The start of the day in the sentence, in seconds since 1970.
    private mutating func begin(
        _ kind: String, _ clock: String, day: Double? = nil, _ sink: inout FeatureSink
    ) {
        let clock = Self.clock(clock)
        let isSame =
            epoch.isUsed && clock == epoch.clock && !epoch.kinds.contains(kind)
            && (day == nil || epoch.day == nil || day == epoch.day)
        if !isSame {
            endEpoch(&sink)
            epoch = Epoch(clock: clock)
            if let clock { advance(to: clock) }
            epoch.days = days
        }
        epoch.kinds.insert(kind)
        epoch.isUsed = true
        epoch.isReported = false
        guard let day else { return }
        epoch.day = day
        if let clock { setDay(day, at: clock, &sink) }
    }

    private mutating func endEpoch(_ sink: inout FeatureSink) {
        if epoch.isUsed, !epoch.isReported { report(&sink) }
        epoch = Epoch()
    }

    private mutating func report(_ sink: inout FeatureSink) {
        var fix = epoch.fix
        if fix.place != nil { positions += 1 }
        let time = epoch.clock.map { $0 + epoch.days * Self.secondsPerDay }
        fix.time = time.flatMap { time in firstDay.flatMap { ($0 + time).plausibleTime } }
        guard !isLive else { return sink.fixes.append(fix) }
        guard fix.place != nil else { return }
        if firstDay == nil { fix.time = time }
        if let time {
            let types = Self.types.enumerated().reduce(UInt8(0)) { bits, type in
                epoch.kinds.contains { $0.hasSuffix(type.element) } ? bits | 1 << type.offset : bits
            }
            // The step back of the clock to sentences of another type may have counted as a midnight.
            for time in [time, time - Self.secondsPerDay] {
                guard let other = known[time], other.types & types == 0, held[other.at].isCompleted(by: fix)
                else { continue }
                held[other.at].complete(with: fix)
                return known[time] = (other.at, other.types | types)
            }
            known[time] = (held.count, types)
        }
        held.append(fix)
        if held.count >= Self.heldLimit { release(into: &sink) }
    }

    /// Reports the held fixes.
    private mutating func release(into sink: inout FeatureSink) {
        for fix in held {
            var fix = fix
            if firstDay == nil { fix.time = nil }
            sink.fixes.append(fix)
        }
        held = []
        known = [:]
    }

    private static let types = ["RMC", "GGA", "GNS", "GLL"]

    /// Counts the midnights.
    private mutating func advance(to clock: Double) {
        if let lastClock {
            if clock < lastClock - Self.disorder { days += 1 }
            // The clock was past midnight, and steps back.
            if clock > lastClock + Self.secondsPerDay - Self.disorder, days > 0 { days -= 1 }
        }
        lastClock = clock
    }

    /// Sets the date of a clock time, and of the fixes before it.
    private mutating func setDay(_ day: Double, at clock: Double, _ sink: inout FeatureSink) {
        advance(to: clock)
        let first = day - days * Self.secondsPerDay
        if firstDay == nil {
            for at in held.indices { held[at].time = held[at].time.flatMap { ($0 + first).plausibleTime } }
        }
        firstDay = first
    }

    private mutating func setPlace(_ fields: [String], _ at: Int, _ kind: String) throws(InputFault) {
        guard let place = Self.place(fields, at) else { throw Self.fault(fields, at, kind) }
        epoch.fix.place = epoch.fix.place ?? place
    }

    private mutating func setHeight(_ height: Double?, dilution: Double?) {
        epoch.fix.height = epoch.fix.height ?? height?.plausibleHeight
        epoch.fix.accuracy = epoch.fix.accuracy ?? dilution.map { $0 * Self.metresPerDilution }
    }

    // MARK: Fields

    /// Returns the first sentence in a line that has a valid checksum, without the text around it, such as
    /// the time of a log; nil if there is none.
    static func sentence(in line: Bytes) -> Bytes? {
        var begin = 0
        while let star = line.part(begin..<line.count).firstIndex(of: UInt8(ascii: "*")).map({ begin + $0 }) {
            guard star + 2 < line.count else { return nil }
            if let sum = UInt8(line.part(star + 1..<star + 3).text, radix: 16),
                let start = signs(of: line, in: begin..<star, sum: sum).last
            {
                return line.part(start..<star + 3)
            }
            begin = star + 1
        }
        return nil
    }

    /// Returns the positions of signs from which the checksum is right up to the end of a range, backwards.
    /// Each byte is read once, since a line may consist of signs.
    private static func signs(of line: Bytes, in range: Range<Int>, sum: UInt8) -> [Int] {
        var rest: UInt8 = 0, found: [Int] = []
        for at in range.reversed() {
            let byte = line[at]
            if rest == sum, "$!".utf8.contains(byte),
                FeatureReader.isSentence(line.part(at..<line.count))
            {
                found.append(at)
            }
            rest ^= byte
        }
        return found
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

    /// Parses a latitude, N or S, a longitude, and E or W.
    private static func place(_ fields: [String], _ at: Int) -> Coordinate? {
        guard fields.count > at + 3, ["N", "S"].contains(fields[at + 1]),
            ["E", "W"].contains(fields[at + 3]),
            let latitude = degrees(fields[at], fields[at + 1] == "S"), abs(latitude) <= 90,
            let longitude = degrees(fields[at + 2], fields[at + 3] == "W"), abs(longitude) <= 180
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns the fault of a sentence whose position is missing or invalid.
    private static func fault(_ fields: [String], _ at: Int, _ kind: String) -> InputFault {
        let given = fields.dropFirst(at).prefix(4)
        guard given.count == 4, !fields[at].isEmpty, !fields[at + 2].isEmpty else {
            return InputFault("\(kind) sentence without a position")
        }
        return InputFault(
            "\(kind) sentence with an invalid position: \(given.joined(separator: ",").prefix(40))")
    }

    /// Parses degrees and minutes: "4916.45" is 49 degrees and 16.45 minutes.
    private static func degrees(_ text: String, _ isNegative: Bool) -> Double? {
        guard let number = text.number(comma: false), number >= 0 else { return nil }
        let whole = (number / 100).rounded(.down), minutes = number - whole * 100
        guard minutes < 60 else { return nil }
        return (whole + minutes / 60) * (isNegative ? -1 : 1)
    }

    /// Parses a clock time such as "123519.5" to seconds of the day.
    private static func clock(_ text: String) -> Double? {
        guard let hour = pair(text, 0), hour < 24, let minute = pair(text, 2), minute < 60,
            let second = pair(text, 4), second <= 60
        else { return nil }
        let fraction = text.withBytes { $0.count > 6 ? $0.part(6..<$0.count).number() : nil } ?? 0
        return Double(hour * 3600 + minute * 60 + second) + fraction
    }

    /// Parses a date such as "230394", 23 March 1994, to the start of the day in seconds since 1970.
    private static func day(_ date: String) -> Double? {
        guard date.utf8.count >= 6, let year = pair(date, 4) else { return nil }
        return day(
            year: "\(year + (year < 80 ? 2000 : 1900))", String(date.dropFirst(2).prefix(2)),
            String(date.prefix(2)))
    }

    private static func day(year: String, _ month: String, _ day: String) -> Double? {
        func whole(_ text: String) -> Int? { text.withBytes(\.digits) }
        guard let year = whole(year), (1980...2200).contains(year), let month = whole(month),
            (1...12).contains(month), let day = whole(day), (1...31).contains(day)
        else { return nil }
        return CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)).seconds
            .map { Double($0.value) }
    }

    private static func pair(_ text: String, _ at: Int) -> Int? {
        text.withBytes { $0.count >= at + 2 ? $0.part(at..<at + 2).digits : nil }
    }
}

extension PositionFix {
    /// Returns true for a place less than about a metre away, as receivers round places differently.
    fileprivate func isCompleted(by other: PositionFix) -> Bool {
        guard let place, let theirs = other.place else { return false }
        return max(abs(place.latitude - theirs.latitude), abs(place.longitude - theirs.longitude)) < 1e-5
    }

    /// Adds the facts that only another fix of the same moment has.
    fileprivate mutating func complete(with other: PositionFix) {
        accuracy = accuracy ?? other.accuracy
        heading = heading ?? other.heading
        speed = speed ?? other.speed
        height = height ?? other.height
    }
}
