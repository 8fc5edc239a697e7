internal import RhumbCore
internal import RhumbStore

/// How fast a region comes, from what is written of it.
public struct RegionRate: Sendable {
    private var progress: DownloadProgress
    private var settled: Int
    private var bytes: Int
    private let start = ContinuousClock.now

    init(_ record: RegionRecord) {
        progress = DownloadProgress(total: max(record.planned - record.settled, 0))
        (settled, bytes) = (record.settled, record.bytes)
    }

    private var now: Double { start.duration(to: .now) / .seconds(1) }

    mutating func note(_ record: RegionRecord) {
        let count = record.settled - settled, size = record.bytes - bytes
        (settled, bytes) = (record.settled, record.bytes)
        for _ in 0..<max(count, 0) { progress.note(.done(bytes: max(size, 0) / count), at: now) }
    }

    /// 0 while nothing comes.
    public var tilesPerSecond: Double { progress.tilesPerSecond(at: now) }

    /// nil while that can't be told.
    public var secondsLeft: Double? { progress.secondsLeft(at: now) }
}
