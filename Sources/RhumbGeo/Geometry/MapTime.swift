internal import RhumbBase

/// A time in UTC as users enter it: "now", "2026-06-21T12:00" or "12:00".
public enum MapTime: Equatable, Sendable {
    case now
    /// Seconds since 1970.
    case moment(Double)
    /// Seconds since midnight of the current day.
    case timeOfDay(Double)

    /// Parses "now", a time of day, or a date with or without a time; nil for anything else.
    public init?(_ text: String) {
        if text == "now" {
            self = .now
            return
        }
        let plain = text.hasSuffix("Z") ? text.dropLast() : text[...]
        let parts = plain.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        switch (parts.count, parts.first.map(MapTime.date) ?? nil) {
        case (1, let date?): self = .moment(date)
        case (2, let date?):
            guard let time = MapTime.timeOfDay(parts[1]) else { return nil }
            self = .moment(date + time)
        case (1, nil):
            guard let time = MapTime.timeOfDay(parts[0]) else { return nil }
            self = .timeOfDay(time)
        default: return nil
        }
    }

    /// Returns the seconds since 1970, given the current ones.
    public func seconds(now: Double) -> Double {
        switch self {
        case .now: now
        case .moment(let moment): moment
        case .timeOfDay(let time): (now / 86400).rounded(.down) * 86400 + time
        }
    }

    private static func date(_ text: Substring) -> Double? {
        let numbers = numbers(text, between: "-")
        guard numbers.count == 3, text.count == 10 else { return nil }
        return CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]).seconds.map {
            Double($0.value)
        }
    }

    private static func timeOfDay(_ text: Substring) -> Double? {
        let numbers = numbers(text, between: ":")
        guard (2...3).contains(numbers.count), numbers[0] < 24, numbers[1] < 60,
            numbers.last.map({ $0 < 60 }) == true
        else { return nil }
        return Double(numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    /// Returns numbers that consist of digits only; empty if any does not.
    private static func numbers(_ text: Substring, between mark: Character) -> [Int64] {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        let numbers = parts.compactMap {
            $0.count < 5 && $0.allSatisfy(\.isASCII) && $0.first?.isNumber == true ? Int64($0) : nil
        }
        return numbers.count == parts.count ? numbers : []
    }
}
