public import RhumbCore
internal import RhumbEngine
public import RhumbStore
internal import Synchronization

/// The download of a region. Processes the tiles of each source, nearest and lowest zooms first, and writes
/// their results together with the progress.
struct RegionDownload: Sendable {
    /// One source of the region.
    struct Part: Sendable {
        let supply: any RegionSupply
        let cover: RegionTileSet
        let tileValidator: TileValidator
        let selection: LayerFilter
        /// True if a download accepts expired stored tiles; a refresh doesn't.
        let acceptsExpired: Bool
    }

    let job: RegionJob
    /// The tasks of the tiles in flight.
    let loads: TaskBag
    let regions: Regions
    let parts: [Part]
    let pass: SyncMode
    let clock: EngineClock

    var store: RegionStore { regions.store }
    var cache: (any ResponseStore)? { regions.cache }

    /// The result of downloading a part.
    enum End: Equatable {
        case done, cancelled
        /// The source has a newer edition.
        case superseded
        /// The download can't continue now. Any process may resume it later.
        case waiting(String)
        case failed(String)
    }

    /// Runs the download to its end. Listens for commands of other processes meanwhile.
    func outcome() async -> (JobState.Ending, RegionJob.Outcome) {
        let listening = Task.detached(executorPreference: BlockingExecutor.shared) { await listen() }
        var failure: RegionStoreFailure?
        do throws(RegionStoreFailure) { try await run() } catch { failure = fail(error) }
        listening.cancel()
        if isSuperseded { postSuccessor() }
        let record = job.record
        try? store.release(record.number)
        let ending = record.ending(stop: job.state.stop)
        if let failure { return (ending, .failure(OfflineFailure(failure))) }
        if case .stopped = ending, job.isCancelled { return (ending, .failure(.cancelled)) }
        return (ending, .success(record))
    }

    /// True if another process has taken over or removed the region.
    private var isSuperseded: Bool { job.state.stop == .superseded }

    /// Reports the region to the observers of the job and of the store.
    func post(_ record: RegionRecord) {
        job.report { $0 = record }
        job.apply(record.state == .waitingForNetwork ? .disconnect(reason: record.reason) : .reconnect)
        store.post(.progress(record))
    }

    private func run() async throws(RegionStoreFailure) {
        var record = job.record
        try await set(.running, "", &record)
        var supplies = parts, end = End.done, changes = 0
        repeat {
            (end, supplies) = try await goThrough(&record, supplies)
            changes += 1
        } while end == .superseded && changes < RegionDownload.changeLimit
        guard !isSuperseded else { return }
        switch end {
        case .cancelled where job.state.stop == .interrupted:
            try await set(.queued, RegionRecord.interruption, &record)
        case .cancelled: try await set(.cancelled, "", &record)
        case .waiting(let reason): try await set(.waitingForNetwork, reason, &record)
        case .failed(let reason): try await set(.failed, reason, &record)
        case .superseded:
            try await set(.failed, "the archive keeps changing; update the region later", &record)
        case .done: try await complete(&record)
        }
    }

    /// The maximum number of new editions during a download.
    private static let changeLimit = 3

    /// Downloads the parts one after another.
    /// - Returns: The result, and the parts to continue with.
    private func goThrough(
        _ record: inout RegionRecord, _ supplies: [Part]
    ) async throws(RegionStoreFailure) -> (End, [Part]) {
        for at in record.active.indices {
            let origin = record.active[at].origin
            guard let index = supplies.firstIndex(where: { $0.supply.origin == origin }) else {
                return (.failed(RegionDownload.missing(origin)), supplies)
            }
            var run = try SourceDownload(
                self, supplies[index], record.active[at], earlier: record.earlier(than: origin))
            // Tiles arrive on the global executor. Starting the next request there doesn't wake another
            // thread.
            let end = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () async throws(RegionStoreFailure) in
                try await run.go(&record, at)
            }
            guard end == .superseded, let next = await supplies[index].supply.successor() else {
                if end == .done { continue }
                return (end, supplies)
            }
            var supplies = supplies
            let old = supplies[index]
            supplies[index] = Part(
                supply: next.supply, cover: old.cover, tileValidator: old.tileValidator,
                selection: old.selection,
                acceptsExpired: old.acceptsExpired)
            record = try regions.supersede(record, at, by: next)
            return (.superseded, supplies)
        }
        return (.done, supplies)
    }

    /// Ends the download after all tiles have been processed. A complete new edition replaces the stored one
    /// unless it has fewer than half of the tiles. One with gaps replaces a stored one that has more gaps,
    /// such as that of a first download.
    private func complete(_ record: inout RegionRecord) async throws(RegionStoreFailure) {
        func known(_ parts: [RegionSourceRecord]) -> Int {
            parts.reduce(0) { $0 + $1.tiles + $1.stored.absent }
        }
        record = try regions.counted(record)
        let isBetter = pass.takesOver && known(record.coming) > known(record.parts)
        if record.failed > 0, !isBetter {
            let reason =
                record.coming.isEmpty
                ? ""
                : "\(AmountText.count(record.failed, "tile")) of the new edition failed; the old edition stays in "
                    + "use"
            return try await set(.completeWithGaps, reason, &record)
        }
        if let objection = record.objectionToShrunkEdition {
            return try await set(.completeWithGaps, objection, &record)
        }
        let end = record.failed > 0 ? RegionState.completeWithGaps : .complete
        guard pass.takesOver || record.coming.isEmpty else {
            return try await set(.complete, "a new edition is downloaded but not installed yet", &record)
        }
        let state = record.state, removed = record.parts.map { ($0.origin, $0.removed) }
        record = try regions.commitComing(record)
        record.state = state
        for (origin, tiles) in removed {
            guard let at = record.parts.firstIndex(where: { $0.origin == origin }) else { continue }
            record.parts[at].removed = tiles
        }
        try await set(end, "", &record)
    }

    private static func missing(_ origin: TileOrigin) -> String {
        "the source \(origin.source) is not available, or has another edition now; update the region"
    }

    /// Handles a failed write. Stores the failure if possible.
    /// - Returns: The failure; nil if another process has taken over the region.
    private func fail(_ failure: RegionStoreFailure) -> RegionStoreFailure? {
        if case .lost = failure {
            job.cancel(.superseded)
            return nil
        }
        var record = job.record
        record.state = .failed
        record.reason = failure.description
        store.fail(record.number, reason: failure.description, at: clock.date())
        post(record)
        return failure
    }

    /// Reports the region as stored by the process that took it over, or as cancelled if it was removed.
    private func postSuccessor() {
        var last = job.record
        last.state = .cancelled
        let regions = (try? store.regions()) ?? []
        post(regions.first { $0.number == last.number } ?? last)
    }

    func set(
        _ state: RegionState, _ reason: String, _ record: inout RegionRecord
    ) async throws(RegionStoreFailure) {
        let reason = SafeText.sanitised(reason, limit: 300)
        guard !isSuperseded, record.state != state || record.reason != reason else { return }
        record.state = state
        record.reason = reason
        if record.isOver { record = try regions.counted(record) }
        if state == .complete { record.refresh = nil }
        let number = record.number, now = clock.date()
        try await withTaskExecutorPreference(BlockingExecutor.shared) { () throws(RegionStoreFailure) in
            try store.setState(state, of: number, reason: reason, at: now)
        }
        post(record)
    }

    /// Polls once a second for commands of other processes and updates the heartbeat, until cancelled.
    private func listen() async {
        while (try? await clock.sleep(.seconds(1))) != nil, !Task.isCancelled {
            do throws(RegionStoreFailure) {
                switch try store.beat(job.record.number, at: clock.date()) {
                case .some(.none): break
                case .pause: job.pause()
                case .resume: job.resume()
                case .cancel: job.cancel()
                case nil:
                    job.cancel(.superseded)
                    return
                }
            } catch {
                // Another process has locked the file. Tries again at the next heartbeat.
                continue
            }
        }
    }
}

extension RegionRecord {
    /// True if the work has ended.
    fileprivate var isOver: Bool {
        ![.running, .paused, .waitingForNetwork].contains(state)
    }

    /// Returns the stored edition of a source that a new edition will replace; nil if there is none.
    fileprivate func earlier(than origin: TileOrigin) -> TileOrigin? {
        parts.map(\.origin).first { $0 != origin && $0.isSameSource(as: origin) }
    }

    /// The reason why the new edition of a region does not replace the stored one although it is complete: it
    /// has fewer than half of the tiles. Nil if it does. Packages may shrink.
    fileprivate var objectionToShrunkEdition: String? {
        let old = parts.reduce(0) { $0 + $1.tiles }, new = coming.reduce(0) { $0 + $1.tiles }
        guard !coming.isEmpty, package == nil, new * 2 < old else { return nil }
        return
            "the new edition has only \(AmountText.count(new, "tile")) instead of \(AmountText.count(old)); the old "
            + "edition stays in use; to accept the new one, remove the region and add it again"
    }
}

/// The download or refresh of a region. Its progress and its value are the region as last written.
public typealias RegionJob = Job<RegionRecord, RegionRecord, OfflineFailure>

extension Job where Progress == RegionRecord {
    /// The region as last written.
    public var record: RegionRecord { progress }
}

extension RegionRecord {
    /// Returns the ending of work that leaves the region in this state. A complete region has gaps if it has
    /// no tiles, or if the update removed some.
    /// - Parameter stop: The reason why the work was stopped; nil if it wasn't.
    package func ending(stop: JobState.Stop? = nil) -> JobState.Ending {
        if stop == .superseded { return .stopped(.superseded) }
        switch state {
        case .complete: return isEmpty || removed.count > 0 ? .withGaps : .complete
        case .completeWithGaps: return .withGaps
        case .cancelled: return .stopped(.cancelled)
        case .queued, .running, .paused, .waitingForNetwork: return .stopped(.interrupted)
        case .failed: return .failed
        }
    }
}

/// Tasks that can be cancelled together.
final class TaskBag: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var finished: Set<Int> = []
        /// True if tasks added from now on are cancelled immediately.
        var isClosed = false
    }
    private let state = Mutex(State())

    func nextNumber() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Adds a task, which may already have ended.
    func add(_ number: Int, _ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            if state.finished.remove(number) == nil { state.tasks[number] = task }
            return state.isClosed
        }
        if isLate { task.cancel() }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            if state.tasks.removeValue(forKey: number) == nil { state.finished.insert(number) }
        }
    }

    /// Cancels all tasks, including those that are added later.
    func close() {
        state.withLock { $0.isClosed = true }
        cancelAll()
    }

    func cancelAll() {
        for task in state.withLock({ $0.tasks.values }) { task.cancel() }
    }
}

/// The mode of a region's download: which stored tiles it accepts, and which it revalidates.
public struct SyncMode: Sendable, Equatable {
    /// The kind of a download.
    public enum Kind: Sendable, Equatable {
        /// Fetches missing tiles. Resumes an interrupted refresh.
        case download
        /// Revalidates all tiles.
        case refresh
        /// Retries the gaps, then continues like `download`.
        case retry
    }

    /// The kind of the download.
    public var kind = Kind.download
    /// True to accept stored tiles regardless of their age.
    public var acceptsExpired = false
    /// For a refresh, the time before which a tile must have been received to be revalidated; nil for all
    /// tiles.
    public var olderThan: UnixSeconds?

    /// True if a complete new edition replaces the stored one immediately; false to wait for
    /// `Regions.takeOver`.
    var takesOver = true

    /// Creates a download with default conditions.
    public init(_ kind: Kind = .download) { self.kind = kind }

    /// True if fresh tiles are revalidated too, as in a new or resumed refresh.
    var isRefresh: Bool { kind == .refresh || olderThan != nil }

    /// The purpose of the requests, from which `CacheRules` decides whether a stored tile suffices.
    var mode: FetchMode {
        if acceptsExpired { return .fill(acceptsExpired: true) }
        return isRefresh ? .refresh(olderThan: olderThan) : .fill(acceptsExpired: false)
    }
}
