public import RhumbCore

/// What is done with tiles that are stored already.
public struct RegionPass: Sendable, Equatable {
    /// What a pass over a region does.
    public enum Kind: Sendable, Equatable {
        /// Gets what is missing; goes on with a refresh that was broken off.
        case download
        /// Asks about everything.
        case refresh
        /// Tries the gaps again, then does as `download`.
        case retry
    }

    /// What the pass does.
    public var kind = Kind.download
    /// Stored tiles will do whatever their age.
    public var acceptsExpired = false
    /// Of a refresh: only tiles that came before then are asked about.
    public var olderThan: UnixSeconds?

    /// Whether another edition takes the place of what is shown once all of it is there; else it waits
    /// for `Regions.takeOver`.
    public var takesOver = true

    /// A pass with no further conditions.
    public init(_ kind: Kind = .download) { self.kind = kind }

    /// Whether fresh tiles are asked about, too; also where a refresh that was broken off goes on.
    var isRefresh: Bool { kind == .refresh || olderThan != nil }

    /// Whether a stored tile will do without asking.
    func accepts(_ response: StoredResponse, at now: UnixSeconds) -> Bool {
        if acceptsExpired { return true }
        guard isRefresh else { return response.state(at: now) == .fresh }
        return olderThan.map { response.freshness.receivedAt >= $0 } ?? false
    }
}
