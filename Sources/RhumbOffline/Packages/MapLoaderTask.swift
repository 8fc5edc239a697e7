internal import Synchronization
internal import RhumbStore

/// A handle on an operation on packages: look on, pause, resume, cancel, wait for the end. It ends once.
public final class MapLoaderTask: Sendable {
    /// An operation on packages.
    public enum Operation: String, Sendable {
        case install, uninstall, update
        /// Continues interrupted installations and updates.
        case resume
        /// Fetches damaged and missing tiles again.
        case repair
        /// All that is installed is removed.
        case clear
        /// Data groups are brought in line with those that are selected.
        case normalise

        var word: String { rawValue + (rawValue.hasSuffix("e") ? "d" : "ed") }
    }

    /// The phases of an operation. The second one replaces the installed edition, and can't be cancelled.
    public enum Phase: String, Sendable { case download, commit }

    /// The progress of an operation.
    public struct Progress: Sendable, Equatable {
        /// The current phase.
        public var phase = Phase.download
        /// The package that is worked on; nil before the first.
        public var package: String?
        /// Packages that are done, and all.
        public var packages = (done: 0, planned: 0)
        /// Tiles of the package, those that are settled and all.
        public var tiles = (settled: 0, planned: 0)
        /// Bytes of an archive that is downloaded whole; planned is 0 if its size is unknown.
        public var archive = (received: 0, planned: 0)
        /// Tiles that servers sent or confirmed since the work on the package began.
        public var received = 0
        /// Of the package's tiles.
        public var bytes = 0

        public static func == (a: Progress, b: Progress) -> Bool {
            a.phase == b.phase && a.package == b.package && a.packages == b.packages && a.tiles == b.tiles
                && a.archive == b.archive && a.received == b.received && a.bytes == b.bytes
        }
    }

    /// An event of an operation.
    public enum Event: Sendable, Equatable {
        case progress(Progress)
        /// No server is reachable; the operation continues once one is.
        case lostConnection(String)
        case foundConnection
    }

    private struct State {
        var progress = Progress()
        var isPaused = false
        var isCancelled = false
        var isLeft = false
        /// Why no server can be reached.
        var waiting: String?
        var region: RegionTask?
        var listeners: [AsyncStream<Event>.Continuation] = []
        var work: Task<MapLoaderResult, Never>?
        var isOver = false
    }

    /// The operation.
    public let operation: Operation
    private let state = Mutex(State())

    init(_ operation: Operation) { self.operation = operation }

    /// The current progress.
    public var progress: Progress { state.withLock { $0.progress } }
    /// True if the task is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// True if a later process is to resume it.
    var isLeft: Bool { state.withLock { $0.isLeft } }

    /// Returns the progress now and all events from now on; the stream ends with the operation.
    public func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(64))
        let (progress, waiting, isOver) = state.withLock { state in
            if !state.isOver { state.listeners.append(continuation) }
            return (state.progress, state.waiting, state.isOver)
        }
        continuation.yield(.progress(progress))
        if let waiting { continuation.yield(.lostConnection(waiting)) }
        if isOver { continuation.finish() }
        return stream
    }

    /// Sends no further requests; those in flight are completed.
    public func pause() {
        state.withLock {
            $0.isPaused = true; return $0.region
        }?.pause()
    }
    /// Goes on after a pause.
    public func resume() {
        state.withLock {
            $0.isPaused = false; return $0.region
        }?.resume()
    }

    /// Ends the operation soon. Stored tiles stay, and another installation fetches the rest.
    /// - Returns: False if the new edition is already being put in place.
    @discardableResult
    public func cancel() -> Bool {
        let stopped: (region: RegionTask?, work: Task<MapLoaderResult, Never>?)? = state.withLock { state in
            guard state.progress.phase == .download, !state.isOver else { return nil }
            state.isCancelled = true
            return (state.region, state.work)
        }
        // Before the first tile documents are waited for.
        if let region = stopped?.region { region.cancel() } else { stopped?.work?.cancel() }
        return stopped != nil
    }

    /// Ends the operation because the process ends. Its unfinished packages stay in the ledger for
    /// `MapLoader.resume`.
    /// - Returns: False if it is too late, as for `cancel()`.
    @discardableResult
    public func leave() -> Bool {
        state.withLock { $0.isLeft = true }
        return cancel()
    }

    /// Waits for the end.
    public func finish() async -> MapLoaderResult {
        await state.withLock { $0.work }?.value ?? .failure(.cancelled)
    }

    // MARK: From the work

    func follow(_ work: Task<MapLoaderResult, Never>) { state.withLock { $0.work = work } }

    /// Begins the part that can't be cancelled.
    /// - Returns: false where it is cancelled already.
    func commit() -> Bool {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.progress.phase = .commit }
            return state.isCancelled
        }
        change { _ in }
        return !isCancelled
    }

    func change(_ change: (inout Progress) -> Void) {
        let (progress, listeners) = state.withLock { state in
            change(&state.progress)
            return (state.progress, state.listeners)
        }
        for listener in listeners { listener.yield(.progress(progress)) }
    }

    /// Follows the work on a region to its end.
    /// - Throws: `MapLoaderFailure`, when nothing more could be written.
    func follow(_ region: RegionTask) async throws(MapLoaderFailure) -> RegionRecord {
        let (isPaused, isCancelled) = state.withLock { state in
            state.region = region
            return (state.isPaused, state.isCancelled)
        }
        if isPaused { region.pause() }
        if isCancelled { region.cancel() }
        for await record in region.progress() { hear(record) }
        state.withLock { $0.region = nil }
        let record = await region.finish()
        if let failure = region.failure { throw MapLoaderFailure(failure) }
        return record
    }

    private func hear(_ record: RegionRecord) {
        change { progress in
            progress.tiles = (record.settled, record.planned)
            progress.received = record.received
            progress.bytes = record.bytes
            progress.phase = record.settled < record.planned ? .download : .commit
        }
        noteConnection(lost: record.state == .waitingForNetwork ? record.reason : nil)
    }

    /// Reports a lost connection, or its return.
    /// - Parameter reason: Why no server can be reached; nil if one can.
    func noteConnection(lost reason: String?) {
        let listeners = state.withLock { state in
            defer { state.waiting = reason }
            return (state.waiting == nil) == (reason == nil) ? [] : state.listeners
        }
        for listener in listeners { listener.yield(reason.map { .lostConnection($0) } ?? .foundConnection) }
    }

    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.finish() }
    }
}
