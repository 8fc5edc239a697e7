internal import Synchronization

/// Tasks that fetch faster than the disk takes it, until they may go on.
final class RoomWaiters: Sendable {
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    func add(_ waiter: CheckedContinuation<Void, Never>) { waiting.withLock { $0.append(waiter) } }

    /// Lets all of them go on.
    func admitAll() {
        let waiters = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for waiter in waiters { waiter.resume() }
    }
}
