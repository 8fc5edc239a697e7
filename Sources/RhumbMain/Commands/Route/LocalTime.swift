internal import Glibc
internal import Rhumb

/// Formats times in the local time zone.
enum LocalTime {
    /// Returns the time of day, such as "17:04", or on another day "Mon 17:04".
    static func text(_ moment: UnixSeconds, now: UnixSeconds) -> String {
        let then = parts(moment), today = parts(now)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(then.tm_hour)):\(two(then.tm_min))"
        guard then.tm_yday != today.tm_yday || then.tm_year != today.tm_year else { return clock }
        return "\(days[Int(min(max(then.tm_wday, 0), 6))]) \(clock)"
    }

    private static func parts(_ moment: UnixSeconds) -> tm {
        var seconds = time_t(moment.value), parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }
}
