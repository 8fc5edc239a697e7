internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Tracks the failures of a part's download, and decides when to wait, retry or give up. Gives up on a server
/// after ten rate limits, three pauses because it failed repeatedly, or twenty failed tiles or lost
/// connections, if the pauses would last more than five minutes, or if the waits for a lost network have
/// lasted as long as the caller allows. A success in between restarts the counts. The pause of a tile's
/// address counts like a lost connection for it, or like a pause of the server if those of other tiles are
/// paused, too.
struct OutageTracker {
    static let waits = 10
    static let outages = 3
    static let stumbles = 20
    static let losses = 20
    /// The number of tiles with paused addresses from which the server is the likely cause. Without it, a
    /// server that closed each connection got 668 requests for 85 tiles.
    static let pausedTiles = 4
    /// The maximum total length of pauses for a server.
    static let maximumPause = Duration.seconds(300)
    /// The maximum number of requests for a tile whose body arrives damaged.
    static let damages = 3

    /// The maximum total wait for a lost network; nil for no limit.
    private let networkTimeout: Duration?
    private var failure: SupplyFailure?
    /// The number of consecutive waits.
    private var times = 0
    private var serverWaits = 0
    private var outages = 0
    private var stumbles = 0
    /// The number of consecutive waits after lost connections.
    private var losses = 0
    /// The total length of the pauses.
    private var waited = Duration.zero
    /// The total time of the waits for a lost network.
    private var disconnected = Duration.zero
    /// The pause that would exceed `patience`; nil if none did.
    private var refusedPause: Duration?
    private var latest = ""
    private var settledCount = 0
    private var lost: [TileID: (times: Int, settledBefore: Int)] = [:]
    /// The tiles whose addresses were paused since the last success.
    private var paused: Set<TileID> = []
    /// The number of damaged bodies received for each tile.
    private var damaged: [TileID: Int] = [:]

    /// - Parameter networkTimeout: The maximum total wait for a lost network; nil for no limit.
    init(networkTimeout: Duration?) { self.networkTimeout = networkTimeout }

    /// True if no tiles should be requested until those in flight have ended.
    var isWaiting: Bool { failure != nil }

    /// Notes a failure to wait for.
    /// - Parameter tile: The requested tile; nil for a whole package.
    mutating func note(_ failure: SupplyFailure, of tile: TileID? = nil) {
        self.failure = self.failure ?? failure
        if case .paused = failure.kind, let tile { paused.insert(tile) }
    }

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
        switch failure.kind {
        case .wait(let pause):
            serverWaits += 1
            add(pause, failure)
        case .outage(let pause):
            outages += 1
            add(pause, failure)
        case .paused(let pause) where paused.count >= OutageTracker.pausedTiles:
            outages += 1
            add(pause, failure)
        case .lost, .paused:
            losses += 1
            latest = failure.message
        default:
            losses = 0
            latest = failure.message
        }
        return (failure, times)
    }

    /// Counts a wait for a lost network.
    mutating func waitedForNetwork(_ time: Duration) { disconnected += time }

    private mutating func add(_ pause: Duration, _ failure: SupplyFailure) {
        latest = failure.message
        waited += pause
        if waited > OutageTracker.maximumPause { refusedPause = pause }
    }

    /// The reason to give up; nil to continue.
    var surrender: String? {
        if let refusedPause {
            let time = AmountText.age(refusedPause.components.seconds)
            let cause = serverWaits > 0 ? "rate-limited for too long" : "the server keeps failing"
            return "\(cause): \(latest); try again after \(time)"
        }
        if serverWaits >= OutageTracker.waits {
            return "rate-limited \(OutageTracker.waits) times in a row: \(latest)"
        }
        if losses >= OutageTracker.losses {
            return "the connection was lost \(losses) times in a row: \(latest)"
        }
        if let networkTimeout, disconnected >= networkTimeout {
            return "no connection for \(AmountText.age(networkTimeout.components.seconds)): \(latest)"
        }
        if outages >= OutageTracker.outages { return "the server keeps failing: \(latest)" }
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
        outages = 0
        stumbles = 0
        losses = 0
        paused = []
        waited = .zero
        disconnected = .zero
    }

    /// Counts a damaged body of a tile.
    /// - Returns: True if the tile should be requested again.
    mutating func mayRetryDamaged(_ tile: TileID) -> Bool {
        damaged[tile, default: 0] += 1
        return damaged[tile, default: 0] < OutageTracker.damages
    }

    /// Counts a lost connection for a tile, or a pause of its address.
    /// - Returns: True if the tile itself is the likely cause: after ten failures, or after four if other
    ///   tiles arrived in the meantime.
    mutating func isHopeless(_ tile: TileID) -> Bool {
        let before = lost[tile] ?? (0, settledCount)
        lost[tile] = (before.times + 1, before.settledBefore)
        return before.times + 1 >= 10 || (before.times + 1 >= 4 && settledCount > before.settledBefore)
    }
}
