/// The policy of a source's provider. It is enforced where requests are made.
public struct SourcePolicy: Sendable, Equatable {
    /// The permission to download regions.
    public enum OfflineRight: String, Sendable, CaseIterable {
        case denied
        /// Allowed if the user states that the provider permits it.
        case ask
        case allowed
    }

    /// The permission to download areas.
    public var offline = OfflineRight.ask
    /// True if tiles may be fetched for a view. If false, a map shows only the tiles that regions store.
    public var viewing = true
    /// True if tiles around the view may be prefetched.
    public var lookAhead = false
    /// The maximum number of concurrent requests.
    public var connections = 4
    /// The maximum request rate; nil for no limit.
    public var requestsPerSecond: Double?
    /// The lifetime of cached tiles without a lifetime in their headers.
    public var minimumCacheSeconds: Int64 = 0
    /// True if archives (MBTiles, PMTiles) of it may be exported.
    public var archives = false
    /// True if a shared cache may store its responses for several users.
    public var sharedCache = true
    /// The maximum number of its packs in all regions together; nil for no limit.
    public var packLimit: Int? = SourcePolicy.usualPackLimit
    /// True if the user must accept the rules before the first request, for servers of volunteers.
    public var needsAgreement = false
    /// The address of the provider's rules.
    public var policyURL: String?
    /// The address for reports of map errors.
    public var reportURL: String?

    /// The default limit, which is Mapbox's.
    public static let usualPackLimit = 750

    /// The rules for sources that state none: ask before downloading, no prefetching, no archives.
    public init() {}

    /// The rules for a server on this machine or network: no restrictions, but the usual pack limit.
    public static let ownServer: SourcePolicy = {
        var policy = unlimited
        policy.packLimit = usualPackLimit
        return policy
    }()

    /// The rules for local data, such as archives, folders and a program's own drawing.
    public static let unlimited: SourcePolicy = {
        var policy = SourcePolicy()
        policy.offline = .allowed
        policy.lookAhead = true
        policy.archives = true
        policy.connections = 16
        policy.packLimit = nil
        return policy
    }()
}

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
