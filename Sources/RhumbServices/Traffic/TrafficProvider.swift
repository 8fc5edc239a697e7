/// A provider of traffic.
public enum TrafficProvider: String, Sendable, CaseIterable {
    case tomtom, here

    /// For a person.
    public var name: String { self == .tomtom ? "TomTom" : "HERE" }

    /// The environment variable that holds its key.
    public var keyVariable: String { self == .tomtom ? "TOMTOM_API_KEY" : "HERE_API_KEY" }
}
