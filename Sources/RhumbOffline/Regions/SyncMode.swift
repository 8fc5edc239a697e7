public import RhumbCore

/// The mode of a region's download: which stored tiles it accepts, and which it revalidates.
public struct SyncMode: Sendable, Equatable {
    /// The kind of a download.
    public enum Kind: Sendable, Equatable {
        /// Fetches missing tiles. Resumes an interrupted refresh.
        case download
        /// Revalidates all tiles.
        case refresh
        /// Retries the gaps, then continues like `download`.
        case retry
    }

    /// The kind of the download.
    public var kind = Kind.download
    /// True to accept stored tiles regardless of their age.
    public var acceptsExpired = false
    /// For a refresh, the time before which a tile must have been received to be revalidated; nil for all
    /// tiles.
    public var olderThan: UnixSeconds?

    /// True if a complete new edition replaces the stored one immediately; false to wait for
    /// `Regions.takeOver`.
    var takesOver = true

    /// Creates a download with default conditions.
    public init(_ kind: Kind = .download) { self.kind = kind }

    /// True if fresh tiles are revalidated too, as in a new or resumed refresh.
    var isRefresh: Bool { kind == .refresh || olderThan != nil }

    /// The purpose of the requests, from which `CacheRules` decides whether a stored tile suffices.
    var mode: FetchMode {
        if acceptsExpired { return .fill(acceptsExpired: true) }
        return isRefresh ? .refresh(olderThan: olderThan) : .fill(acceptsExpired: false)
    }
}
