internal import RhumbCore
public import RhumbEngine

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
