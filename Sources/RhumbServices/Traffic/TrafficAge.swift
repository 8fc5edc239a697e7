/// How old the traffic on screen is.
public struct TrafficAge: Hashable, Sendable, CustomStringConvertible {
    /// Since the data was made, as far as is known.
    public let age: Duration
    /// Whether it could not be confirmed or renewed when it should have been.
    public let isStale: Bool

    /// - Parameter age: below zero counts as zero.
    public init(_ age: Duration, isStale: Bool) {
        self.age = max(age, .zero)
        self.isStale = isStale
    }

    /// For the status line: "traffic 40 s old", "traffic stale 6 min".
    public var description: String {
        isStale ? "traffic stale \(span)" : "traffic \(span) old"
    }

    /// Where there is little room: "40 s", "stale 6 min".
    public var short: String { isStale ? "stale \(span)" : span }

    /// How strongly it is drawn, 1…0.35: whole while fresh, fading with age once stale, least
    /// after half an hour.
    public var strength: Double {
        guard isStale else { return 1 }
        let share = min(seconds / 1800, 1)
        return 0.8 - 0.45 * share
    }

    /// When the text changes next, from now; to draw again in time.
    public var nextChange: Duration {
        let step: Int64 = seconds < 120 ? 5 : seconds < 7200 ? 60 : 3600
        return .seconds(step - age.components.seconds % step)
    }

    private var seconds: Double { Double(age.components.seconds) }

    /// Seconds by fives up to two minutes, minutes up to two hours, hours.
    private var span: String {
        let whole = age.components.seconds
        if whole < 120 { return "\(whole / 5 * 5) s" }
        return whole < 7200 ? "\(whole / 60) min" : "\(whole / 3600) h"
    }
}
