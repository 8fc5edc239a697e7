internal import Glibc
public import RhumbCore

/// The engine's clock. Tests pass their own.
public struct EngineClock: Sendable {
    /// The time since a fixed moment.
    public var now: @Sendable () -> Duration
    /// Suspends for a duration; throws `CancellationError` if its task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Returns the date, which determines the age of stored tiles.
    public var date: @Sendable () -> UnixSeconds

    /// Creates a clock from its functions.
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
    /// The current time of the machine's clock.
    public static var now: UnixSeconds { UnixSeconds(Int64(time(nil))) }
}
