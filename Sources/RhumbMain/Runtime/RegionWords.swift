internal import Rhumb
internal import RhumbBrowser

/// How fast a region comes, from what is written of it.
struct RateMeter {
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

    /// "12 tiles/s 76 s left"
    var text: String {
        let rate = progress.tilesPerSecond(at: now)
        guard rate > 0 else { return "" }
        let left = progress.secondsLeft(at: now).map { " \(AmountText.seconds($0))" } ?? ""
        return "\(AmountText.count(max(Int(rate), 1)))/s\(left)"
    }
}

extension RegionRecord {
    var outcome: Result<String, Notice.Problem> {
        switch state {
        case .complete where isEmpty: .failure(Notice.Problem("\(name) is empty: \(explanation)"))
        case .complete: .success("\(name) is there: \(AmountText.count(tiles)) tiles\(absent > 0 ? ", \(AmountText.count(absent)) absent" : ""), \(AmountText.bytes(bytes))")
        case .completeWithGaps: .failure(Notice.Problem("\(name): \(AmountText.count(failed)) tiles are missing; r shows it, t tries again"))
        case .cancelled: .success("stopped \(name)")
        default: .failure(Notice.Problem("\(name): \(state.word)\(reason.isEmpty ? "" : ": \(reason)")"))
        }
    }
}

extension RegionItem {
    init(_ record: RegionRecord, expiry: UnixSeconds?, isUnderWay: Bool, pace: String) {
        let now = UnixSeconds.now
        let left = expiry.map { $0.seconds(since: now) }
        self.init(
            id: record.id, name: record.name, state: record.stateWord, reason: record.explanation,
            settled: record.settled, tiles: record.tiles, absent: record.absent, planned: record.planned, failed: record.failed, bytes: record.bytes,
            age: AmountText.age(max(now.seconds(since: record.changed), 0)) + " ago",
            expiry: left.map { $0 > 0 ? "good for \(AmountText.age($0))" : "stale since \(AmountText.age(-$0)): R asks again" } ?? "",
            bounds: record.definition?.geometry.bounds, zooms: record.definition?.zooms.zooms, isUnderWay: isUnderWay,
            isFinished: [.complete, .completeWithGaps].contains(record.state), pace: pace)
    }
}
