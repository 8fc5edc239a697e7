internal import Glibc
public import RhumbBase

/// The progress of a download. It has no clock: times are passed in, in seconds on any monotonic clock.
public struct DownloadProgress: Hashable, Sendable {
    /// The number of all tiles to process.
    public var total: Int
    /// The number of fetched and stored tiles.
    public private(set) var done = 0
    /// The number of failed tiles, which may be retried.
    public private(set) var failed = 0
    /// The number of tiles that the source doesn't have.
    public private(set) var absent = 0
    /// The number of tiles that were stored before.
    public private(set) var reused = 0
    /// The number of fetched bytes.
    public private(set) var bytes = 0
    private var tileRate = RateEstimate()
    private var byteRate = RateEstimate()

    /// - Parameter total: The number of tiles; negative numbers count as 0.
    public init(total: Int) { self.total = max(total, 0) }

    /// The outcome for a tile.
    public enum Outcome: Hashable, Sendable {
        case done(bytes: Int)
        case failed
        case absent
        case reused
    }

    /// Records tiles with the same outcome. Reused tiles take no time, and don't count for the rate.
    /// - Parameter count: The number of tiles; a size in `outcome` is the size of each.
    public mutating func note(_ outcome: Outcome, count: Int = 1, at now: Double) {
        guard count > 0 else { return }
        switch outcome {
        case .done(let size):
            let sum = max(size, 0).multipliedReportingOverflow(by: count)
            done += count
            bytes = bytes.saturatingAdd(sum.overflow ? .max : sum.partialValue)
            byteRate.add(Double(max(size, 0)) * Double(count), at: now)
        case .failed: failed += count
        case .absent: absent += count
        case .reused: reused += count
        }
        if outcome != .reused { tileRate.add(Double(count), at: now) }
    }

    /// Sets the number of processed units and their total; 0 if the total is unknown.
    public mutating func advance(to done: Int, of total: Int, at now: Double) {
        self.total = max(total, 0)
        note(.done(bytes: 0), count: done - self.done, at: now)
    }

    /// Removes failures that are retried.
    public mutating func retry(_ count: Int) { failed -= min(max(count, 0), failed) }

    /// Resets the rate after a pause.
    public mutating func resume() {
        tileRate = RateEstimate()
        byteRate = RateEstimate()
    }

    /// The number of tiles with a known outcome.
    public var settled: Int { done.saturatingAdd(failed).saturatingAdd(absent).saturatingAdd(reused) }
    /// The number of remaining tiles.
    public var left: Int { max(total.saturatingAdd(-settled), 0) }
    /// The processed share, 0…1.
    public var fraction: Double { total > 0 ? min(Double(settled) / Double(total), 1) : 1 }
    /// True if no tile remains.
    public var isComplete: Bool { left == 0 }

    /// Returns the current rate in tiles per second; 0 until it is known.
    public func tilesPerSecond(at now: Double) -> Double { tileRate.perSecond(at: now) }

    /// Returns the current rate in bytes per second.
    public func bytesPerSecond(at now: Double) -> Double { byteRate.perSecond(at: now) }

    /// Returns the remaining time in seconds at the current rate; 0 when complete, nil while no rate is
    /// known.
    public func secondsLeft(at now: Double) -> Double? {
        if isComplete { return 0 }
        let rate = tilesPerSecond(at: now)
        return rate > 0 ? Double(left) / rate : nil
    }
}

/// An estimate of the recent amount per second. The weight of an amount halves every five seconds. In the
/// first second and five seconds after the last amount, the rate is 0.
struct RateEstimate: Hashable, Sendable {
    private static let halfLife = 5.0
    private static let timeLimit = 5.0
    /// Shorter times give rates of bursts.
    private static let shortest = 1.0
    private var sum = 0.0
    private var startedAt: Double?
    private var countedAt = 0.0

    mutating func add(_ amount: Double, at now: Double) {
        if startedAt == nil { (startedAt, countedAt) = (now, now) }
        sum = faded(at: now) + amount
        countedAt = max(now, countedAt)
    }

    /// Returns the rate. The time before the start counts neither as busy nor as idle, so that the rate in
    /// the first seconds isn't underestimated.
    func perSecond(at now: Double) -> Double {
        guard let startedAt, now - startedAt >= RateEstimate.shortest,
            now - countedAt < RateEstimate.timeLimit
        else { return 0 }
        let known = 1 - exp2((startedAt - now) / RateEstimate.halfLife)
        return faded(at: now) * M_LN2 / RateEstimate.halfLife / known
    }

    private func faded(at now: Double) -> Double {
        sum * exp2(min(countedAt - now, 0) / RateEstimate.halfLife)
    }
}

extension DownloadProgress {
    /// Returns the progress as text: "1,200/17,690 7% · 48 tiles/s · 1.2 MB/s · 6 min left · 3 failed".
    public func text(at now: Double, unit: WorkProgress.Unit = .count("tiles")) -> String {
        var parts = [amounts(unit)]
        let rate = tilesPerSecond(at: now), byteRate = bytesPerSecond(at: now)
        if rate > 0 && !isComplete {
            if let text = unit.text(perSecond: rate) { parts.append(text) }
            if byteRate > 0 { parts.append(AmountText.bytes(Int(clamping: byteRate)) + "/s") }
        }
        if let seconds = secondsLeft(at: now), seconds > 0 {
            parts.append(AmountText.seconds(seconds) + " left")
        }
        for (count, word) in [(reused, "reused"), (absent, "absent"), (failed, "failed")] where count > 0 {
            parts.append("\(AmountText.count(count)) \(word)")
        }
        return parts.joined(separator: " · ")
    }

    /// Returns the amounts: "1,200/17,690 7%", or without a total "1,200 tiles".
    private func amounts(_ unit: WorkProgress.Unit) -> String {
        let percent = "\(Int(clamping: (fraction * 100).rounded(.down)))%"
        switch unit {
        case .count(let word):
            guard total > 0 else { return "\(AmountText.count(settled)) \(word)" }
            return "\(AmountText.count(settled))/\(AmountText.count(total)) \(percent)"
        case .bytes:
            guard total > 0 else { return AmountText.bytes(settled) }
            return "\(AmountText.bytes(settled))/\(AmountText.bytes(total)) \(percent)"
        case .share: return percent
        }
    }

    /// Returns the progress as JSON.
    public func json(at now: Double) -> JSON {
        [
            "total": .integer(total), "done": .integer(done), "failed": .integer(failed),
            "absent": .integer(absent),
            "reused": .integer(reused), "bytes": .integer(bytes),
            "tilesPerSecond": .number(tilesPerSecond(at: now)),
            "bytesPerSecond": .number(bytesPerSecond(at: now)),
            "secondsLeft": secondsLeft(at: now).map { .number($0) } ?? .null,
        ]
    }
}

extension WorkProgress.Unit {
    /// Returns a rate such as "48 tiles/s" or "1.2 MB/s"; nil for units without a name.
    fileprivate func text(perSecond rate: Double) -> String? {
        switch self {
        case .count(let word) where rate < 10: "\(rate.decimals(1)) \(word)/s"
        case .count(let word): "\(AmountText.count(Int(clamping: rate))) \(word)/s"
        case .bytes: AmountText.bytes(Int(clamping: rate)) + "/s"
        case .share: nil
        }
    }
}
