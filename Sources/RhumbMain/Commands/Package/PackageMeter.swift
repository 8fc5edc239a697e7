internal import Rhumb
internal import Synchronization

/// The line about an operation on packages under way.
final class PackageMeter: Sendable {
    private struct State {
        var progress: MapLoaderTask.Progress?
        var pace: DownloadProgress?
        /// Why no server can be reached.
        var waiting: String?
    }

    private let state = Mutex(State())
    private let line = ProgressLine()

    func show(_ event: MapLoaderTask.Event) {
        let now = line.now
        let (text, standing) = state.withLock { state in
            switch event {
            case .progress(let progress): note(progress, now, &state)
            case .lostConnection(let reason): state.waiting = reason
            case .foundConnection: state.waiting = nil
            }
            return (PackageMeter.text(state, at: now), PackageMeter.standing(state))
        }
        if !text.isEmpty { line.show(text + standing, standing: text.prefix { $0 != " " } + standing) }
    }

    func end() { line.end() }

    /// "finland (1 of 2) 676/1,109 61% · 12 tiles/s"
    private static func text(_ state: State, at now: Double) -> String {
        guard let progress = state.progress, let package = progress.package, let pace = state.pace else { return "" }
        let packages = progress.packages
        let place = packages.planned > 1 ? " (\(packages.done + 1) of \(packages.planned))" : ""
        return "\(package)\(place) \(pace.text(at: now))"
    }

    private static func standing(_ state: State) -> String {
        if let waiting = state.waiting { return " · waiting for the network: \(waiting)" }
        return state.progress?.phase == .commit ? " · putting it in its place" : ""
    }

    /// The rate counts what came since this process began with the package.
    private func note(_ progress: MapLoaderTask.Progress, _ now: Double, _ state: inout State) {
        let old = state.progress
        state.progress = progress
        guard progress.tiles.planned > 0 else { return state.pace = nil }
        guard let old, old.package == progress.package, old.tiles.planned == progress.tiles.planned, state.pace != nil else {
            state.pace = DownloadProgress(total: progress.tiles.planned - progress.tiles.settled)
            return
        }
        let tiles = max(progress.tiles.settled - old.tiles.settled, 0), bytes = max(progress.bytes - old.bytes, 0)
        for _ in 0..<tiles { state.pace?.note(.done(bytes: bytes / tiles), at: now) }
    }
}
