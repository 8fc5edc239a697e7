/// The limits of a source's policy for requests.
public struct SourceRules: Sendable, Equatable {
    /// The id. Requests with the same id pause together when their key is refused.
    public var id: String
    /// The maximum number of concurrent requests.
    public var connections: Int
    /// The maximum request rate; nil for no limit.
    public var requestsPerSecond: Double?
    /// True if responses may be requested through a shared cache.
    public var allowsSharedCache = true
    /// The address of the source's own caching proxy; nil for the proxy of all sources.
    public var cacheProxy: String?

    /// Creates the rules of a provider.
    public init(id: String, connections: Int = 6, requestsPerSecond: Double? = nil) {
        self.id = id
        self.connections = max(1, connections)
        self.requestsPerSecond = requestsPerSecond
    }

    /// Returns the rules, limited by a provider's policy.
    public func joined(with policy: SourcePolicy?) -> SourceRules {
        guard let policy else { return self }
        let rates = [requestsPerSecond, policy.requestsPerSecond].compactMap(\.self)
        var joined = self
        joined.connections = min(connections, policy.connections)
        joined.requestsPerSecond = rates.min()
        return joined
    }
}
