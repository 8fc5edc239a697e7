public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// The plan of a region to create or change, with its sources opened.
public struct RegionProposal: OfflinePlan {
    /// The definition of the region.
    public var definition: RegionDefinition
    /// The sources of its tiles.
    public let sources: [RegionSource]
    /// The tiles, bytes and permissions.
    public var cost: RegionPlan
    /// The names, files or addresses of the styles whose packs are loaded when the region is created.
    public var stylePacks: [String] = []
    /// True if the user confirmed that the providers allow the download.
    let isPermitted: Bool
    let queue: RegionQueue

    /// True if a source of heights has tiles in the region, and no other source has heights.
    /// - Parameter heights: The name or address of the source.
    func needsHeights(of heights: String) -> Bool {
        sources.contains { $0.specifier == heights && $0.reaches(definition) }
            && sources.allSatisfy { $0.specifier == heights || $0.definition.elevation == nil }
    }

    /// Creates or changes the region, and starts its download immediately, regardless of the queue.
    /// - Throws: `OfflineFailure`; `.store(.busy)` if this or another process is already downloading it.
    public func start() async throws(OfflineFailure) -> RegionJob {
        try await queue.start(queue.add(self), sources: sources)
    }
}

/// The status of a region.
public struct RegionStatus: Sendable {
    /// The stored region.
    public let record: RegionRecord
    /// The time at which the first of its tiles expires; nil if none expires.
    public let expiry: UnixSeconds?
    /// The download rate; nil unless this process is downloading the region.
    public let rate: RegionRate?
    /// True while the download is paused, but still receives the tiles in flight.
    public let isPausing: Bool
    /// True if the download is unfinished, and no process continues it.
    public let isInterrupted: Bool
}

/// The progress and rate of work on a region, derived from the region's records. Tiles that were already
/// stored don't count towards the rate.
public struct RegionRate: Sendable {
    /// The tiles processed since the first record.
    public private(set) var progress: DownloadProgress
    private var last: RegionRecord
    private let clock: EngineClock

    /// - Parameter record: The region when the work began.
    public init(_ record: RegionRecord, clock: EngineClock = .machine) {
        progress = DownloadProgress(total: record.planned - record.settled + record.failed)
        last = record
        self.clock = clock
    }

    /// The current time in seconds, for use with `progress`.
    public var now: Double { clock.now() / .seconds(1) }

    /// The time for rates: the current one, or one when they have faded while the work is stopped.
    private var rateTime: Double {
        [.paused, .waitingForNetwork].contains(last.state) ? .infinity : now
    }

    /// Counts the tiles processed between the last record and this one.
    public mutating func note(_ record: RegionRecord) {
        func more(_ count: (RegionSourceRecord) -> Int) -> Int {
            max(record.active.reduce(0) { $0 + count($1) } - last.active.reduce(0) { $0 + count($1) }, 0)
        }
        let received = more(\.done) + more(\.unchanged)
        progress.note(.done(bytes: more(\.loadedBytes) / max(received, 1)), count: received, at: now)
        progress.note(.reused, count: more(\.reused), at: now)
        progress.note(.absent, count: more(\.absent), at: now)
        progress.note(.failed, count: more(\.failed), at: now)
        last = record
    }

    /// The recent rate in tiles per second; 0 while no server sends tiles.
    public var tilesPerSecond: Double { progress.tilesPerSecond(at: rateTime) }

    /// The remaining time in seconds at this rate; nil while no server sends tiles.
    public var secondsLeft: Double? { progress.secondsLeft(at: rateTime) }

    /// The progress as text, such as "676/1,109 61% · 12 tiles/s · 1.2 MB/s · 6 min left".
    public var text: String { progress.text(at: rateTime) }
}

extension RegionProposal: CustomStringConvertible {
    /// The id and the cost, such as "home: 86 tiles, 80 to fetch, 1.2 MB".
    public var description: String {
        "\(definition.id.text): \(AmountText.count(cost.tiles, "tile")), \(AmountText.count(cost.toFetch)) to fetch, \(cost.size.text)"
    }
}
