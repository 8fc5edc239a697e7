internal import Dispatch
internal import Synchronization

/// Waits here for what is done elsewhere.
/// - Parameter seconds: how long at most; nil for ever.
/// - Returns: nil when the time ran out.
func wait<Value: Sendable>(
    upTo seconds: Double? = nil, for work: @escaping @Sendable () async -> Value
) -> Value? {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Value>()
    Task.detached {
        let value = await work()
        box.value.withLock { $0 = value }
        done.signal()
    }
    let limit = seconds.map { DispatchTime.now() + $0 } ?? .distantFuture
    _ = done.wait(timeout: limit)
    return box.value.withLock { $0 }
}

private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
