/// A moment as whole seconds since 1970-01-01 00:00 UTC. Sums and differences stop at the ends
/// of the range instead of overflowing.
public struct UnixSeconds: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since the beginning of 1970, UTC, leap seconds left out.
    public let value: Int64

    /// A time in seconds since the start of 1970.
    public init(_ value: Int64) { self.value = value }

    /// Returns the time a number of seconds later, or earlier if it is negative.
    public func adding(_ seconds: Int64) -> UnixSeconds {
        UnixSeconds(value.saturatingAdd(seconds))
    }

    /// Seconds passed since an earlier moment; negative if that moment is later.
    public func seconds(since earlier: UnixSeconds) -> Int64 {
        value.saturatingSubtract(earlier.value)
    }

    /// The day in UTC, as "2026-11-22".
    public var day: String {
        let date = CivilDate(self)
        return "\(Self.text(date.year, 4))-\(Self.text(date.month, 2))-\(Self.text(date.day, 2))"
    }

    /// The moment in ISO 8601, as "2026-11-22T18:05:09Z".
    public var iso8601: String {
        let date = CivilDate(self)
        return "\(day)T\(Self.text(date.hour, 2)):\(Self.text(date.minute, 2)):\(Self.text(date.second, 2))Z"
    }

    private static func text(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }

    public static func < (a: UnixSeconds, b: UnixSeconds) -> Bool { a.value < b.value }

    public var description: String { HTTPDate.text(of: self) }
}
