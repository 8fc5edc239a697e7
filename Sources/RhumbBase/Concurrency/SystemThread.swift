package import Glibc

/// Threads of the system for work that waits, which would occupy a thread of Dispatch or of Swift's pool.
package enum SystemThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread, which the caller must join or detach.
    /// - Returns: nil if the system has no thread left. The body is then never called.
    package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let outcome = pthread_create(
            &thread, nil,
            { work in
                guard let work else { return nil }
                Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if outcome == 0 { return thread }
        work.release()
        return nil
    }

    /// Starts a thread that nothing waits for.
    /// - Returns: False if the system has no thread left. The body is then never called.
    @discardableResult
    package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(body) else { return false }
        pthread_detach(thread)
        return true
    }
}
