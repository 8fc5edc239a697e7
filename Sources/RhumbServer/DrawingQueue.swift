internal import Synchronization

/// Draws one picture at a time, and limits the number of waiting ones. Names are read in the same way.
final class DrawingQueue: Sendable {
    private static let limit = 64
    private let waiting = Mutex(0)
    private let worker = Worker()

    private actor Worker {
        private var last: Task<Void, Never>?

        func run<Value: Sendable>(_ draw: @escaping @Sendable () async -> Value) async -> Value {
            let previous = last
            let task = Task {
                await previous?.value
                return await draw()
            }
            last = Task { _ = await task.value }
            return await task.value
        }
    }

    /// Returns false if too many pictures wait.
    func begin() -> Bool {
        waiting.withLock { count in
            guard count < DrawingQueue.limit else { return false }
            count += 1
            return true
        }
    }

    func run<Value: Sendable>(_ draw: @escaping @Sendable () async -> Value) async -> Value {
        defer { waiting.withLock { $0 -= 1 } }
        return await worker.run(draw)
    }
}
