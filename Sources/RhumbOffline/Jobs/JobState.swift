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
