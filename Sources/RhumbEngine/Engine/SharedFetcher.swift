internal import RhumbCore
internal import Synchronization

/// Coalesces concurrent loads of the same source tile and keeps the last four results for ten seconds.
final class SharedFetcher: TileFetcher {
    private let base: any TileFetcher
    private let clock: EngineClock
    private let flight = SingleFlight<Key, Outcome>()
    private let state = Mutex(State())

    /// The lifetime of a result in memory.
    private static let memory = Duration.seconds(10)
    /// The maximum number of results in memory.
    private static let limit = 4

    typealias Outcome = Result<FetchedTile, TileFailure>

    private struct LayerTile: Hashable {
        let layer: TileLayer.ID
        let tile: TileID
    }
    private struct Key: Hashable {
        let tile: LayerTile
        let holdsStored: Bool
        let isPrefetch: Bool
        /// The number of reloads of the layer before this load.
        let reloads: Int
    }
    private struct State {
        var recent: [(tile: LayerTile, outcome: Outcome, at: Duration)] = []
        var reloads: [TileLayer.ID: Int] = [:]
    }

    init(_ base: any TileFetcher, clock: EngineClock) { (self.base, self.clock) = (base, clock) }

    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        guard want.layer.drawing != nil else { return try await base.fetch(want, holdsStored: holdsStored) }
        let tile = LayerTile(layer: want.layer.id, tile: want.tile)
        if !holdsStored, case .failure(let failure)? = recent(tile) { throw failure }
        let reloads = state.withLock { $0.reloads[want.layer.id] ?? 0 }
        let key = Key(
            tile: tile, holdsStored: holdsStored, isPrefetch: want.urgency == .prefetch, reloads: reloads)
        return try await flight.value(for: key) {
            let outcome: Outcome
            do throws(TileFailure) {
                outcome = .success(try await self.base.fetch(want, holdsStored: holdsStored))
            } catch {
                outcome = .failure(error)
            }
            self.remember(outcome, for: key)
            return outcome
        }.get()
    }

    func stored(_ want: WantedTile) -> CachedTile? {
        if let stored = base.stored(want) { return stored }
        guard want.layer.drawing != nil,
            case .success(.new(let answer, let standing))? = recent(
                LayerTile(layer: want.layer.id, tile: want.tile))
        else { return nil }
        return CachedTile(answer, standing)
    }

    func discard(_ want: WantedTile) {
        state.withLock { state in
            state.recent.removeAll { entry in
                if case .failure = entry.outcome { return false }
                return entry.tile == LayerTile(layer: want.layer.id, tile: want.tile)
            }
        }
        base.discard(want)
    }

    func reload(_ layer: TileLayer) {
        state.withLock { state in
            state.reloads[layer.id, default: 0] += 1
            state.recent.removeAll { $0.tile.layer == layer.id }
        }
        base.reload(layer)
    }

    func store(_ answer: TileAnswer, for want: WantedTile) { base.store(answer, for: want) }
    func protect(_ wants: [WantedTile]) { base.protect(wants) }
    func mayPrefetch(_ layer: TileLayer) -> Bool { base.mayPrefetch(layer) }

    // MARK: Recent results

    private func remember(_ outcome: Outcome, for key: Key) {
        let now = clock.now()
        state.withLock { state in
            guard outcome.isWorthKeeping, !Task.isCancelled, key.reloads == state.reloads[key.tile.layer] ?? 0
            else { return }
            state.recent.removeAll { $0.tile == key.tile }
            state.recent.append((key.tile, outcome, now))
            if state.recent.count > Self.limit { state.recent.removeFirst() }
        }
    }

    private func recent(_ tile: LayerTile) -> Outcome? {
        let now = clock.now()
        return state.withLock { $0.recent.first { $0.tile == tile && now - $0.at < Self.memory }?.outcome }
    }
}

extension SharedFetcher.Outcome {
    /// True for a response of the server; network errors are temporary.
    fileprivate var isWorthKeeping: Bool {
        switch self {
        case .success(.new): true
        case .success(.unchanged): false
        case .failure(let failure): [.badContent, .refused, .sourceFailed].contains(failure.reason)
        }
    }
}
