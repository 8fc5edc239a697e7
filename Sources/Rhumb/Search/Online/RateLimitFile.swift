internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening

/// The time of the last request to a source by any of the user's processes, and the time until which the
/// source must not be contacted. Several processes thereby share the source's rate limit.
public struct RateLimitFile: Sendable {
    private let folder: String?

    /// Times in microseconds since 1970.
    private struct Record {
        var lastTurn: Int64 = 0
        var aloneUntil: Int64 = 0
    }

    /// The maximum pause in microseconds. A damaged file may state a longer one.
    private static let longest: Int64 = 86_400_000_000

    /// - Parameter folder: The folder of the user's state; nil for no limit.
    public init(folder: String?) { self.folder = folder }

    /// Waits until a source may be queried, and records the query.
    /// - Returns: nil if the source may be queried; otherwise, immediately, the number of seconds of the
    ///   pause that it has requested.
    func wait(for rules: SourceRules) async -> Int64? {
        guard let rate = rules.requestsPerSecond, rate > 0 else { return nil }
        let (wait, alone) =
            await change(rules) { record, now -> (Int64, Int64) in
                let alone = record.aloneUntil &- now
                guard !(1...RateLimitFile.longest).contains(alone) else { return (0, alone) }
                let last = record.lastTurn &- now > RateLimitFile.longest ? 0 : record.lastTurn
                let turn = max(now, last &+ Int64(min(1_000_000 / rate, Double(RateLimitFile.longest))))
                record = Record(lastTurn: turn)
                return (turn - now, alone)
            } ?? (0, 0)
        if (1...RateLimitFile.longest).contains(alone) { return (alone + 999_999) / 1_000_000 }
        if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
        return nil
    }

    /// Records that a source has requested a pause.
    func leaveAlone(_ rules: SourceRules, seconds: Int64) async {
        await change(rules) { record, now in
            record.aloneUntil = now + min(max(seconds, 0), RateLimitFile.longest / 1_000_000) * 1_000_000
        }
    }

    /// Changes the record of a source while no other process does. May wait for another process, on a thread
    /// that may block.
    /// - Returns: The result of the change; nil if there is no record.
    @discardableResult
    private func change<Result: Sendable>(
        _ rules: SourceRules, _ body: @Sendable (inout Record, _ now: Int64) -> Result
    ) async -> Result? {
        await BlockingExecutor.run { locked(rules, body) }
    }

    private func locked<Result>(
        _ rules: SourceRules, _ body: (inout Record, _ now: Int64) -> Result
    ) -> Result? {
        guard let folder else { return nil }
        Files.makeFolder(folder)
        let file = open("\(folder)/asked-\(rules.id)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard FileLock.take(file, waitingUpTo: nil) == .held else { return nil }
        var record = Record(), now = timespec()
        _ = pread(file, &record, MemoryLayout<Record>.size, 0)
        clock_gettime(CLOCK_REALTIME, &now)
        let result = body(&record, Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
        _ = pwrite(file, &record, MemoryLayout<Record>.size, 0)
        return result
    }
}
