public import RhumbBase

/// The purpose of a request. It decides whether a stored copy is used or a request is sent.
public enum FetchMode: Hashable, Sendable {
    /// Stored copies only; no request.
    case stored
    /// For the screen. An expired copy is shown while it is revalidated.
    case show
    /// For the cache, before the resource is in view.
    case prefetch
    /// For a region that lacks the resource.
    /// - acceptsExpired: True if an expired copy is as good as a fresh one.
    case fill(acceptsExpired: Bool)
    /// For a region whose copies are to be revalidated.
    /// - olderThan: Copies received at that time or later are not revalidated; nil to revalidate all.
    case refresh(olderThan: UnixSeconds?)
    /// Requested by the user: fresh copies are revalidated, too.
    case reload

    /// True if the response goes to a region instead of the cache.
    public var isDownload: Bool {
        switch self {
        case .fill, .refresh: true
        case .stored, .show, .prefetch, .reload: false
        }
    }
}

/// The permission of a request to use the network.
public enum NetworkAccess: Hashable, Sendable {
    case available
    /// The program is switched offline.
    case offline
    /// The source's policy or the configuration forbids the request.
    case refused
}

/// The validity of a response.
public enum Validity: Hashable, Sendable {
    /// The response may be used without revalidation until this time.
    case fresh(until: UnixSeconds)
    /// The response expired at this time, or was invalidated.
    case stale(since: UnixSeconds)
    /// The response may be used now, but is never stored.
    case unstorable
}

/// A stored copy of a requested resource.
public struct StoreMatch: Equatable, Sendable {
    /// The location of a copy.
    public enum Location: String, Sendable {
        case cache, region
        /// In the cache or a region, for another edition of the source with the same address.
        case otherEdition
        /// In an installed style. The user chose this version, so that it never expires.
        case stylePack
    }

    /// The copy.
    public var response: StoredResponse
    /// The location of the copy.
    public var location: Location
    /// True if the user has reloaded the source since the copy was received.
    public var isReloaded: Bool

    /// Creates a match from a copy and its location.
    public init(_ response: StoredResponse, _ location: Location, isReloaded: Bool = false) {
        self.response = response
        self.location = location
        self.isReloaded = isReloaded
    }

    /// Returns the validity of the copy. Incomplete copies and those of other editions are never fresh.
    public func validity(at now: UnixSeconds) -> Validity {
        let isFresh =
            switch location {
            case .cache, .region: response.state(at: now) == .fresh && response.omits.isEmpty && !isReloaded
            case .otherEdition: false
            case .stylePack: true
            }
        return isFresh ? .fresh(until: response.freshness.expiresAt) : staleness(at: now)
    }

    /// Returns the validity of the copy when it is used instead of a failed response.
    public func staleness(at now: UnixSeconds) -> Validity {
        .stale(since: min(response.freshness.expiresAt, now))
    }

    /// Returns true if the copy must be revalidated before it is used online. Copies of regions are shown
    /// first.
    func mustRevalidate(at now: UnixSeconds) -> Bool {
        isReloaded || location == .cache && response.state(at: now) == .mustRevalidate
    }
}
