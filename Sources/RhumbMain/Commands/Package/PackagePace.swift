internal import Rhumb

/// The state of an operation on packages, from its events.
struct PackagePace: Sendable {
    private(set) var progress: MapLoaderTask.Progress?
    /// Why no server can be reached; nil while one can.
    private(set) var waiting: String?
    private var pace: DownloadProgress?

    /// - Parameter now: in seconds on any clock that only moves forward.
    mutating func note(_ event: MapLoaderTask.Event, at now: Double) {
        switch event {
        case .progress(let progress): note(progress, now)
        case .lostConnection(let reason): waiting = reason
        case .foundConnection: waiting = nil
        }
    }

    /// The rate counts tiles that servers sent or confirmed since this process began with the package.
    private mutating func note(_ new: MapLoaderTask.Progress, _ now: Double) {
        let old = progress
        progress = new
        guard new.tiles.planned > 0 else { return pace = nil }
        guard let old, old.package == new.package, old.tiles.planned == new.tiles.planned, pace != nil else {
            pace = DownloadProgress(total: new.tiles.planned - new.tiles.settled)
            return
        }
        let settled = max(new.tiles.settled - old.tiles.settled, 0), bytes = max(new.bytes - old.bytes, 0)
        let received = min(max(new.received - old.received, 0), settled)
        pace?.note(.done(bytes: bytes / max(settled, 1)), count: received, at: now)
        pace?.note(.reused, count: settled - received, at: now)
    }

    /// Percent done of the package that is worked on.
    var percent: Int {
        guard let progress else { return 0 }
        let (done, all) = progress.tiles.planned > 0 ? progress.tiles : progress.archive
        return all > 0 ? min(100 * done / all, 100) : 0
    }

    /// "1/2", where there are several.
    var place: String {
        guard let packages = progress?.packages, packages.planned > 1 else { return "" }
        return "\(min(packages.done + 1, packages.planned))/\(packages.planned)"
    }

    /// Why no tiles come just now; empty while they do.
    var standing: String {
        if waiting != nil { return "waiting for the network" }
        return progress?.phase == .commit ? "installing" : ""
    }

    /// "676/1,109 61% · 12 tiles/s · 1.2 MB/s · 6 min left", or "archive 12 MB of 39 MB".
    func text(at now: Double) -> String {
        if let pace { return pace.text(at: now) }
        guard let archive = progress?.archive, archive.received > 0 else { return "" }
        let all = archive.planned > 0 ? " of \(AmountText.bytes(archive.planned))" : ""
        return "archive \(AmountText.bytes(archive.received))\(all)"
    }

    /// The line for a meter; nil before the first package.
    func line(at now: Double) -> ProgressMeter.Line? {
        guard let package = progress?.package else { return nil }
        let reason = [standing, waiting ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        return ProgressMeter.Line(
            label: [package, place].filter { !$0.isEmpty }.joined(separator: " "),
            fraction: Double(percent) / 100,
            text: text(at: now), standing: reason)
    }

    /// "12/s 76 s"; empty while nothing comes.
    func rate(at now: Double) -> String {
        guard let pace, pace.tilesPerSecond(at: now) > 0 else { return "" }
        let left = pace.secondsLeft(at: now).map { " \(AmountText.seconds($0))" } ?? ""
        return "\(AmountText.count(max(Int(pace.tilesPerSecond(at: now)), 1)))/s\(left)"
    }
}
