internal import Rhumb
internal import Synchronization

/// The line about an operation on packages under way.
final class PackageMeter: Sendable {
    private let pace = Mutex(PackagePace())
    private let line = ProgressLine()

    func show(_ event: MapLoaderTask.Event) {
        let now = line.now
        let pace = pace.withLock { pace in
            pace.note(event, at: now)
            return pace
        }
        guard let package = pace.progress?.package else { return }
        let standing = [pace.standing, pace.waiting ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        let words = [package, pace.place, pace.text(at: now)].filter { !$0.isEmpty }.joined(separator: " ")
        line.show(standing.isEmpty ? words : "\(words) · \(standing)", standing: package + standing)
    }

    func end() { line.end() }
}
