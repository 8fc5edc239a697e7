internal import Synchronization

/// Tasks that can be cancelled together.
final class TaskBag: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var last = 0
        var finished: Set<Int> = []
    }
    private let state = Mutex(State())

    func nextNumber() -> Int {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Adds a task, which may be over already.
    func add(_ number: Int, _ task: Task<Void, Never>) {
        state.withLock { state in
            if state.finished.remove(number) == nil { state.tasks[number] = task }
        }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            if state.tasks.removeValue(forKey: number) == nil { state.finished.insert(number) }
        }
    }

    func cancelAll() {
        for task in state.withLock({ $0.tasks.values }) { task.cancel() }
    }
}
