public import RhumbCore

/// The reason that a list of features is invalid, or that something is refused because its feature is off.
public enum FeatureFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    case unknown(String)
    /// A feature of HERE that no source in Rhumb provides.
    case notProvided(String)
    /// The base map is always enabled.
    case baseDisabled(listed: Set<Feature>)
    /// The request belongs to a disabled feature.
    case disabled(Feature, wanted: String)

    public var description: String {
        switch self {
        case .unknown(let name):
            "unknown feature \(SafeText.sanitised(name, limit: 60))"
        case .notProvided(let name): "no source provides \(name); remove it from the list"
        case .baseDisabled(let listed):
            "rendering is the base map and can't be disabled; the list must be "
                + listed.union([.rendering]).map(\.name).sorted().joined(separator: ",")
        case .disabled(let feature, let wanted):
            "\(wanted) needs the feature \(feature), which is off"
        }
    }

    /// The suggestion to list the features or to enable the missing one; nil if there is none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .unknown, .notProvided: .listFeatures
        case .baseDisabled: nil
        case .disabled: .enableFeature
        }
    }
}
