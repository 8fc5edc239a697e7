internal import RhumbBase

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
    func words(_ value: Double) -> String {
        let number = Int(clamping: self == .absolute ? value : value * 100)
        return self == .absolute ? "\(number) km/h" : "\(number) % of free flow"
    }
}
