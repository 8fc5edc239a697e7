/// The age of the traffic on screen.
public struct TrafficAge: Hashable, Sendable, CustomStringConvertible {
    /// The time since the data was created, as far as known.
    public let age: Duration
    /// True if the data is overdue for an update.
    public let isStale: Bool

    /// Creates an age.
    /// - Parameter age: Negative values count as zero.
    public init(_ age: Duration, isStale: Bool) {
        self.age = max(age, .zero)
        self.isStale = isStale
    }

    /// The text for the status line: "traffic 40 s old", "traffic stale 6 min".
    public var description: String {
        isStale ? "traffic stale \(span)" : "traffic \(span) old"
    }

    /// The short text: "40 s", "stale 6 min".
    public var short: String { isStale ? "stale \(span)" : span }

    /// The opacity of the traffic: 1 while fresh. Once stale, it fades from 0.8 to 0.35 at an age of half an
    /// hour.
    public var strength: Double {
        guard isStale else { return 1 }
        let share = min(seconds / 1800, 1)
        return 0.8 - 0.45 * share
    }

    /// The time until the text changes, for scheduling the next redraw.
    public var nextChange: Duration {
        let step: Int64 = seconds < 120 ? 5 : seconds < 7200 ? 60 : 3600
        return .seconds(step - age.components.seconds % step)
    }

    private var seconds: Double { Double(age.components.seconds) }

    /// The age in words: in steps of 5 s up to two minutes, in minutes up to two hours, then in hours.
    private var span: String {
        let whole = age.components.seconds
        if whole < 120 { return "\(whole / 5 * 5) s" }
        return whole < 7200 ? "\(whole / 60) min" : "\(whole / 3600) h"
    }
}
