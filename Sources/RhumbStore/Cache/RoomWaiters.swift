internal import Synchronization

/// The tasks that wait because they fetch faster than the disk writes.
final class RoomWaiters: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    func add(_ waiter: CheckedContinuation<Void, Never>) { waiting.withLock { $0.append(waiter) } }

    /// Resumes all waiting tasks.
    func admitAll() {
        let waiters = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for waiter in waiters { waiter.resume() }
    }
}
