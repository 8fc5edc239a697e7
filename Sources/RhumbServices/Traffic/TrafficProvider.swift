/// The traffic providers.
public enum TrafficProvider: String, Sendable, CaseIterable {
    case tomtom, here

    /// The display name.
    public var name: String { self == .tomtom ? "TomTom" : "HERE" }

    /// The environment variable that holds the key.
    public var keyVariable: String { self == .tomtom ? "TOMTOM_API_KEY" : "HERE_API_KEY" }
}
