/// A time as whole seconds since 1970-01-01 00:00 UTC. Sums and differences are clamped instead of
/// overflowing.
public struct UnixSeconds: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since the beginning of 1970 in UTC, without leap seconds.
    public let value: Int64

    /// Creates a time from seconds since the beginning of 1970.
    public init(_ value: Int64) { self.value = value }

    /// Returns the time a number of seconds later, or earlier if it is negative.
    public func adding(_ seconds: Int64) -> UnixSeconds {
        UnixSeconds(value.saturatingAdd(seconds))
    }

    /// Returns the seconds since an earlier time; negative if that time is later.
    public func seconds(since earlier: UnixSeconds) -> Int64 {
        value.saturatingSubtract(earlier.value)
    }

    /// The day in UTC, such as "2026-11-22".
    public var day: String {
        let date = CivilDate(self)
        return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2))"
    }

    /// The time in ISO 8601, such as "2026-11-22T18:05:09Z".
    public var iso8601: String {
        let date = CivilDate(self)
        return "\(day)T\(date.hour.digits(2)):\(date.minute.digits(2)):\(date.second.digits(2))Z"
    }

    public static func < (a: UnixSeconds, b: UnixSeconds) -> Bool { a.value < b.value }

    public var description: String { HTTPDate.text(of: self) }
}
