internal import Synchronization
internal import RhumbStore

/// A handle for an operation on packages: reports progress, pauses, resumes, cancels, and waits for the end.
public final class MapLoaderTask: Sendable {
    /// The kind of an operation.
    public enum Operation: String, Sendable {
        case install, uninstall, update
        /// Continues interrupted installations and updates.
        case resume
        /// Fetches missing and damaged tiles.
        case repair
        /// Removes all packages.
        case clear
        /// Updates the data groups of packages to the selected ones.
        case normalise

        var word: String { rawValue + (rawValue.hasSuffix("e") ? "d" : "ed") }
    }

    /// The phase of an operation: it downloads tiles, then activates them, which can't be cancelled.
    public enum Phase: String, Sendable { case download, commit }

    /// The progress of an operation.
    public struct Progress: Sendable, Equatable {
        /// The current phase.
        public var phase = Phase.download
        /// The current package; nil before the first.
        public var package: String?
        /// The numbers of finished packages and of all.
        public var packages = (done: 0, planned: 0)
        /// The numbers of the package's settled tiles and of all. A settled tile is stored, absent or failed.
        public var tiles = (settled: 0, planned: 0)
        /// The bytes of an archive that is downloaded whole; `planned` is 0 if its size is unknown.
        public var archive = (received: 0, planned: 0)
        /// The tiles that servers sent or confirmed for the package in this operation.
        public var received = 0
        /// The size of the package's stored tiles in bytes.
        public var bytes = 0

        public static func == (a: Progress, b: Progress) -> Bool {
            a.phase == b.phase && a.package == b.package && a.packages == b.packages && a.tiles == b.tiles
                && a.archive == b.archive && a.received == b.received && a.bytes == b.bytes
        }
    }

    /// An event of a running operation.
    public enum Event: Sendable, Equatable {
        case progress(Progress)
        /// No server can be reached. The operation continues when one can.
        case lostConnection(String)
        case foundConnection
    }

    private struct State {
        var progress = Progress()
        var isPaused = false
        var isCancelled = false
        var isLeft = false
        /// Why no server can be reached; nil if one can.
        var waiting: String?
        var region: RegionTask?
        var listeners: [AsyncStream<Event>.Continuation] = []
        var work: Task<MapLoaderResult, Never>?
        var isOver = false
    }

    /// The kind of the operation.
    public let operation: Operation
    private let state = Mutex(State())

    init(_ operation: Operation) { self.operation = operation }

    /// The current progress.
    public var progress: Progress { state.withLock { $0.progress } }
    /// True if the operation is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// True if a later process is to resume it.
    var isLeft: Bool { state.withLock { $0.isLeft } }

    /// Returns the current progress, followed by events until the operation ends.
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

    /// Stops starting requests; those in flight are finished.
    public func pause() {
        state.withLock {
            $0.isPaused = true; return $0.region
        }?.pause()
    }
    /// Continues after a pause.
    public func resume() {
        state.withLock {
            $0.isPaused = false; return $0.region
        }?.resume()
    }

    /// Cancels the operation. Fetched tiles stay stored; installing again fetches the rest.
    /// - Returns: False if it is too late, because the new tiles are being activated or the operation has
    ///   ended.
    @discardableResult
    public func cancel() -> Bool {
        let stopped: (region: RegionTask?, work: Task<MapLoaderResult, Never>?)? = state.withLock { state in
            guard state.progress.phase == .download, !state.isOver else { return nil }
            state.isCancelled = true
            return (state.region, state.work)
        }
        // Before the first tile, the task still waits for documents.
        if let region = stopped?.region { region.cancel() } else { stopped?.work?.cancel() }
        return stopped != nil
    }

    /// Cancels the operation because the process ends. Unfinished packages stay stored for
    /// `MapLoader.resume`.
    /// - Returns: False if it is too late, as for `cancel()`.
    @discardableResult
    public func leave() -> Bool {
        state.withLock { $0.isLeft = true }
        return cancel()
    }

    /// Waits for the end of the operation.
    public func finish() async -> MapLoaderResult {
        await state.withLock { $0.work }?.value ?? .failure(.cancelled)
    }

    // MARK: Reports of the running operation

    func follow(_ work: Task<MapLoaderResult, Never>) { state.withLock { $0.work = work } }

    /// Enters the commit phase, which can't be cancelled.
    /// - Returns: False if the operation is already cancelled.
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

    /// Forwards the progress of a region's download until it ends.
    /// - Throws: `MapLoaderFailure` if the store could not be written.
    func follow(_ region: RegionTask) async throws(MapLoaderFailure) -> RegionRecord {
        let (isPaused, isCancelled) = state.withLock { state in
            state.region = region
            return (state.isPaused, state.isCancelled)
        }
        if isPaused { region.pause() }
        if isCancelled { region.cancel() }
        for await record in region.progress() { receive(record) }
        state.withLock { $0.region = nil }
        let record = await region.finish()
        if let failure = region.failure { throw MapLoaderFailure(failure) }
        return record
    }

    private func receive(_ record: RegionRecord) {
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
