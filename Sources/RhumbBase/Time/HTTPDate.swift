/// Dates in HTTP's formats (RFC 9110, 5.6.7).
public enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    // Each response has two or three dates, so their bytes are examined in place.
    private typealias Word = Substring.UTF8View

    /// Parses a date; nil if it is invalid. Accepts the IMF-fixdate, RFC 850 and asctime formats, in GMT (or
    /// UTC) only.
    /// - Parameter now: Decides the century of RFC 850's two-digit years: a year more than 50 years ahead is
    ///   in the past.
    public static func parse(_ text: String, now: UnixSeconds) -> UnixSeconds? {
        if let moment = text.utf8.withContiguousStorageIfAvailable(fixed) ?? nil { return moment }
        let words = text[...].utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
        switch words.count {
        case 6: return imfFixdate(words)
        case 5: return asctime(words)
        case 4: return rfc850(words, now: now)
        default: return nil
        }
    }

    /// Parses a date that has exactly one of the formats, in GMT. For fields whose invalid values have a
    /// meaning, such as `Expires`.
    public static func parse(exactly text: String, now: UnixSeconds) -> UnixSeconds? {
        let shape = String(
            decoding: text.utf8.map { byte -> UInt8 in
                switch byte {
                case 48...57: UInt8(ascii: "0")
                case 65...90, 97...122: UInt8(ascii: "a")
                default: byte
                }
            }, as: UTF8.self)
        let isCommon = shape == "aaa, 00 aaa 0000 00:00:00 aaa"
        let isOld = shape.hasSuffix("aaaaaa, 00-aaa-00 00:00:00 aaa")
        let isShort = ["aaa aaa 00 00:00:00 0000", "aaa aaa  0 00:00:00 0000"].contains(shape)
        let hasZone = text.suffix(4).lowercased() == " gmt"
        return isShort || hasZone && (isCommon || isOld) ? parse(text, now: now) : nil
    }

    /// Returns the IMF-fixdate format, as in "Sun, 06 Nov 1994 08:49:37 GMT".
    public static func text(of moment: UnixSeconds) -> String {
        let date = CivilDate(moment)
        let time = [date.hour, date.minute, date.second].map { $0.digits(2) }.joined(separator: ":")
        return
            "\(weekdays[date.weekday]), \(date.day.digits(2)) \(months[Int(date.month) - 1]) \(date.year.digits(4)) \(time) GMT"
    }

    /// Parses an IMF-fixdate with two digits for the day and all names in their usual spelling, in place.
    private static func fixed(_ text: UnsafeBufferPointer<UInt8>) -> UnixSeconds? {
        func number(_ range: Range<Int>) -> Int64? {
            text[range].allSatisfy { (48...57).contains($0) }
                ? text[range].reduce(0) { $0 * 10 + Int64($1 - 48) } : nil
        }
        guard text.count == 29, text[3] == UInt8(ascii: ","), text[25...].elementsEqual(" GMT".utf8),
            [4, 7, 11, 16].allSatisfy({ text[$0] == UInt8(ascii: " ") }), text[19] == UInt8(ascii: ":"),
            text[22] == UInt8(ascii: ":"),
            let month = months.firstIndex(where: { text[8..<11].elementsEqual($0.utf8) }),
            let day = number(5..<7),
            let year = number(12..<16), let hour = number(17..<19), let minute = number(20..<22),
            let second = number(23..<25)
        else { return nil }
        return CivilDate(
            year: year, month: Int64(month) + 1, day: day, hour: hour, minute: minute, second: second
        ).seconds
    }

    /// Parses "Sun 06 Nov 1994 08:49:37 GMT".
    private static func imfFixdate(_ words: [Word]) -> UnixSeconds? {
        guard isGMT(words[5]) else { return nil }
        return moment(year: number(words[3], digits: 4...4), words[2], day: words[1], words[4])
    }

    /// Parses "Sunday 06-Nov-94 08:49:37 GMT".
    private static func rfc850(_ words: [Word], now: UnixSeconds) -> UnixSeconds? {
        let parts = words[1].split(separator: UInt8(ascii: "-"))
        guard parts.count == 3, isGMT(words[3]) else { return nil }
        guard let short = number(parts[2], digits: 2...2) else { return nil }
        let century = CivilDate(now).year / 100 * 100
        let candidates = [century + 100 + short, century + short, century - 100 + short]
        let latest = CivilDate(now).year + 50
        return moment(year: candidates.first { $0 <= latest }, parts[1], day: parts[0], words[2])
    }

    /// Parses "Sun Nov 6 08:49:37 1994".
    private static func asctime(_ words: [Word]) -> UnixSeconds? {
        moment(year: number(words[4], digits: 4...4), words[1], day: words[2], words[3])
    }

    private static func moment(year: Int64?, _ month: Word, day: Word, _ time: Word) -> UnixSeconds? {
        let clock = time.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard clock.count == 3, let year,
            let month = months.firstIndex(where: Substring(month).equalsIgnoringCase),
            let day = number(day, digits: 1...2), let hour = number(clock[0], digits: 1...2),
            let minute = number(clock[1], digits: 2...2), let second = number(clock[2], digits: 2...2)
        else { return nil }
        return CivilDate(
            year: year, month: Int64(month) + 1, day: day, hour: hour, minute: minute, second: second
        ).seconds
    }

    private static func isGMT(_ word: Word) -> Bool {
        ["GMT", "UTC"].contains(where: Substring(word).equalsIgnoringCase)
    }

    private static func number(_ word: Word, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(word.count), word.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return word.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
}
