/// What a source's provider allows. Enforced where requests are made, not where they are asked for.
public struct SourcePolicy: Sendable, Equatable {
    /// Whether regions of it may be downloaded.
    public enum OfflineRight: String, Sendable, CaseIterable {
        case denied
        /// Only by who states that he may.
        case ask
        case allowed
    }

    /// Whether areas may be downloaded.
    public var offline = OfflineRight.ask
    /// True if tiles may be fetched for a view. If false, a map shows only the tiles that regions hold.
    public var viewing = true
    /// Whether tiles around the view may be fetched before they are looked at.
    public var lookAhead = false
    /// Requests at once.
    public var connections = 4
    /// Nil for no limit.
    public var requestsPerSecond: Double?
    /// How long tiles are kept whose headers don't say.
    public var minimumCacheSeconds: Int64 = 0
    /// Whether archives (MBTiles, PMTiles) may be made of it.
    public var archives = false
    /// The most packs that regions may hold of it, all together; nil for no limit.
    public var packLimit: Int? = SourcePolicy.usualPackLimit
    /// Whether nothing is asked before the person has agreed to the rules: volunteers pay for the server.
    public var needsAgreement = false
    /// Where the provider's rules are.
    public var policyURL: String?
    /// Where errors of the map are reported.
    public var reportURL: String?

    /// What Mapbox allows.
    public static let usualPackLimit = 750

    /// The rules for sources that state none: ask before downloading, no look-ahead, no archives.
    public init() {}

    /// The rules for a server on this machine or network: no restrictions, but the usual pack limit.
    public static let ownServer: SourcePolicy = {
        var policy = unlimited
        policy.packLimit = usualPackLimit
        return policy
    }()

    /// The rules for local data, such as archives, folders and a program's drawing.
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
