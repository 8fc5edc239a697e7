internal import RhumbCore
internal import Synchronization

/// Draws one picture at a time, and limits the number of waiting ones.
final class DrawingQueue: Sendable {
    private static let limit = 64
    private let waiting = Mutex(0)
    private let worker = Worker()

    private actor Worker {
        private var last: Task<Raster?, Never>?

        func run(_ draw: @escaping @Sendable () async -> Raster?) async -> Raster? {
            let previous = last
            let task = Task {
                _ = await previous?.value
                return await draw()
            }
            last = task
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

    func run(_ draw: @escaping @Sendable () async -> Raster?) async -> Raster? {
        defer { waiting.withLock { $0 -= 1 } }
        return await worker.run(draw)
    }
}
