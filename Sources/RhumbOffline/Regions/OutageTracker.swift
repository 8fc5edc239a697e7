internal import RhumbCore
internal import RhumbStore

/// Tracks the failures of a part's download, and decides when to wait, retry or give up. Gives up on a server
/// after ten rate limits, or after fifty failed tiles without a success in between. Waits for a lost network
/// without limit.
struct OutageTracker {
    static let waits = 10
    static let stumbles = 50
    /// The maximum number of requests for a tile whose body arrives damaged.
    static let damages = 3

    private var failure: SupplyFailure?
    /// The number of consecutive waits.
    private var times = 0
    private var serverWaits = 0
    private var stumbles = 0
    private var latest = ""
    private var settledCount = 0
    private var lost: [TileID: (times: Int, settledBefore: Int)] = [:]
    /// The number of damaged bodies received for each tile.
    private var damaged: [TileID: Int] = [:]

    /// True if no tiles should be requested until those in flight have ended.
    var isWaiting: Bool { failure != nil }

    mutating func note(_ failure: SupplyFailure) { self.failure = self.failure ?? failure }

    /// Counts a tile for which the server failed even after retries.
    mutating func stumbled(_ failure: SupplyFailure) {
        stumbles += 1
        latest = failure.message
    }

    /// Returns the failure to wait for, and the number of consecutive waits; nil if there is none.
    mutating func begin() -> (SupplyFailure, times: Int)? {
        guard let failure else { return nil }
        self.failure = nil
        times += 1
        if case .wait = failure.kind {
            serverWaits += 1
            latest = failure.message
        }
        return (failure, times)
    }

    /// The reason to give up; nil to continue.
    var surrender: String? {
        if serverWaits >= OutageTracker.waits {
            return "the server rate-limited \(OutageTracker.waits) times in a row: \(latest)"
        }
        return stumbles >= OutageTracker.stumbles
            ? "\(OutageTracker.stumbles) tiles in a row failed: \(latest)" : nil
    }

    mutating func settled(_ tile: TileID, _ outcome: TileOutcome) {
        times = 0
        lost[tile] = nil
        damaged[tile] = nil
        if case .failed = outcome { return }
        settledCount += 1
        serverWaits = 0
        stumbles = 0
    }

    /// Counts a damaged body of a tile.
    /// - Returns: True if the tile should be requested again.
    mutating func mayRetryDamaged(_ tile: TileID) -> Bool {
        damaged[tile, default: 0] += 1
        return damaged[tile, default: 0] < OutageTracker.damages
    }

    /// Counts a lost connection for a tile.
    /// - Returns: True if the tile itself is the likely cause: after ten losses, or after four if other tiles
    ///   arrived in the meantime.
    mutating func isHopeless(_ tile: TileID) -> Bool {
        let before = lost[tile] ?? (0, settledCount)
        lost[tile] = (before.times + 1, before.settledBefore)
        return before.times + 1 >= 10 || (before.times + 1 >= 4 && settledCount > before.settledBefore)
    }
}
