/// What a source's policy demands of requests.
public struct SourceRules: Sendable, Equatable {
    /// Requests of the same id pause together when their key is refused.
    public var id: String
    /// Requests at once.
    public var connections: Int
    /// Nil for no limit.
    public var requestsPerSecond: Double?

    public init(id: String, connections: Int = 6, requestsPerSecond: Double? = nil) {
        self.id = id
        self.connections = max(1, connections)
        self.requestsPerSecond = requestsPerSecond
    }
}
