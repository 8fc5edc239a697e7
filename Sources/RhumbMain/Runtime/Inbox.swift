internal import CLinux
internal import Glibc
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

/// Wakes the main loop from any thread. Repeated calls before the loop handles them count as one.
final class WakePipe: Sendable {
    /// The descriptor to pass to `poll`, readable after a wake. −1 if the system has no free descriptors;
    /// `poll` ignores it, and nothing wakes the loop.
    let descriptor: Int32
    private let entrance: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe2(&ends, O_CLOEXEC | O_NONBLOCK)
        descriptor = ends[0]
        entrance = ends[1]
    }

    deinit {
        close(descriptor)
        close(entrance)
    }

    /// Wakes the loop. It is not an error if the pipe is full.
    func wake() { _ = write(entrance, [1], 1) }

    /// Clears all previous wakes.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    /// Waits for a wake, within a time limit in milliseconds.
    func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds)
    }
}
