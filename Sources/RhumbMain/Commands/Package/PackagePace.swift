internal import Rhumb

/// How an operation on packages stands, from what its handle tells.
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
        for _ in 0..<received { pace?.note(.done(bytes: bytes / settled), at: now) }
        for _ in received..<settled { pace?.note(.reused, at: now) }
    }

    /// Of the package that is worked on: 0…100, whole.
    var percent: Int {
        guard let tiles = progress?.tiles, tiles.planned > 0 else { return 0 }
        return min(100 * tiles.settled / tiles.planned, 100)
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

    /// "676/1,109 61% · 12 tiles/s · 1.2 MB/s · 6 min left"
    func text(at now: Double) -> String { pace?.text(at: now) ?? "" }

    /// "12/s 76 s"; empty while nothing comes.
    func rate(at now: Double) -> String {
        guard let pace, pace.tilesPerSecond(at: now) > 0 else { return "" }
        let left = pace.secondsLeft(at: now).map { " \(AmountText.seconds($0))" } ?? ""
        return "\(AmountText.count(max(Int(pace.tilesPerSecond(at: now)), 1)))/s\(left)"
    }
}
