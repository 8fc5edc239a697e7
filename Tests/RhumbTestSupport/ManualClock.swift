public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// A clock that stands still until it is advanced.
public final class ManualClock: Sendable {
    private struct State {
        var now = Duration.zero
        var skew = Duration.zero
        var sleepers: [Int: (due: Duration, wake: CheckedContinuation<Void, any Error>)] = [:]
        var last = 0
        var cancelled: Set<Int> = []
    }
    private let state = Mutex(State())
    private let start = UnixSeconds.now

    public init() {}

    public var now: Duration { state.withLock { $0.now } }

    /// The date, which starts as the system's.
    public var date: UnixSeconds {
        state.withLock { start.adding(($0.now + $0.skew).components.seconds) }
    }

    /// Shifts the date without waking any task.
    public func setDate(off duration: Duration) { state.withLock { $0.skew += duration } }

    /// The number of sleeping tasks.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances the clock and wakes the tasks that are due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.due <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.due < $1.due }.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    public var engineClock: EngineClock {
        EngineClock(now: { self.now }, sleep: { try await self.sleep($0) }, date: { self.date })
    }

    private func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wake in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if duration <= .zero { return .success(()) }
                    state.sleepers[number] = (state.now + duration, wake)
                    return nil
                }
                if let outcome { wake.resume(with: outcome) }
            }
        } onCancel: {
            let wake = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper?.wake
            }
            wake?.resume(throwing: CancellationError())
        }
    }
}
