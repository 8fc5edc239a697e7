internal import Synchronization

/// Tasks that can be cancelled together.
final class TaskBag: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var finished: Set<Int> = []
        /// True if tasks added from now on are cancelled immediately.
        var isClosed = false
    }
    private let state = Mutex(State())

    func nextNumber() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Adds a task, which may already have ended.
    func add(_ number: Int, _ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            if state.finished.remove(number) == nil { state.tasks[number] = task }
            return state.isClosed
        }
        if isLate { task.cancel() }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            if state.tasks.removeValue(forKey: number) == nil { state.finished.insert(number) }
        }
    }

    /// Cancels all tasks, including those that are added later.
    func close() {
        state.withLock { $0.isClosed = true }
        cancelAll()
    }

    func cancelAll() {
        for task in state.withLock({ $0.tasks.values }) { task.cancel() }
    }
}
