internal import Synchronization

/// Sends values to any number of listeners. Ends their streams when it is released.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var last = 0
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
    }
    private let state = Mutex(State())

    package init() {}

    /// Returns the values from now on.
    /// - Parameters:
    ///   - first: A value that only this listener receives, before all others; nil for none.
    ///   - buffering: The unread values that are kept. Without a limit, a listener that stops reading must
    ///     release its stream.
    package func stream(
        startingWith first: Element? = nil,
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        if let first { continuation.yield(first) }
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.last += 1
            state.listeners[state.last] = continuation
            return state.last
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// Sends a value to all listeners.
    package func send(_ value: Element) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
    }

    /// Ends the streams of all listeners, also of later ones.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    deinit { finish() }
}
