internal import RhumbBrowser
internal import Synchronization

/// The events that other threads send to the main loop.
final class Inbox: Sendable {
    private struct State {
        var events: [Event] = []
        var failedTiles = 0
    }

    let waker = WakePipe()
    private let state = Mutex(State())
    /// The maximum number of queued tile failures. Further ones are dropped while the loop is busy; all other
    /// events are preserved.
    private static let failureLimit = 64

    /// Adds an event, and wakes the loop.
    func put(_ event: Event) {
        state.withLock { state in
            if case .tileFailed = event {
                guard state.failedTiles < Inbox.failureLimit else { return }
                state.failedTiles += 1
            }
            state.events.append(event)
        }
        waker.wake()
    }

    /// Removes and returns all events.
    func take() -> [Event] {
        state.withLock { state in
            defer { state = State() }
            return state.events
        }
    }
}
