internal import Glibc
public import RhumbCore

/// The time as the engine sees it; a test passes its own.
public struct EngineClock: Sendable {
    /// The time since a fixed moment.
    public var now: @Sendable () -> Duration
    /// Waits; throws `CancellationError` if its task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// The date, by which stored tiles grow old.
    public var date: @Sendable () -> UnixSeconds

    /// A clock with its own time and way of waiting.
    public init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        date: @escaping @Sendable () -> UnixSeconds = { .now }
    ) {
        self.now = now
        self.sleep = sleep
        self.date = date
    }

    /// The machine's own clock.
    public static var machine: EngineClock {
        let start = ContinuousClock.now
        return EngineClock(
            now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
    }
}

extension UnixSeconds {
    /// The machine's clock.
    public static var now: UnixSeconds { UnixSeconds(Int64(time(nil))) }
}
