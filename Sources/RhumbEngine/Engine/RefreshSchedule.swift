internal import RhumbCore

/// The times at which shown tiles are revalidated: when they expire, or after doubling waits if a request
/// failed or the server's responses are stale on arrival.
struct RefreshSchedule {
    /// The maximum time in seconds between two revalidations of one tile.
    static let longestWait: Int64 = 3600
    /// The minimum time in seconds between two revalidations of tiles that expire.
    static let shortestWait: Int64 = 1

    private struct Past {
        var asked: UnixSeconds
        /// The number of successive responses that were not fresh.
        var fruitless = 0
    }
    private var past: [TileKey: Past] = [:]

    /// Returns the time at which a tile is to be revalidated; nil for never.
    func due(_ key: TileKey, _ standing: TileValidity) -> UnixSeconds? {
        let expiry: UnixSeconds
        switch standing {
        case .current: return nil
        case .fresh(let until): expiry = until
        case .stale(let since): expiry = since
        }
        guard let past = past[key] else { return expiry }
        let wait =
            past.fruitless == 0
            ? RefreshSchedule.shortestWait
            : min(1 << Int64(min(past.fruitless, 12)), RefreshSchedule.longestWait)
        return max(expiry, past.asked.adding(wait))
    }

    /// Records the outcome of a request.
    mutating func note(_ key: TileKey, broughtFresh: Bool, at now: UnixSeconds) {
        let fruitless = broughtFresh ? 0 : (past[key]?.fruitless ?? 0) + 1
        past[key] = Past(asked: now, fruitless: fruitless)
    }

    /// Ends all waits, because the network is back or the user asked for it.
    mutating func forgive() { past = past.mapValues { Past(asked: $0.asked.adding(-3600), fruitless: 0) } }

    mutating func forget(_ key: TileKey) { past[key] = nil }
}
