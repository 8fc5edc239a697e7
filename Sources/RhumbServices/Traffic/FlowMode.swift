/// The meaning of the flow colours, by TomTom's names.
public enum FlowMode: String, Sendable, CaseIterable {
    /// By measured speed.
    case absolute
    /// By speed against the free flow of the road.
    case relative
    /// The same, only where traffic is slower than that.
    case relativeDelay = "relative-delay"
    /// The same as relative with wider bands.
    case reducedSensitivity = "reduced-sensitivity"
    /// Relative in five bands, for light maps.
    case relative0
    /// Relative in five bands, for dark maps.
    case relative0Dark = "relative0-dark"

    /// The default mode.
    public static let standard = FlowMode.relative

    /// True if a line thickness may be requested; the service rejects it for other modes.
    public var takesThickness: Bool { self != .relative0 && self != .relative0Dark }

    /// For a legend's title and a notice, as "relative speed".
    public var title: String {
        switch self {
        case .absolute: "speed"
        case .relative: "speed against free flow"
        case .relativeDelay: "delays only"
        case .reducedSensitivity: "strong delays"
        case .relative0: "five levels"
        case .relative0Dark: "five levels, dark"
        }
    }
}

/// The style of incidents, by TomTom's names.
public enum IncidentStyle: String, Sendable, CaseIterable {
    case s0
    case s0Dark = "s0-dark"
    case s1, s2, s3
    /// Does not gather icons in clusters.
    case night

    /// The default style.
    public static let standard = IncidentStyle.s0
}

/// The two kinds of traffic layers; raw values are words of the command line.
public enum TrafficKind: String, Sendable, CaseIterable {
    case flow, incidents
}
