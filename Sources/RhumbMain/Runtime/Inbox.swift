internal import RhumbBrowser
internal import Synchronization

/// Where other threads leave what happened for the main loop.
final class Inbox: Sendable {
    let waker = Waker()
    private let events = Mutex<[Event]>([])
    /// What is kept while the loop is busy; of a storm of failures the first tell enough.
    private static let limit = 64

    /// Leaves an event and wakes the loop.
    func put(_ event: Event) {
        events.withLock { if $0.count < Inbox.limit { $0.append(event) } }
        waker.wake()
    }

    /// Takes everything that was left.
    func take() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
