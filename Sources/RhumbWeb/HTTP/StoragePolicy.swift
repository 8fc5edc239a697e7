/// The lifetimes of responses whose headers have none, in seconds.
public struct StoragePolicy: Equatable, Sendable {
    /// The lifetime of a response that states none.
    public var unspecifiedLife: Int64
    /// The lifetime of a response that the tile doesn't exist.
    public var absentLife: Int64
    /// The minimum lifetime if no header states one. Stated lifetimes are never extended.
    public var minimumLife: Int64
    /// The lifetime of every response, regardless of its headers; nil if the headers decide.
    var fixedLife: Int64?

    /// Returns the policy of tiles: a day, or longer if the source's policy sets a minimum for responses
    /// without a lifetime.
    public static func tiles(minimumLife: Int64 = 0) -> StoragePolicy {
        StoragePolicy(unspecifiedLife: 86_400, absentLife: 86_400, minimumLife: minimumLife)
    }

    /// Returns the policy of responses with a lifetime set by a program.
    /// - Parameter seconds: The lifetime; 0 for no limit.
    public static func fixed(_ seconds: Int64) -> StoragePolicy {
        var policy = tiles()
        policy.fixedLife = seconds > 0 ? seconds : CacheControl.longestLife
        return policy
    }

    /// The policy of TileJSON, styles and other documents: an hour.
    public static let documents = StoragePolicy(unspecifiedLife: 3600, absentLife: 3600)

    /// Creates a policy with these lifetimes, in seconds.
    public init(unspecifiedLife: Int64, absentLife: Int64, minimumLife: Int64 = 0) {
        self.unspecifiedLife = unspecifiedLife
        self.absentLife = absentLife
        self.minimumLife = minimumLife
    }
}

/// The decision whether a response may be stored (RFC 9111, 3; a private cache).
public enum StorageVerdict: Equatable, Sendable {
    case body
    /// The resource is known not to exist.
    case absent
    case no(Reason)

    /// The reason why a response may not be stored.
    public enum Reason: String, Sendable {
        /// The request or the response has `no-store`.
        case noStore
        /// An error response says nothing about the tile.
        case errorStatus
        /// The body is only a part, or the status needs an explicit lifetime and has none.
        case notUnderstood
    }
}
