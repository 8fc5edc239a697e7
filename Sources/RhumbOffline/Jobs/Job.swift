internal import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The controls of a job of any kind.
public protocol JobControl: Sendable {
    var state: JobState { get }
    /// Stops starting requests. Those in flight are finished, and their results are written.
    func pause()
    /// Continues after a pause.
    func resume()
    /// Stops the job. Its stored data remains.
    /// - Returns: False if it is too late, because the job commits or has ended.
    @discardableResult
    func cancel(_ reason: JobState.Stop) -> Bool
}

extension JobControl {
    /// Stops the job on behalf of the user.
    /// - Returns: False if it is too late, because the job commits or has ended.
    @discardableResult
    public func cancel() -> Bool { cancel(.cancelled) }

    /// True if the job is paused.
    public var isPaused: Bool { state.isPaused }
    /// True if the job was stopped, for whatever reason.
    public var isCancelled: Bool { state.stop != nil }
}

/// The state and the progress of a job at one time.
public struct JobUpdate<Progress: Sendable>: Sendable {
    /// The state.
    public let state: JobState
    /// The progress.
    public let progress: Progress
}

/// A handle for work on offline data: the download of a region, an operation on packages, the loading of a
/// style pack, or tiles fetched into the cache. Reports progress, pauses, resumes and stops the work, and
/// waits for its end.
public final class Job<Progress: Sendable, Value: Sendable, Failure: Error>: JobControl {
    /// The result of the job.
    public typealias Outcome = Result<Value, Failure>

    /// The state and the progress of the job at one time.
    public typealias Update = JobUpdate<Progress>

    private struct Contents {
        var state = JobState()
        var progress: Progress
        /// The work that is suspended until the pause ends.
        var waiters: [CheckedContinuation<Void, Never>] = []
        var work: Task<Outcome, Never>?
        /// The job that currently performs a part of the work; nil if none does.
        var part: (any JobControl)?

        var update: Update { Update(state: state, progress: progress) }
    }

    private let contents: Mutex<Contents>
    private let listeners = Broadcast<Update>()
    /// Cancels requests in flight; nil to cancel the task of the work.
    private let cancelRequests: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - progress: The progress at the beginning.
    ///   - cancelRequests: Cancels the requests in flight when the job is stopped; nil to cancel its task.
    init(_ progress: Progress, cancelRequests: (@Sendable () -> Void)? = nil) {
        contents = Mutex(Contents(progress: progress))
        self.cancelRequests = cancelRequests
    }

    /// The state of the job.
    public var state: JobState { contents.withLock { $0.state } }
    /// The progress as last reported.
    public var progress: Progress { contents.withLock { $0.progress } }

    /// Returns the state and progress now and after each change, until the job ends. A slow reader may miss
    /// updates, but not the last one.
    public func updates() -> AsyncStream<Update> {
        contents.withLock { listeners.stream(startingWith: $0.update, buffering: .bufferingNewest(64)) }
    }

    /// Stops starting requests. Those in flight are finished, and their results are written.
    public func pause() {
        apply(.pause)
        part?.pause()
    }

    /// Continues after a pause.
    public func resume() {
        apply(.resume)
        part?.resume()
    }

    /// Stops the job. Its stored data remains.
    /// - Returns: False if it is too late, because the job commits or has ended.
    @discardableResult
    public func cancel(_ reason: JobState.Stop) -> Bool {
        guard apply(.stop(reason)) else { return false }
        if let part {
            part.cancel(reason)
        } else if let cancelRequests {
            cancelRequests()
        } else {
            work?.cancel()
        }
        return true
    }

    /// Waits for the end of the job.
    /// - Returns: Its result. A job that was stopped has failed, with `OfflineFailure.cancelled`.
    @discardableResult
    public func finish() async -> Outcome {
        guard let work else { fatalError("a job is started before its handle is returned") }
        return await work.value
    }

    /// Waits for the end of the job, and returns its value.
    /// - Throws: The failure of the job.
    @discardableResult
    public func value() async throws(Failure) -> Value { try await finish().get() }

    private var work: Task<Outcome, Never>? { contents.withLock { $0.work } }
    private var part: (any JobControl)? { contents.withLock { $0.part } }

    // MARK: Called by the work

    /// Starts the work.
    /// - Parameters:
    ///   - body: The work. Returns its ending and its outcome.
    ///   - atEnd: Called after the state has become that of an ended job.
    func start(
        on executor: (any TaskExecutor)? = nil,
        _ body: @escaping @Sendable () async -> (JobState.Ending, Outcome),
        atEnd: @escaping @Sendable () -> Void = {}
    ) {
        let work = Task.detached(executorPreference: executor) {
            let (ending, outcome) = await body()
            self.end(ending)
            atEnd()
            return outcome
        }
        contents.withLock { $0.work = work }
        // The job may have been stopped before.
        if isCancelled, cancelRequests == nil { work.cancel() }
    }

    /// Applies an event to the state, and reports the change.
    /// - Returns: False if the event isn't possible in the current state.
    @discardableResult
    func apply(_ event: JobState.Event) -> Bool {
        let (isApplied, waiters) = contents.withLock {
            contents -> (Bool, [CheckedContinuation<Void, Never>]) in
            let before = contents.state
            guard contents.state.apply(event) else { return (false, []) }
            if contents.state != before { listeners.send(contents.update) }
            guard !contents.state.isPaused else { return (true, []) }
            defer { contents.waiters = [] }
            return (true, contents.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return isApplied
    }

    /// Changes and reports the progress.
    func report(_ change: (inout Progress) -> Void) {
        contents.withLock { contents in
            change(&contents.progress)
            listeners.send(contents.update)
        }
    }

    /// Waits until the job is resumed or stopped.
    func waitWhilePaused() async {
        await withCheckedContinuation { continuation in
            let isLate = contents.withLock { contents in
                if contents.state.isPaused { contents.waiters.append(continuation) }
                return !contents.state.isPaused
            }
            if isLate { continuation.resume() }
        }
    }

    /// Follows a job that performs a part of the work, and forwards pauses and stops to it.
    /// - Parameter report: Receives each update of the part.
    /// - Returns: The result of the part.
    func follow<P, V, F>(_ part: Job<P, V, F>, _ report: (JobUpdate<P>) -> Void) async -> Result<V, F> {
        let state = contents.withLock { contents in
            contents.part = part
            return contents.state
        }
        if state.isPaused { part.pause() }
        if let stop = state.stop { part.cancel(stop) }
        for await update in part.updates() { report(update) }
        contents.withLock { $0.part = nil }
        return await part.finish()
    }

    private func end(_ ending: JobState.Ending) {
        apply(.end(ending))
        listeners.finish()
    }
}
