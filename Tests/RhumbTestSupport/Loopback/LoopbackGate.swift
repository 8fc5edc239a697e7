internal import Dispatch

/// A gate that holds back responses until a test opens it.
public final class LoopbackGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    /// Lets all present and future waiters through.
    public func open() { semaphore.signal() }

    /// Waits until the gate is open.
    /// - Returns: True if the gate was opened within ten minutes.
    func pass() -> Bool {
        guard semaphore.wait(timeout: .now() + .seconds(600)) == .success else { return false }
        semaphore.signal()
        return true
    }
}
