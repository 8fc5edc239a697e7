public import RhumbCore
public import RhumbEngine

extension ResourceKey {
    /// The key under which a tile is stored; nil if it may not be stored.
    public init?(_ want: WantedTile) {
        if let origin = want.layer.source.origin(of: want.layer) {
            self = .tile(origin: origin, want.tile)
        } else if let name = want.layer.cacheIdentifier {
            self = .tile(
                origin: TileOrigin(source: name, address: "program", size: want.layer.tileSize.rawValue),
                want.tile)
        } else if let origin = want.layer.originOfAddresses {
            self = .tile(origin: origin, want.tile)
        } else {
            return nil
        }
    }
}

extension TileLayer {
    /// The origin of tiles for which a program's source has only addresses: the address of the layer's first
    /// tile, which differs between servers and styles. Nil for a source without addresses.
    fileprivate var originOfAddresses: TileOrigin? {
        let first = TileID(zoom: info.zooms.lowerBound, x: 0, y: 0) ?? .world
        return source.url(for: first, of: self).map { url in
            let address = HTTPAddress(url)
            return TileOrigin(source: address.host, address: address.canonical, size: tileSize.rawValue)
        }
    }
}

extension WantedTile.Urgency {
    /// The priority of its requests.
    package var priority: HTTPPriority {
        switch self {
        case .visible(let view): .visible(view: view)
        case .prefetch: .prefetch
        case .download: .download
        }
    }
}

extension WantedTile {
    var priority: HTTPPriority { urgency.priority }

    /// True if it is in view.
    var isSeen: Bool { if case .visible = urgency { true } else { false } }
}

extension StoredResponse {
    var answer: TileAnswer { body.map { .bitmap(.encoded($0)) } ?? .absent }

    /// Returns true if it matches a request for this tile.
    func fits(_ want: WantedTile) -> Bool { answers(want.layer.source.requestHeaders) }

    /// The seconds after which a visible tile that always needs revalidation is revalidated again.
    private static let glance: Int64 = 60

    func standing(at now: UnixSeconds) -> TileValidity {
        if isInvalidated { return .stale(since: min(freshness.expiresAt, now)) }
        if freshness.alwaysRevalidate {
            let until = freshness.receivedAt.adding(StoredResponse.glance)
            return until > now ? .fresh(until: until) : .stale(since: freshness.receivedAt)
        }
        return freshness.state(at: now) == .fresh
            ? .fresh(until: freshness.expiresAt) : .stale(since: min(freshness.expiresAt, now))
    }

    func fetched(at now: UnixSeconds) -> FetchedTile { .new(answer, standing(at: now)) }
}

extension TransportFault {
    /// True if no server could be reached, as without a network.
    var meansNoServer: Bool {
        switch self {
        case .noNetwork, .nameNotFound, .connectionRefused, .connectionLost, .timedOut: true
        default: false
        }
    }
}

extension TileFailure {
    /// Creates the tile failure for a failed request.
    public init(_ failure: HTTPFailure) {
        let wait = failure.retryAfter ?? TileFailure.retryDelay(failure.failureClass)
        self.init(TileFailure.reason(failure), failure.message, retryAfter: wait, remedy: failure.remedy)
    }

    private static func reason(_ failure: HTTPFailure) -> Reason {
        if failure.fault == .timedOut { return .timedOut }
        return switch failure.failureClass {
        case .offline: .offline
        case .refused, .rate: .refused
        case .badContent: .badContent
        case .permanent: .sourceFailed
        case .transient, nil: .unreadable
        }
    }

    /// Returns the time to remember a failure for which the server gave no time.
    private static func retryDelay(_ failureClass: FailureClass?) -> Duration {
        switch failureClass {
        case .permanent: .seconds(600)
        case .badContent, .refused: .seconds(60)
        case .offline: .seconds(5)
        // With its retries, a tile is requested no more than five times within a minute.
        case .rate, .transient, nil: .seconds(60)
        }
    }
}
