public import RhumbBase

/// The action for a request, given the stored copy.
public enum CacheDecision: Equatable, Sendable {
    /// Use the copy; send no request.
    case use(Validity)
    /// Send a request with these validators. Until it is answered, a copy with a validity may be used.
    case fetch(Validators, meanwhile: Validity?)
    /// Use the stale copy, as its server allows, and send a request with these validators in the background.
    case useAndRevalidate(Validity, Validators)
    /// There is no usable copy, and the network may not be used.
    case fail(NetworkAccess)
    /// There is no usable copy, and the caller does not want a request.
    case missing

    /// True if a request must be answered before anything is shown.
    public var isWithoutCopy: Bool { if case .fetch(_, meanwhile: nil) = self { true } else { false } }
}

/// The rules of a private cache (RFC 9111), with one departure: without a network any stored copy is shown,
/// marked as stale, even one that must be revalidated. Architecture.md lists code with rules of its own.
public enum CacheRules {
    /// Decides between a stored copy and a request.
    /// - Parameters:
    ///   - match: The stored copy for the same request header fields; nil if there is none.
    ///   - isStorable: False if responses of the resource are never stored.
    public static func decide(
        _ match: StoreMatch?, _ mode: FetchMode, _ network: NetworkAccess, isStorable: Bool = true,
        at now: UnixSeconds
    ) -> CacheDecision {
        guard let match, !match.response.isDamaged else {
            return decideWithoutCopy(mode, network, isStorable)
        }
        let validity = match.validity(at: now)
        if isSufficient(match, mode, at: now) { return .use(validity) }
        guard network != .available else {
            let isShown = mode == .show && !match.mustRevalidate(at: now), sent = validators(of: match, mode)
            if isShown, match.location == .cache, match.response.omits.isEmpty,
                match.response.isUsableWhenStale(\.staleWhileRevalidate, at: now)
            {
                return .useAndRevalidate(validity, sent)
            }
            return .fetch(sent, meanwhile: isShown ? validity : nil)
        }
        switch mode {
        case .stored, .show, .fill(acceptsExpired: true): return .use(validity)
        case .prefetch: return .missing
        case .fill, .refresh, .reload: return .fail(network)
        }
    }

    /// Decides about a stored part of a file whose version is known. In one version a part never changes, so
    /// its age does not matter; the first bytes of the file are revalidated on their own.
    public static func decide(
        _ match: StoreMatch?, ofVersion version: String, at now: UnixSeconds
    ) -> CacheDecision {
        guard let match, match.response.dataVersion == version, !match.response.isDamaged else {
            return .fetch(Validators(), meanwhile: nil)
        }
        let isOutdated = match.isReloaded || match.response.isInvalidated
        return isOutdated
            ? .fetch(Validators(), meanwhile: match.staleness(at: now)) : .use(match.validity(at: now))
    }

    private static func decideWithoutCopy(
        _ mode: FetchMode, _ network: NetworkAccess, _ isStorable: Bool
    ) -> CacheDecision {
        switch mode {
        case .stored: return .missing
        case .prefetch where network != .available || !isStorable: return .missing
        case .fill where !isStorable: return .fail(.refused)
        case .show, .prefetch, .fill, .refresh, .reload:
            return network == .available ? .fetch(Validators(), meanwhile: nil) : .fail(network)
        }
    }

    /// Returns true if the copy is used without a request, regardless of the network.
    private static func isSufficient(_ match: StoreMatch, _ mode: FetchMode, at now: UnixSeconds) -> Bool {
        let freshness = match.response.freshness
        let isFresh = if case .fresh = match.validity(at: now) { true } else { false }
        switch mode {
        case .stored: return true
        case .show: return isFresh
        case .prefetch: return isFresh || match.location == .region && !match.isReloaded
        case .fill(let acceptsExpired): return isFresh || acceptsExpired && !match.mustRevalidate(at: now)
        case .refresh(let olderThan):
            return isFresh && freshness.immutable || match.location == .stylePack
                || olderThan.map { freshness.receivedAt >= $0 } ?? false
        case .reload: return isFresh && freshness.immutable && match.location != .stylePack
        }
    }

    /// Returns true if the copy of a tile is used when its server answers with an error. That is a copy that
    /// the user or the program marked as outdated, or one whose server allows it for such a status with
    /// `stale-if-error`. A copy that merely expired is not used.
    /// - Parameter status: The status of the error; nil if unknown.
    public static func survivesErrors(
        _ match: StoreMatch, status: Int? = nil, at now: UnixSeconds
    ) -> Bool {
        guard match.location != .otherEdition else { return false }
        if match.isReloaded || match.response.isInvalidated {
            return match.response.freshness.state(at: now) != .mustRevalidate
        }
        return [500, 502, 503, 504].contains(status)
            && match.response.isUsableWhenStale(\.staleIfError, at: now)
    }

    /// Returns no validators for an incomplete copy that is to become complete.
    private static func validators(of match: StoreMatch, _ mode: FetchMode) -> Validators {
        match.response.omits.isEmpty || mode.isDownload ? match.response.validators : Validators()
    }
}

extension StorageVerdict {
    /// Returns the decision whether a response may be stored.
    /// - Parameters:
    ///   - status: The status of a complete response.
    ///   - request: The header fields of the request.
    public static func verdict(
        status: Int, headers: HTTPHeaders, request: HTTPHeaders = [:]
    ) -> StorageVerdict {
        if [headers, request].contains(where: CacheRules.forbidsStoring) { return .no(.noStore) }
        switch status {
        case 204, 404, 410: return .absent
        case 200, 203: return .body
        case 400...599: return .no(.errorStatus)
        default: return .no(.notUnderstood)
        }
    }
}

extension CacheRules {
    /// Returns true if header fields contain the directive `no-store`.
    public static func forbidsStoring(_ headers: HTTPHeaders) -> Bool { CacheControl(of: headers).noStore }
}

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
