public import RhumbCore

/// The treatment of tiles that are already stored.
public struct RegionPass: Sendable, Equatable {
    /// The kind of pass over a region.
    public enum Kind: Sendable, Equatable {
        /// Fetches missing tiles, and continues an interrupted refresh.
        case download
        /// Asks about everything.
        case refresh
        /// Tries the gaps again, then does as `download`.
        case retry
    }

    /// The kind of the pass.
    public var kind = Kind.download
    /// Stored tiles will do whatever their age.
    public var acceptsExpired = false
    /// Of a refresh: only tiles that came before then are asked about.
    public var olderThan: UnixSeconds?

    /// True if a complete new edition replaces the shown one; otherwise it waits for `Regions.takeOver`.
    public var takesOver = true

    /// A pass with no further conditions.
    public init(_ kind: Kind = .download) { self.kind = kind }

    /// True if fresh tiles are revalidated too, also when an interrupted refresh continues.
    var isRefresh: Bool { kind == .refresh || olderThan != nil }

    /// Returns true if a stored tile needs no request.
    func accepts(_ response: StoredResponse, at now: UnixSeconds) -> Bool {
        if acceptsExpired { return true }
        guard isRefresh else { return response.state(at: now) == .fresh }
        return olderThan.map { response.freshness.receivedAt >= $0 } ?? false
    }
}
