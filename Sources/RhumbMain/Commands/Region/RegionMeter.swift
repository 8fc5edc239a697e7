internal import Rhumb
internal import Synchronization

/// The line about a region under way.
final class RegionMeter: Sendable {
    private struct State {
        var progress: DownloadProgress?
        var record: RegionRecord?
    }

    private let state = Mutex(State())
    private let line = ProgressLine()

    func show(_ record: RegionRecord) {
        let now = line.now, standing = RegionMeter.standing(record)
        let text = state.withLock { state in
            note(record, now, &state)
            return "\(record.id) " + (state.progress?.text(at: now) ?? "") + " · \(record.resources.sizes)" + standing
        }
        line.show(text, standing: standing)
    }

    func end() { line.end() }

    /// Why nothing comes just now; empty while it goes on.
    private static func standing(_ record: RegionRecord) -> String {
        let words = [record.state == .running ? "" : record.state.word, record.reason].filter { !$0.isEmpty }
        return words.isEmpty ? "" : " · " + words.joined(separator: ": ")
    }

    /// The rate counts what came since this process began.
    private func note(_ record: RegionRecord, _ now: Double, _ state: inout State) {
        guard let old = state.record else {
            state.record = record
            state.progress = DownloadProgress(total: record.planned - record.settled + record.failed)
            return
        }
        state.record = record
        func more(_ count: (RegionPart) -> Int) -> Int {
            max(record.parts.reduce(0) { $0 + count($1) } - old.parts.reduce(0) { $0 + count($1) }, 0)
        }
        let came = more(\.done) + more(\.unchanged), bytes = more(\.bytes) / max(came + more(\.reused), 1)
        for (count, outcome) in [
            (came, .done(bytes: bytes)), (more(\.reused), .reused), (more(\.absent), .absent), (more(\.failed), .failed),
        ] as [(Int, DownloadProgress.Outcome)] {
            for _ in 0..<count { state.progress?.note(outcome, at: now) }
        }
    }
}

extension RegionResources {
    /// "1.2 MB stored, 900 kB downloaded"
    var sizes: String { "\(AmountText.bytes(completedBytes)) stored, \(AmountText.bytes(loadedBytes)) downloaded" }

    var json: JSON {
        [
            "required": .integer(required), "completed": .integer(completed), "completedBytes": .integer(completedBytes),
            "loaded": .integer(loaded), "loadedBytes": .integer(loadedBytes), "errored": .integer(errored),
        ]
    }
}
