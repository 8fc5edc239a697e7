internal import Rhumb
internal import RhumbBrowser

/// Progress that a meter shows as a line.
protocol MeteredProgress: Sendable {
    /// The region whose tiles are being downloaded; nil if there is none.
    var region: RegionRecord? { get }
    /// The numbers of processed tiles and of all; nil if they are those of the region, or if there are none.
    var tileCounts: (done: Int, planned: Int)? { get }
    /// Returns the line; nil while there is nothing to show.
    func line(in meter: JobMeter<Self>) -> ProgressMeter.Line?
}

extension MeteredProgress {
    var region: RegionRecord? { nil }
    var tileCounts: (done: Int, planned: Int)? { nil }
}

/// Converts the updates of a job of any kind to a line of progress.
struct JobMeter<Progress: MeteredProgress>: Sendable {
    private(set) var progress: Progress?
    private(set) var state = JobState()
    /// The rate since this process began with the current region; nil while there is none.
    private(set) var rate: RegionRate?
    /// The tiles of a job without a region.
    private(set) var tiles = DownloadProgress(total: 0)
    private let start = ContinuousClock.now

    private var now: Double { start.duration(to: .now) / .seconds(1) }

    mutating func note(_ progress: Progress, _ state: JobState = JobState()) {
        let old = self.progress?.region
        self.progress = progress
        self.state = state
        if let (done, planned) = progress.tileCounts { tiles.advance(to: done, of: planned, at: now) }
        guard let region = progress.region else { return rate = nil }
        let isSame = old?.id == region.id && old?.planned == region.planned
        if isSame { rate?.note(region) } else { rate = RegionRate(region) }
    }

    /// The line; nil while there is no progress.
    var line: ProgressMeter.Line? { progress?.line(in: self) }

    /// The tiles of a job without a region, such as "676/1,109 61% · 12 tiles/s · 6 min left".
    var tilesText: String { tiles.text(at: now) }
}

extension RegionRecord: MeteredProgress {
    var region: RegionRecord? { self }

    func line(in meter: JobMeter<Self>) -> ProgressMeter.Line? {
        guard let rate = meter.rate else { return nil }
        // A region whose job begins has the state of the previous one.
        let isEarlier = [.complete, .completeWithGaps].contains(state) && settled < planned
        let standing = state == .running || isEarlier ? "" : state.word
        return ProgressMeter.Line(
            label: isUpdating ? "updating \(id)" : id, fraction: rate.progress.fraction,
            text: "\(rate.text) · \(resources.sizes)",
            standing: [standing, reason].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}

extension PackageJobProgress: MeteredProgress {
    var region: RegionRecord? { record }

    /// Returns the line; nil before the first package.
    func line(in meter: JobMeter<Self>) -> ProgressMeter.Line? {
        guard let package else { return nil }
        let reason = [meter.standing, meter.state.waitingReason ?? ""].filter { !$0.isEmpty }
        return ProgressMeter.Line(
            label: [package, position].filter { !$0.isEmpty }.joined(separator: " "),
            fraction: Double(percent) / 100, text: meter.rate?.text ?? archiveText,
            standing: reason.joined(separator: ": "))
    }

    /// The completed share of the current package in percent.
    var percent: Int {
        let (done, all) = tiles.planned > 0 ? tiles : archive
        return all > 0 ? min(100 * done / all, 100) : 0
    }

    /// The position among several packages, such as "1/2"; empty for a single one.
    var position: String {
        packages.planned > 1 ? "\(min(packages.done + 1, packages.planned))/\(packages.planned)" : ""
    }

    /// The progress of an archive that is downloaded whole, such as "archive 12 MB of 39 MB".
    private var archiveText: String {
        guard archive.received > 0 else { return "" }
        let all = archive.planned > 0 ? " of \(AmountText.bytes(archive.planned))" : ""
        return "archive \(AmountText.bytes(archive.received))\(all)"
    }
}

extension JobMeter<PackageJobProgress> {
    /// The reason why no tiles of a package are requested; empty while they are.
    var standing: String {
        if state.isPaused {
            return progress?.record?.state == .running ? PackageProgress.pausing : PackageProgress.paused
        }
        switch state.phase {
        case .waiting: return "waiting for the network"
        case .committing: return "installing"
        case .running, .stopping, .ended: return ""
        }
    }
}

extension OfflineManager.Progress: MeteredProgress {
    /// Returns the line, such as "osm-bright: 3 of 7, 120 kB, 1 failed"; nil until the style is loaded.
    func line(in meter: JobMeter<Self>) -> ProgressMeter.Line? {
        guard completed > 0 else { return nil }
        return ProgressMeter.Line(
            label: "\(SafeText.sanitised(style, limit: 80)):",
            fraction: required > 0 ? Double(completed) / Double(required) : nil,
            text: "\(completed) of \(required), \(AmountText.bytes(completedBytes))"
                + (errored > 0 ? ", \(errored) failed" : ""))
    }
}

extension PrefetchTally: MeteredProgress {
    var tileCounts: (done: Int, planned: Int)? { (settled, planned) }

    func line(in meter: JobMeter<Self>) -> ProgressMeter.Line? {
        ProgressMeter.Line(label: "fetching", fraction: meter.tiles.fraction, text: meter.tilesText)
    }
}
