internal import RhumbCore
public import RhumbStore
internal import Synchronization

/// A handle for the download of a region: reports progress, pauses, resumes, cancels, and waits for the end.
public final class RegionTask: Sendable {
    private struct State {
        var isPaused = false
        var isCancelled = false
        var isLost = false
        var isOver = false
        var wakers: [CheckedContinuation<Void, Never>] = []
        var listeners: [Int: AsyncStream<RegionRecord>.Continuation] = [:]
        var latest: RegionRecord
        var failure: RegionStoreFailure?
        var work: Task<Void, Never>?
    }

    private let state: Mutex<State>
    /// The tasks of the tiles in flight.
    let loads = TaskBag()

    let store: RegionStore

    /// - Parameter store: The region's store, whose listeners also receive the progress.
    init(_ record: RegionRecord, in store: RegionStore) {
        state = Mutex(State(latest: record))
        self.store = store
    }

    /// The region as last written.
    public var record: RegionRecord { state.withLock { $0.latest } }
    /// True if the task is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }
    /// True if the task is cancelled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// The failure of a write, which ended the task; nil if none failed.
    public var failure: RegionStoreFailure? { state.withLock { $0.failure } }
    /// True if another process took the region over or removed it.
    package var isLost: Bool { state.withLock { $0.isLost } }

    /// Returns the region now and after each write, until the task ends.
    public func progress() -> AsyncStream<RegionRecord> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: RegionRecord.self, bufferingPolicy: .bufferingNewest(1))
        let latest = state.withLock { state -> RegionRecord? in
            state.listeners[state.listeners.count] = continuation
            return state.isOver ? nil : state.latest
        }
        continuation.yield(latest ?? record)
        if latest == nil { continuation.finish() }
        return stream
    }

    /// Stops starting requests. Tiles in flight are finished and written.
    public func pause() { state.withLock { $0.isPaused = true } }

    /// Continues after a pause.
    public func resume() { change { $0.isPaused = false } }

    /// Cancels the download. Written tiles remain, and the region can be resumed.
    public func cancel() {
        change { $0.isCancelled = true }
        loads.close()
    }

    /// Ends the task without further writes, because another process took the region over.
    func lose() {
        state.withLock { $0.isLost = true }
        cancel()
    }

    /// Waits for the end of the task.
    /// - Returns: The region then: complete, with gaps, failed or cancelled.
    @discardableResult
    public func finish() async -> RegionRecord {
        await state.withLock { $0.work }?.value
        return record
    }

    func follow(_ work: Task<Void, Never>) { state.withLock { $0.work = work } }

    private func change(_ body: (inout State) -> Void) {
        let wakers = state.withLock { state in
            body(&state)
            defer { state.wakers = [] }
            return state.wakers
        }
        for waker in wakers { waker.resume() }
    }

    /// Waits until the task is resumed or cancelled.
    func untilWanted() async {
        while isPaused && !isCancelled {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if !state.isPaused || state.isCancelled { return true }
                    state.wakers.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Stores and reports a failed write.
    func fail(_ failure: RegionStoreFailure, _ record: RegionRecord) {
        state.withLock { $0.failure = failure }
        post(record)
    }

    func post(_ record: RegionRecord) {
        let listeners = state.withLock { state in
            state.latest = record
            return state.listeners.values
        }
        for listener in listeners { listener.yield(record) }
        store.post(.progress(record))
    }

    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in listeners { listener.finish() }
        store.post(.finished(record))
    }
}
