/// The lifetimes for responses whose headers have none; all in seconds.
public struct StoragePolicy: Equatable, Sendable {
    /// The life of an answer that says nothing of its own.
    public var unspecifiedLife: Int64
    /// The life of "there is no such tile".
    public var absentLife: Int64
    /// The least life where no header states one; what headers state is never stretched.
    public var minimumLife: Int64
    /// The life of every answer, whatever its headers say of it; nil: they decide.
    public var fixedLife: Int64?

    /// Returns the policy of tiles: a day, or longer if the source's policy sets a minimum for responses
    /// without a lifetime.
    public static func tiles(minimumLife: Int64 = 0) -> StoragePolicy {
        StoragePolicy(unspecifiedLife: 86_400, absentLife: 86_400, minimumLife: minimumLife)
    }

    /// Returns the policy of responses with a lifetime set by a program.
    /// - Parameter seconds: The lifetime; 0 for ever.
    public static func fixed(_ seconds: Int64) -> StoragePolicy {
        var policy = tiles()
        policy.fixedLife = seconds > 0 ? seconds : CacheControl.longestLife
        return policy
    }

    /// The policy of TileJSON, styles and other documents: an hour.
    public static let documents = StoragePolicy(unspecifiedLife: 3600, absentLife: 3600)

    /// A policy with these lifetimes, in seconds.
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
        /// `no-store` in the request or the response.
        case noStore
        /// An error says nothing about the tile.
        case errorStatus
        /// A part of a body, or a status that needs an explicit lifetime and has none.
        case notUnderstood
    }
}
