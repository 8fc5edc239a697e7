internal import Glibc
public import RhumbCore

/// The time zone in which times are shown.
public enum ClockZone: Sendable, Equatable {
    case utc
    /// The zone of the system, or of the variable TZ.
    case local

    /// Returns a time of day with its zone, such as "14:03:20 CEST".
    /// - Parameter seconds: The time in seconds since 1970.
    func time(_ seconds: Double) -> String {
        guard let parts = parts(UnixSeconds(Int64(clamping: seconds))) else { return "unknown" }
        return "\(Self.clock(parts)):\(parts.tm_sec.digits(2)) \(zone(parts))"
    }

    /// Returns two times with their dates and zones, such as "2025-07-21 14:03 to 16:40 CEST".
    /// - Parameters:
    ///   - start: The first time in seconds since 1970.
    ///   - end: The last time in seconds since 1970.
    func span(_ start: Double, _ end: Double) -> String {
        guard let from = parts(UnixSeconds(Int64(clamping: start))),
            let to = parts(UnixSeconds(Int64(clamping: end)))
        else { return "unknown" }
        let isOneDay = Self.date(from) == Self.date(to), isOneZone = zone(from) == zone(to)
        return "\(Self.date(from)) \(Self.clock(from))" + (isOneZone ? "" : " \(zone(from))")
            + " to " + (isOneDay ? "" : "\(Self.date(to)) ") + "\(Self.clock(to)) \(zone(to))"
    }

    /// Returns a time of day, such as "17:04", or on another day than `now` "Mon 17:04".
    public func text(_ moment: UnixSeconds, now: UnixSeconds) -> String {
        guard let then = parts(moment), let today = parts(now) else { return "unknown" }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        guard Self.date(then) != Self.date(today) else { return Self.clock(then) }
        return "\(days[Int(min(max(then.tm_wday, 0), 6))]) \(Self.clock(then))"
    }

    /// Returns the date and time of a moment; nil for one beyond the calendar.
    private func parts(_ moment: UnixSeconds) -> tm? {
        var seconds = time_t(moment.value), parts = tm()
        let found = self == .local ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)
        return found == nil ? nil : parts
    }

    /// The zone's abbreviation, such as "CEST", or its offset, such as "UTC+03".
    private func zone(_ parts: tm) -> String {
        guard self == .local, let letters = parts.tm_zone else { return "UTC" }
        let name = SafeText.sanitised(String(cString: letters), limit: 10)
        return name.first?.isLetter == true ? name : "UTC\(name)"
    }

    private static func clock(_ parts: tm) -> String {
        "\(parts.tm_hour.digits(2)):\(parts.tm_min.digits(2))"
    }

    private static func date(_ parts: tm) -> String {
        "\(Int(parts.tm_year) + 1900)-\((parts.tm_mon + 1).digits(2))-\(parts.tm_mday.digits(2))"
    }
}

extension TrackStatistics {
    /// Returns the statistics in words, with the times at the ends.
    public func facts(in zone: ClockZone) -> [MapFeature.Attribute] {
        guard let start, let end else { return attributes }
        return attributes + [.init("recorded", zone.span(start, end))]
    }
}
