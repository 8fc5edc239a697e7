/// TomTom's modes of colouring traffic flow.
public enum FlowMode: String, Sendable, CaseIterable {
    /// By absolute speed.
    case absolute
    /// By speed relative to free flow.
    case relative
    /// Like `relative`, but only where traffic is slower than free flow.
    case relativeDelay = "relative-delay"
    /// Like `relative`, with wider bands.
    case reducedSensitivity = "reduced-sensitivity"
    /// Relative to free flow in five bands, for light maps.
    case relative0
    /// Relative to free flow in five bands, for dark maps.
    case relative0Dark = "relative0-dark"

    /// The default mode.
    public static let standard = FlowMode.relative

    /// True if requests may set a line thickness; the service rejects it in other modes.
    public var takesThickness: Bool { self != .relative0 && self != .relative0Dark }

    /// The title in legends and notices.
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

/// TomTom's styles of drawing incidents.
public enum IncidentStyle: String, Sendable, CaseIterable {
    case s0
    case s0Dark = "s0-dark"
    case s1, s2, s3
    /// Doesn't cluster icons.
    case night

    /// The default style.
    public static let standard = IncidentStyle.s0
}

/// The kinds of traffic layers. The raw values are words of the command line.
public enum TrafficKind: String, Sendable, CaseIterable {
    case flow, incidents
}
