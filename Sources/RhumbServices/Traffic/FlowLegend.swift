/// The legend of the traffic colours, best level first.
public struct FlowLegend: Sendable, Equatable {
    /// A level and its label.
    public struct Entry: Sendable, Equatable {
        /// The level.
        public let level: TrafficLevel
        /// The label, at most 16 columns wide.
        public let words: String
    }

    /// The title of the legend.
    public let title: String
    /// The entries from the best level to the worst.
    public let entries: [Entry]

    /// Creates the legend of a mode.
    public init(_ mode: FlowMode) {
        title = mode.title
        entries = FlowLegend.words(of: mode).map { Entry(level: $0, words: $1) }
    }

    /// The legend of a provider that names its levels without bounds.
    public static let usual = FlowLegend(
        title: "traffic",
        entries: [(.free, "free"), (.slow, "slow"), (.heavy, "heavy"), (.jam, "jam"), (.closed, "closed")]
            .map { Entry(level: $0, words: $1) })

    private init(title: String, entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    private static func words(of mode: FlowMode) -> [(TrafficLevel, String)] {
        switch mode {
        case .absolute:
            [
                (.free, "over 120 km/h"), (.slow, "60-120 km/h"), (.jam, "under 60 km/h"),
                (.closed, "standing"),
            ]
        case .relative:
            [(.free, "free flow"), (.slow, "80-99 %"), (.jam, "under 80 %"), (.closed, "standing")]
        case .relativeDelay: [(.slow, "some delay"), (.jam, "delay"), (.closed, "standing")]
        case .reducedSensitivity:
            [(.free, "free flow"), (.slow, "much slower"), (.jam, "very slow"), (.closed, "standing")]
        case .relative0, .relative0Dark:
            [
                (.free, "over 75 %"), (.slow, "35-75 %"), (.heavy, "15-35 %"), (.jam, "under 15 %"),
                (.closed, "closed"),
            ]
        }
    }
}
