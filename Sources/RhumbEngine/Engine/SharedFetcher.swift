internal import RhumbCore
internal import Synchronization

/// Lets all pictures that are drawn from one tile of a source share its fetch: those that are
/// wanted while it is under way wait for it, those that are wanted soon after take what it brought.
final class SharedFetcher: TileFetcher {
    private let base: any TileFetcher
    private let clock: EngineClock
    private let state = Mutex(State())

    /// How long what came is remembered where no store keeps it.
    private static let memory = Duration.seconds(10)
    /// How many tiles are remembered.
    private static let limit = 4

    typealias Outcome = Result<FetchedTile, TileFailure>

    private struct LayerTile: Hashable {
        let layer: TileLayer.ID
        let tile: TileID
    }
    private struct Key: Hashable {
        let tile: LayerTile
        let url: String
        let holdsKept: Bool
        let isPrefetch: Bool
        /// The number of reloads of the layer before it.
        let reloads: Int
    }
    private struct InFlightFetch {
        let task: Task<Outcome, Never>
        var waiters = 1
    }
    private struct State {
        var inFlight: [Key: InFlightFetch] = [:]
        var recent: [(tile: LayerTile, outcome: Outcome, at: Duration)] = []
        var reloads: [TileLayer.ID: Int] = [:]
    }

    init(_ base: any TileFetcher, clock: EngineClock) { (self.base, self.clock) = (base, clock) }

    func fetch(_ url: String, for want: TileWant, holdsKept: Bool) async throws(TileFailure) -> FetchedTile {
        guard want.layer.drawing != nil else { return try await base.fetch(url, for: want, holdsKept: holdsKept) }
        let tile = LayerTile(layer: want.layer.id, tile: want.tile)
        if !holdsKept, case .failure(let failure)? = recent(tile) { throw failure }
        let reloads = state.withLock { $0.reloads[want.layer.id] ?? 0 }
        let key = Key(
            tile: tile, url: url, holdsKept: holdsKept, isPrefetch: want.urgency == .prefetch, reloads: reloads)
        let task = join(key) { [base] in
            do throws(TileFailure) {
                return .success(try await base.fetch(url, for: want, holdsKept: holdsKept))
            } catch {
                return .failure(error)
            }
        }
        let outcome = await withTaskCancellationHandler { await task.value } onCancel: { leave(key) }
        finish(key, outcome)
        return try outcome.get()
    }

    func kept(_ want: TileWant) -> KeptTile? {
        if let kept = base.kept(want) { return kept }
        guard want.layer.drawing != nil,
            case .success(.new(let answer, let standing))? = recent(LayerTile(layer: want.layer.id, tile: want.tile))
        else { return nil }
        return KeptTile(answer, standing)
    }

    func discard(_ want: TileWant) {
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

    func keep(_ answer: TileAnswer, for want: TileWant) { base.keep(answer, for: want) }
    func spare(_ wants: [TileWant]) { base.spare(wants) }
    func mayPrefetch(_ layer: TileLayer) -> Bool { base.mayPrefetch(layer) }

    // MARK: Fetches in flight

    private func join(_ key: Key, _ work: @escaping @Sendable () async -> Outcome) -> Task<Outcome, Never> {
        state.withLock { state in
            if let fetch = state.inFlight[key], !fetch.task.isCancelled {
                state.inFlight[key]?.waiters += 1
                return fetch.task
            }
            let task = Task.detached(operation: work)
            state.inFlight[key] = InFlightFetch(task: task)
            return task
        }
    }

    /// One of those who wait no longer does; with the last of them the fetch ends.
    private func leave(_ key: Key) {
        let task = state.withLock { state -> Task<Outcome, Never>? in
            guard var fetch = state.inFlight[key] else { return nil }
            fetch.waiters -= 1
            state.inFlight[key] = fetch.waiters > 0 ? fetch : nil
            return fetch.waiters > 0 ? nil : fetch.task
        }
        task?.cancel()
    }

    private func finish(_ key: Key, _ outcome: Outcome) {
        let now = clock.now()
        state.withLock { state in
            guard state.inFlight.removeValue(forKey: key) != nil, outcome.isWorthKeeping,
                key.reloads == state.reloads[key.tile.layer] ?? 0
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
    /// Troubles on the way pass; what a server said holds for a while.
    fileprivate var isWorthKeeping: Bool {
        switch self {
        case .success(.new): true
        case .success(.unchanged): false
        case .failure(let failure): [.badContent, .refused, .sourceFailed].contains(failure.reason)
        }
    }
}
