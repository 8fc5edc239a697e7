internal import RhumbBase

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

/// Levels from measured values, which vector tiles of flow have instead of colours.
extension FlowMode {
    /// The mode in which to request tiles, measured in km/h or relative to free flow. Modes that differ only
    /// in their bands use the same tiles.
    public var measure: FlowMode {
        switch self {
        case .absolute, .relative, .relativeDelay: self
        case .reducedSensitivity, .relative0, .relative0Dark: .relative
        }
    }

    /// The lower bound of each level, from the worst level up, and the value from which nothing is shown.
    var bands: (levels: [(from: Double, level: TrafficLevel)], end: Double) {
        switch self {
        case .absolute: ([(0, .closed), (1, .jam), (60, .slow), (120, .free)], .infinity)
        case .relative: ([(0, .closed), (0.01, .jam), (0.8, .slow), (1, .free)], .infinity)
        case .relativeDelay: ([(0, .closed), (0.01, .jam), (0.8, .slow)], 1)
        case .reducedSensitivity: ([(0, .closed), (0.01, .jam), (0.5, .slow), (0.8, .free)], .infinity)
        case .relative0, .relative0Dark:
            ([(0, .closed), (0.01, .jam), (0.15, .heavy), (0.35, .slow), (0.75, .free)], .infinity)
        }
    }

    /// Returns the level of a measured value; nil if it isn't shown or is invalid.
    public func level(of value: Double) -> TrafficLevel? {
        let bands = bands
        return value < bands.end ? bands.levels.last { value >= $0.from }?.level : nil
    }

    /// Formats a measured value: "62 km/h", "45 % of free flow".
    func text(_ value: Double) -> String {
        let number = Int(clamping: self == .absolute ? value : value * 100)
        return self == .absolute ? "\(number) km/h" : "\(number) % of free flow"
    }
}
