/// The age of the traffic on screen.
public struct TrafficAge: Hashable, Sendable, CustomStringConvertible {
    /// Since the data was made, as far as is known.
    public let age: Duration
    /// True if it was not confirmed or renewed in time.
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

    /// A short form: "40 s", "stale 6 min".
    public var short: String { isStale ? "stale \(span)" : span }

    /// The opacity, from 1 to 0.35: 1 while fresh, then decreasing for half an hour.
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
