internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The download of one source of a region.
struct SourceDownload {
    private let work: RegionDownload
    private var progress: SourceProgress
    private let tiles: AnyIterator<TileID>
    private var loads: DownloadWindow
    /// Tiles to retry next.
    private var again: [TileID] = []
    private var failures: OutageTracker
    private var end: RegionDownload.End?
    private var lastWrite: Duration
    /// The write in progress. `record` is updated after it ends.
    private var writing: Task<Result<RegionSourceRecord, RegionStoreFailure>, Never>?

    private var job: RegionJob { work.job }

    /// The number of results that triggers a write. After `writeInterval`, fewer results are written, too.
    private static let batch = 256
    private static let writeInterval = Duration.milliseconds(100)
    /// The limits for unwritten results, in tiles and bytes. At a limit, fetching waits for the write in
    /// progress.
    private static let most = (tiles: 1000, bytes: 16 << 20)

    init(
        _ work: RegionDownload, _ part: RegionDownload.Part, _ begun: RegionSourceRecord, earlier: TileOrigin?
    ) throws(RegionStoreFailure) {
        self.work = work
        let gaps = try SourceDownload.gaps(work, begun)
        progress = SourceProgress(begun, isGap: Set(gaps).contains)
        again = gaps.reversed()
        tiles = AnyIterator(part.cover.tiles(after: begun.cursor))
        loads = DownloadWindow(work, part, earlier: earlier)
        failures = OutageTracker(networkTimeout: work.regions.networkTimeout)
        lastWrite = work.clock.now()
    }

    /// Returns the gaps to retry before the download continues after its cursor.
    private static func gaps(
        _ work: RegionDownload, _ begun: RegionSourceRecord
    ) throws(RegionStoreFailure) -> [TileID] {
        guard work.pass.kind == .retry else { return [] }
        let gaps = try work.store.gaps(of: work.job.record.number, limit: 1_000_000)
        return gaps.filter { $0.origin == begun.origin }.map(\.tile)
    }

    /// Downloads the part until it is complete, cancelled or blocked.
    /// - Parameter at: The index of the part in `record.active`.
    mutating func go(
        _ record: inout RegionRecord, _ at: Int
    ) async throws(RegionStoreFailure) -> RegionDownload.End {
        defer { loads.finish() }
        while true {
            fill()
            if let news = await loads.next() {
                try await receive(news, &record, at)
                try await writeIfDue(&record, at)
            } else {
                // If no tile is in flight, the download is complete, paused, cancelled or blocked.
                try await write(&record, at)
                try await finishWriting(&record, at)
                if let end { return end }
                if job.isCancelled { return .cancelled }
                if let failure = failures.begin() {
                    if let reason = failures.surrender { return .failed(reason) }
                    try await wait(after: failure, &record)
                } else if job.isPaused {
                    try await work.set(.paused, "", &record)
                    await job.waitWhilePaused()
                    try await work.set(.running, "", &record)
                } else {
                    return .done
                }
            }
        }
    }

    private mutating func fill() {
        while end == nil, !failures.isWaiting, !job.isPaused, !job.isCancelled, loads.hasRoom {
            var chunk: [TileID] = []
            while chunk.count < loads.batch, let tile = nextTile() { chunk.append(tile) }
            if chunk.isEmpty { return }
            loads.start(chunk)
        }
    }

    private mutating func nextTile() -> TileID? {
        if let tile = again.popLast() { return tile }
        while let tile = tiles.next() {
            progress.begin(tile)
            guard progress.isSettled(tile) else { return tile }
            progress.pass(tile)
        }
        return nil
    }

    private mutating func receive(
        _ news: DownloadWindow.News, _ record: inout RegionRecord, _ at: Int
    ) async throws(RegionStoreFailure) {
        switch news {
        case .settled(let tile, let outcome): try await settle(tile, outcome, &record)
        case .held(let tile, let failure): try await hold(tile, failure, &record)
        case .wrote: try await finishWriting(&record, at)
        case .due: break
        }
    }

    private mutating func settle(
        _ tile: TileID, _ outcome: TileOutcome, _ record: inout RegionRecord
    ) async throws(RegionStoreFailure) {
        progress.settle(tile, outcome)
        failures.settled(tile, outcome)
        if !failures.isWaiting { try await work.set(.running, "", &record) }
    }

    /// Handles a tile that was not received for a reason that may affect other tiles.
    private mutating func hold(
        _ tile: TileID, _ failure: SupplyFailure, _ record: inout RegionRecord
    ) async throws(RegionStoreFailure) {
        switch failure.kind {
        case .cancelled: end = end ?? .cancelled
        case .superseded: end = end ?? .superseded
        case .metered: end = end ?? .waiting(failure.message)
        case .refused: end = end ?? .failed(failure.message)
        case .damaged where failures.mayRetryDamaged(tile): again.append(tile)
        // A tile that can't be used costs a request or more, and so would all others.
        case .server, .damaged:
            failures.stumbled(failure)
            try await settle(tile, .failed(reason: failure.message), &record)
            if let reason = failures.surrender { end = end ?? .failed(reason) }
        case .tile: try await settle(tile, .failed(reason: failure.message), &record)
        case .lost where failures.isHopeless(tile), .paused where failures.isHopeless(tile):
            try await settle(tile, .failed(reason: failure.message), &record)
        case .offline, .lost, .wait, .outage, .paused:
            again.append(tile)
            failures.note(failure, of: tile)
        }
    }

    private mutating func wait(
        after failure: (SupplyFailure, times: Int), _ record: inout RegionRecord
    ) async throws(RegionStoreFailure) {
        let pause = failure.0.pause
        let time = pause ?? .seconds(Backoff(base: 1, cap: 30).ceiling(failures: failure.times))
        // A connection that is lost or times out had a network.
        let hadNetwork = pause != nil || failure.0.kind == .lost
        try await work.set(hadNetwork ? .running : .waitingForNetwork, failure.0.message, &record)
        let start = work.clock.now()
        while work.clock.now() < start + time, !job.isPaused, !job.isCancelled {
            guard (try? await work.clock.sleep(.milliseconds(200))) != nil else { return }
        }
        if !hadNetwork { failures.waitedForNetwork(work.clock.now() - start) }
    }

    // MARK: Writing

    private mutating func writeIfDue(_ record: inout RegionRecord, _ at: Int) async throws(RegionStoreFailure)
    {
        let isDue =
            progress.unwritten.count >= SourceDownload.batch
            || work.clock.now() - lastWrite > SourceDownload.writeInterval
        let isFull =
            progress.unwritten.count >= SourceDownload.most.tiles
            || progress.unwrittenBytes >= SourceDownload.most.bytes
        if isFull || isDue && writing == nil { return try await write(&record, at) }
        if writing == nil, !progress.unwritten.isEmpty {
            loads.remind(after: SourceDownload.writeInterval, work.clock)
        }
    }

    /// Starts to write the results after the previous write has ended. Fetching continues meanwhile.
    private mutating func write(_ record: inout RegionRecord, _ at: Int) async throws(RegionStoreFailure) {
        lastWrite = work.clock.now()
        try await finishWriting(&record, at)
        let asked = loads.takeRequests()
        progress.asked(asked.requests, bytes: asked.bytes)
        guard job.state.stop != .superseded, !progress.unwritten.isEmpty || progress.part != record.active[at]
        else { return }
        let batch = RegionBatch(region: record.number, part: progress.part, outcomes: progress.take())
        let store = work.store, now = work.clock.date(), noteWriting = loads.noteWriting
        writing = Task.detached(executorPreference: BlockingExecutor.shared) {
            defer { noteWriting() }
            do throws(RegionStoreFailure) {
                try store.commit(batch, at: now)
                return .success(batch.part)
            } catch {
                return .failure(error)
            }
        }
    }

    private mutating func finishWriting(
        _ record: inout RegionRecord, _ at: Int
    ) async throws(RegionStoreFailure) {
        guard let begun = writing.take() else { return }
        record.active[at] = try await begun.value.get()
        work.post(record)
    }
}

/// The progress of a region's source while tiles arrive in any order. It tracks the tile up to which all are
/// processed, and the results to write.
struct SourceProgress {
    private(set) var part: RegionSourceRecord
    /// The requested tiles in order, oldest first. Processed tiles stay until all tiles before them are
    /// processed.
    private var order: [TileID] = []
    private var first = 0
    private(set) var unwritten: [(tile: TileID, outcome: TileOutcome)] = []
    /// The size of the fetched tiles in `unwritten`, in bytes.
    private(set) var unwrittenBytes = 0

    private let isGap: (TileID) -> Bool

    /// - Parameter isGap: Returns true for a tile in the list of gaps. Gaps already count as failed, and
    ///   don't move the cursor.
    init(_ part: RegionSourceRecord, isGap: @escaping (TileID) -> Bool = { _ in false }) {
        self.part = part
        self.isGap = isGap
    }

    /// True if a tile was processed before the download was interrupted.
    func isSettled(_ tile: TileID) -> Bool { part.ahead.contains(tile) }

    mutating func begin(_ tile: TileID) { order.append(tile) }

    /// Counts requests, and the bytes that were transferred for them.
    mutating func asked(_ requests: Int, bytes: Int) {
        part.requests += requests
        part.loadedBytes += bytes
    }

    /// Records the result of a tile.
    mutating func settle(_ tile: TileID, _ outcome: TileOutcome) {
        count(outcome)
        if case .removed = outcome { part.removed.add(tile) }
        unwritten.append((tile, outcome))
        if isGap(tile) { part.failed -= 1 } else { pass(tile) }
    }

    /// Advances the cursor past a processed tile, without counting or writing it.
    mutating func pass(_ tile: TileID) {
        part.ahead.insert(tile)
        while first < order.count, part.ahead.remove(order[first]) != nil {
            part.cursor = order[first]
            first += 1
        }
        if first > 1024 {
            order.removeFirst(first)
            first = 0
        }
    }

    /// Returns the results to write, and clears them.
    mutating func take() -> [(tile: TileID, outcome: TileOutcome)] {
        defer { (unwritten, unwrittenBytes) = ([], 0) }
        return unwritten
    }

    private mutating func count(_ outcome: TileOutcome) {
        switch outcome {
        case .fetched(let response):
            count(response.body?.count, as: \.done)
            unwrittenBytes += response.body?.count ?? 0
            part.loaded += 1
        case .reused(let response): count(response.body?.count, as: \.reused)
        case .carried(let response): count(response.body?.count, as: \.unchanged)
        case .present(let bytes, let isAbsent): count(isAbsent ? nil : bytes, as: \.reused)
        case .unchanged(_, _, let bytes): count(bytes, as: \.unchanged)
        case .removed:
            count(nil, as: \.done)
            part.loaded += 1
        case .failed: part.failed += 1
        }
    }

    /// - Parameter bytes: The size of the tile; nil if it doesn't exist.
    private mutating func count(_ bytes: Int?, as way: WritableKeyPath<RegionSourceRecord, Int>) {
        part[keyPath: bytes == nil ? \.absent : way] += 1
        part.bytes += bytes ?? 0
    }
}
