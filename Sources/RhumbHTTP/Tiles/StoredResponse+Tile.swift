internal import RhumbCore
internal import RhumbEngine

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
