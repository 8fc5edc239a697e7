public import RhumbCore

/// What is done with tiles that are stored already.
public struct RegionPass: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Gets what is missing; goes on with a refresh that was broken off.
        case download
        /// Asks about everything.
        case refresh
        /// Tries the gaps again.
        case retry
    }

    public var kind = Kind.download
    /// Stored tiles will do whatever their age.
    public var acceptsExpired = false
    /// Of a refresh: only tiles that came before then are asked about.
    public var olderThan: UnixSeconds?

    public init(_ kind: Kind = .download) { self.kind = kind }

    /// Whether a stored tile will do without asking.
    func accepts(_ response: StoredResponse, at now: UnixSeconds) -> Bool {
        switch kind {
        case .download, .retry: return acceptsExpired || response.state(at: now) == .fresh
        case .refresh:
            if let olderThan, response.freshness.receivedAt >= olderThan { return true }
            return acceptsExpired
        }
    }
}
