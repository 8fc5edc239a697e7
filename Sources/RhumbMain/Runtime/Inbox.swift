internal import RhumbBrowser
internal import Synchronization

/// The events of other threads for the main loop.
final class Inbox: Sendable {
    private struct State {
        var events: [Event] = []
        var failedTiles = 0
    }

    let waker = WakePipe()
    private let state = Mutex(State())
    /// Of a storm of failed tiles while the loop is busy the first tell enough; everything else is kept.
    private static let failureLimit = 64

    /// Leaves an event and wakes the loop.
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

    /// Takes everything that was left.
    func take() -> [Event] {
        state.withLock { state in
            defer { state = State() }
            return state.events
        }
    }
}
