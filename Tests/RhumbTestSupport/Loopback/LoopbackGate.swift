internal import Dispatch

/// Holds answers back until a test opens it.
public final class LoopbackGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    /// Lets everybody through who waits or will come.
    public func open() { semaphore.signal() }

    /// - Returns: whether it opened within ten minutes.
    func pass() -> Bool {
        guard semaphore.wait(timeout: .now() + .seconds(600)) == .success else { return false }
        semaphore.signal()
        return true
    }
}
