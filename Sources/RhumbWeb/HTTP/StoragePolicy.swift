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

    /// For tiles: a day, unless the source's policy asks for longer where headers say nothing.
    public static func tiles(minimumLife: Int64 = 0) -> StoragePolicy {
        StoragePolicy(unspecifiedLife: 86_400, absentLife: 86_400, minimumLife: minimumLife)
    }

    /// For what lives as long as a program says.
    /// - Parameter seconds: of life; 0: for ever.
    public static func fixed(_ seconds: Int64) -> StoragePolicy {
        var policy = tiles()
        policy.fixedLife = seconds > 0 ? seconds : CacheControl.longestLife
        return policy
    }

    /// For TileJSON, styles and other documents: an hour.
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
    /// Known not to exist.
    case absent
    case no(Reason)

    /// Why an answer may not be kept.
    public enum Reason: String, Sendable {
        /// `no-store` in the request or the answer.
        case noStore
        /// An error says nothing about the tile.
        case errorStatus
        /// Part of a body, or a status that needs an explicit life and has none.
        case notUnderstood
    }
}
