internal import Rhumb

/// The progress line of an operation on packages.
struct PackagePace: JobMeter {
    private(set) var progress: PackageJobProgress?
    private var state = JobState()
    private var rate: RegionRate?

    /// Updates the progress. The rate includes only tiles since this process began with the package.
    mutating func note(_ update: JobUpdate<PackageJobProgress>) {
        let old = progress
        progress = update.progress
        state = update.state
        guard let record = update.progress.record else { return rate = nil }
        let isSame = old?.package == progress?.package && old?.tiles.planned == record.planned
        if isSame { rate?.note(record) }
        rate = isSame ? rate ?? RegionRate(record) : RegionRate(record)
    }

    /// The completed share of the current package in percent.
    var percent: Int {
        guard let progress else { return 0 }
        let (done, all) = progress.tiles.planned > 0 ? progress.tiles : progress.archive
        return all > 0 ? min(100 * done / all, 100) : 0
    }

    /// The position among several packages, such as "1/2"; empty for a single one.
    var place: String {
        guard let packages = progress?.packages, packages.planned > 1 else { return "" }
        return "\(min(packages.done + 1, packages.planned))/\(packages.planned)"
    }

    /// The reason why no tiles are arriving; empty while they are.
    var standing: String {
        switch state.phase {
        case .waiting: "waiting for the network"
        case .committing: "installing"
        case .running, .stopping, .ended: ""
        }
    }

    /// The progress, such as "676/1,109 61% · 12 tiles/s · 1.2 MB/s · 6 min left" or "archive 12 MB of 39
    /// MB".
    private var text: String {
        if let rate { return rate.text }
        guard let archive = progress?.archive, archive.received > 0 else { return "" }
        let all = archive.planned > 0 ? " of \(AmountText.bytes(archive.planned))" : ""
        return "archive \(AmountText.bytes(archive.received))\(all)"
    }

    /// The line for a meter; nil before the first package.
    var line: ProgressMeter.Line? {
        guard let package = progress?.package else { return nil }
        let reason = [standing, state.waitingReason ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        return ProgressMeter.Line(
            label: [package, place].filter { !$0.isEmpty }.joined(separator: " "),
            fraction: Double(percent) / 100,
            text: text, standing: reason)
    }

    /// The rate and the time left, such as "12/s 76 s"; empty while no tiles are arriving.
    var rateText: String { rate?.shortText ?? "" }
}
