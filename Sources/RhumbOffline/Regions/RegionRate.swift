internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The rate at which servers send a region's tiles. Tiles that were already stored don't count.
public struct RegionRate: Sendable {
    private var progress: DownloadProgress
    private var last: RegionRecord
    private let clock: EngineClock

    init(_ record: RegionRecord, clock: EngineClock = .machine) {
        progress = DownloadProgress(total: record.planned - record.settled)
        last = record
        self.clock = clock
    }

    private var now: Double { clock.now() / .seconds(1) }

    mutating func note(_ record: RegionRecord) {
        let settled = max(record.settled - last.settled, 0)
        let received = min(max(record.received - last.received, 0), settled)
        let bytes = max(record.resources.loadedBytes - last.resources.loadedBytes, 0)
        last = record
        progress.note(.done(bytes: bytes / max(received, 1)), count: received, at: now)
        progress.note(.reused, count: settled - received, at: now)
    }

    /// The recent rate in tiles per second; 0 while no server sends any.
    public var tilesPerSecond: Double { progress.tilesPerSecond(at: now) }

    /// The seconds left at this rate; nil while no server sends any.
    public var secondsLeft: Double? { progress.secondsLeft(at: now) }
}

extension RegionRecord {
    /// The number of tiles that servers sent or confirmed since the download began.
    var received: Int { active.reduce(0) { $0 + $1.loaded + $1.unchanged } }
}
