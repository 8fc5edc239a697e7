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

/// The state of a job. Only events change it. A job that has ended never changes again.
public struct JobState: Hashable, Sendable {
    /// The phase of a job.
    public enum Phase: Hashable, Sendable {
        case running
        /// No server can be reached, for this reason. The job continues automatically once one can.
        case waiting(reason: String)
        /// The downloaded data is being activated, which can't be stopped.
        case committing
        /// The job was stopped, and is still writing received data.
        case stopping(Stop)
        case ended(Ending)
    }

    /// The reason to stop a job.
    public enum Stop: String, Hashable, Sendable, CaseIterable {
        /// The user cancelled the job.
        case cancelled
        /// The process is ending. A later one may resume the job.
        case interrupted
        /// Another process took over the work, or removed the object being worked on.
        case superseded
    }

    /// The end of a job.
    public enum Ending: Hashable, Sendable {
        case complete
        /// Everything was attempted, but something is missing.
        case withGaps
        case stopped(Stop)
        case failed
    }

    /// An event that may change a state.
    public enum Event: Hashable, Sendable {
        /// The job begins the work, or the next part of it.
        case begin
        case pause, resume
        /// No server can be reached, for a reason.
        case disconnect(reason: String)
        /// A server can be reached again.
        case reconnect
        case commit
        case stop(Stop)
        case end(Ending)
    }

    /// The phase.
    public private(set) var phase = Phase.running
    /// True if no requests are started until the job is resumed. A pause outlasts a lost connection and the
    /// parts of the work.
    public private(set) var isPaused = false

    /// The state of a job that was just started.
    public init() {}

    /// Changes the state.
    /// - Returns: False if the event isn't possible in this state, which then remains unchanged.
    @discardableResult
    public mutating func apply(_ event: Event) -> Bool {
        switch (phase, event) {
        case (.ended, _): return false
        case (_, .end(let ending)):
            phase = .ended(ending)
            isPaused = false
        // Another process may take over a job that is being stopped. Its store must not be written then.
        case (.stopping, .stop(.superseded)): phase = .stopping(.superseded)
        case (.stopping, _), (.committing, .stop(.cancelled)), (.committing, .stop(.interrupted)):
            return false
        case (_, .stop(let stop)):
            phase = .stopping(stop)
            isPaused = false
        case (_, .pause): isPaused = true
        case (_, .resume): isPaused = false
        case (_, .commit): phase = .committing
        case (_, .begin): phase = .running
        case (.running, .disconnect(let reason)), (.waiting, .disconnect(let reason)):
            phase = .waiting(reason: reason)
        case (.waiting, .reconnect): phase = .running
        case (.running, .reconnect), (.committing, .disconnect), (.committing, .reconnect): return false
        }
        return true
    }

    /// The reason why the job is being stopped or was stopped; nil if it wasn't.
    public var stop: Stop? {
        switch phase {
        case .stopping(let stop), .ended(.stopped(let stop)): stop
        case .running, .waiting, .committing, .ended: nil
        }
    }

    /// The reason why no server can be reached; nil if one can.
    public var waitingReason: String? { if case .waiting(let reason) = phase { reason } else { nil } }

    /// True if the job has ended.
    public var isOver: Bool { if case .ended = phase { true } else { false } }
}
