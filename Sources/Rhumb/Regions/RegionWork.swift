internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The work on a region: goes through the tiles of each of its sources, nearest and lowest zooms
/// first, and writes what came of them together with how far it is.
struct RegionWork: Sendable {
    /// One source of the region.
    struct Part: Sendable {
        let supply: any RegionSupply
        let cover: RegionCover
    }

    let task: RegionTask
    let store: RegionStore
    let cache: (any ResponseStore)?
    let parts: [Part]
    let pass: RegionPass
    let clock: EngineClock

    /// Tiles that are written together at most, and how long the first of them waits.
    private static let batch = 200
    private static let patience = Duration.milliseconds(100)

    /// How the work on a part came to its end.
    private enum End: Equatable {
        case done, cancelled
        case failed(String)
    }

    /// Does all of it.
    /// - Throws: `RegionStoreFailure`, when nothing more can be written.
    func run() async throws(RegionStoreFailure) {
        var record = task.record
        try set(.running, "", &record)
        var end = End.done
        for part in parts where end == .done {
            guard let at = record.parts.firstIndex(where: { $0.origin == part.supply.origin }) else { continue }
            var begun = record.parts[at]
            if pass.kind == .retry { begun.failed = 0 }
            let ledger = PartLedger(begun, isInOrder: pass.kind != .retry)
            end = try await work(part, ledger, &record, at)
        }
        switch end {
        case .cancelled: try set(.cancelled, "", &record)
        case .failed(let reason): try set(.failed, reason, &record)
        case .done: try set(record.failed > 0 ? .completeWithGaps : .complete, "", &record)
        }
    }

    /// Nothing more could be written: said, and if possible noted.
    func fail(_ failure: RegionStoreFailure) {
        var record = task.record
        (record.state, record.reason) = (.failed, failure.description)
        try? store.setState(.failed, of: record.number, reason: failure.description, at: clock.date())
        task.tell(record)
    }

    private func set(
        _ state: RegionState, _ reason: String, _ record: inout RegionRecord
    ) throws(RegionStoreFailure) {
        guard record.state != state || record.reason != reason else { return }
        (record.state, record.reason) = (state, reason)
        try store.setState(state, of: record.number, reason: reason, at: clock.date())
        task.tell(record)
    }

    private func tiles(of part: Part, _ ledger: PartLedger) throws(RegionStoreFailure) -> AnyIterator<TileID> {
        guard pass.kind == .retry else {
            return AnyIterator(part.cover.tiles(after: ledger.part.cursor))
        }
        let gaps = try store.gaps(of: task.record.number, limit: 1_000_000)
        return AnyIterator(gaps.filter { $0.origin == part.supply.origin }.map(\.tile).makeIterator())
    }

    private func work(
        _ part: Part, _ start: PartLedger, _ record: inout RegionRecord, _ at: Int
    ) async throws(RegionStoreFailure) -> End {
        var ledger = start
        let tiles = try tiles(of: part, ledger)
        var again: [TileID] = [], end = End.done, failures = 0
        var lastWrite = clock.now()
        var loads = Loads(self, part)
        defer { loads.cancel() }
        while true {
            while end == .done, !task.isPaused, !task.isCancelled, loads.hasRoom {
                if let tile = again.popLast() {
                    loads.start(tile)
                } else if let tile = tiles.next() {
                    ledger.begin(tile)
                    if ledger.isSettled(tile) { ledger.pass(tile) } else { loads.start(tile) }
                } else {
                    break
                }
            }
            guard let (tile, load) = await loads.next() else {
                try write(&ledger, &record, at)
                if end != .done { return end }
                if task.isCancelled { return .cancelled }
                guard task.isPaused else { return .done }
                try set(.paused, "", &record)
                await task.untilWanted()
                try set(.running, "", &record)
                continue
            }
            switch load {
            case .settled(let outcome):
                ledger.settle(tile, outcome)
                failures = 0
                try set(.running, "", &record)
            case .later(let failure):
                again.append(tile)
                failures += 1
                try write(&ledger, &record, at)
                end = try await wait(after: failure, failures, &record) ?? end
            }
            if ledger.unwritten.count >= RegionWork.batch || clock.now() - lastWrite > RegionWork.patience {
                try write(&ledger, &record, at)
                lastWrite = clock.now()
            }
        }
    }

    /// What to do when a tile did not come for a reason that is not its own.
    /// - Returns: how the work ends; nil: it goes on.
    private func wait(
        after failure: SupplyFailure, _ failures: Int, _ record: inout RegionRecord
    ) async throws(RegionStoreFailure) -> End? {
        switch failure.kind {
        case .cancelled: return .cancelled
        case .refused: return .failed(failure.message)
        case .offline:
            try set(.waitingForNetwork, failure.message, &record)
            await pause(.seconds(Backoff(base: 1, cap: 30).ceiling(failures: failures)))
        case .wait(let time):
            try set(.running, failure.message, &record)
            await pause(min(time, .seconds(300)))
        case .tile: break
        }
        return nil
    }

    /// Waits, but no longer than the work is wanted.
    private func pause(_ time: Duration) async {
        let end = clock.now() + time
        while clock.now() < end, !task.isPaused, !task.isCancelled {
            guard (try? await clock.sleep(.milliseconds(200))) != nil else { return }
        }
    }

    private func write(
        _ ledger: inout PartLedger, _ record: inout RegionRecord, _ at: Int
    ) throws(RegionStoreFailure) {
        let now = clock.date()
        guard !ledger.unwritten.isEmpty || ledger.part != record.parts[at] else { return }
        try store.commit(
            RegionBatch(region: record.number, part: ledger.part, outcomes: ledger.take()), at: now)
        record.parts[at] = ledger.part
        switch try store.beat(record.number, at: now) {
        case .none: break
        case .pause: task.pause()
        case .cancel: task.cancel()
        }
        task.tell(record)
    }

    // MARK: One tile

    /// What came of asking for a tile.
    enum Load: Sendable {
        case settled(TileOutcome)
        case later(SupplyFailure)
    }

    func load(_ tile: TileID, of part: Part) async -> Load {
        let key = ResourceKey.tile(origin: part.supply.origin, tile), now = clock.date()
        let stored = store.response(for: key)
        if let stored, pass.accepts(stored, at: now) {
            return .settled(.present(bytes: stored.body?.count ?? 0, isAbsent: stored.body == nil))
        }
        let cached = stored == nil ? cache?.response(for: key) : nil
        if let cached, pass.accepts(cached, at: now) { return .settled(.reused(cached)) }
        do throws(SupplyFailure) {
            return .settled(outcome(try await part.supply.load(tile, held: stored ?? cached), stored, cached))
        } catch {
            // A tile that is stored stays, though it could not be asked about.
            if error.kind == .tile { return .settled(.failed(reason: error.message)) }
            return .later(error)
        }
    }

    private func outcome(
        _ supplied: Supplied, _ stored: StoredResponse?, _ cached: StoredResponse?
    ) -> TileOutcome {
        switch supplied {
        case .mayNotBeKept: return .failed(reason: "the server forbids keeping it (no-store)")
        case .answer(let response):
            // The server has it no more: what a person downloaded stays until he refreshes.
            if response.body == nil, let body = stored?.body, pass.kind != .refresh {
                return .present(bytes: body.count, isAbsent: false)
            }
            return .fetched(response)
        case .unchanged(let freshness, let headers):
            if let stored { return .unchanged(freshness, headers, bytes: stored.body?.count ?? 0) }
            var response = cached ?? StoredResponse(body: nil, freshness: freshness)
            (response.freshness, response.headers, response.isInvalidated) = (freshness, headers, false)
            return .reused(response)
        }
    }
}

/// Tiles of one part under way, as many at once as its policy allows.
private struct Loads {
    private let work: RegionWork
    private let part: RegionWork.Part
    private let stream: AsyncStream<(TileID, RegionWork.Load)>
    private let continuation: AsyncStream<(TileID, RegionWork.Load)>.Continuation
    private var iterator: AsyncStream<(TileID, RegionWork.Load)>.Iterator
    private var count = 0
    private let tasks = TaskBag()

    init(_ work: RegionWork, _ part: RegionWork.Part) {
        (self.work, self.part) = (work, part)
        (stream, continuation) = AsyncStream.makeStream()
        iterator = stream.makeAsyncIterator()
    }

    var hasRoom: Bool { count < max(part.supply.policy.connections, 1) * 2 }

    mutating func start(_ tile: TileID) {
        count += 1
        let number = tasks.nextNumber()
        tasks.add(number, Task { [work, part, continuation, tasks] in
            let load = await work.load(tile, of: part)
            tasks.remove(number)
            continuation.yield((tile, load))
        })
    }

    /// The next that comes; nil when none is under way.
    mutating func next() async -> (TileID, RegionWork.Load)? {
        guard count > 0 else { return nil }
        count -= 1
        return await iterator.next(isolation: nil)
    }

    func cancel() {
        tasks.cancelAll()
        continuation.finish()
    }
}
