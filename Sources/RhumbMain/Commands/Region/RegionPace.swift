internal import Rhumb

/// The progress of work on a region, from the states of its record.
struct RegionPace {
    private var progress: DownloadProgress?
    private var record: RegionRecord?

    /// Notes a record. The rate counts tiles settled since the first one.
    /// - Parameter now: Seconds on any clock that only moves forward.
    mutating func note(_ record: RegionRecord, at now: Double) {
        defer { self.record = record }
        guard let old = self.record else {
            progress = DownloadProgress(total: record.planned - record.settled + record.failed)
            return
        }
        func more(_ count: (RegionSourceRecord) -> Int) -> Int {
            max(record.parts.reduce(0) { $0 + count($1) } - old.parts.reduce(0) { $0 + count($1) }, 0)
        }
        let received = more(\.done) + more(\.unchanged), reused = more(\.reused)
        progress?.note(.done(bytes: more(\.bytes) / max(received + reused, 1)), count: received, at: now)
        progress?.note(.reused, count: reused, at: now)
        progress?.note(.absent, count: more(\.absent), at: now)
        progress?.note(.failed, count: more(\.failed), at: now)
    }

    /// The line for a meter; nil before the first record.
    func line(at now: Double) -> ProgressMeter.Line? {
        guard let record, let progress else { return nil }
        let state = record.state == .running ? "" : record.state.word
        return ProgressMeter.Line(
            label: record.id, fraction: progress.fraction,
            text: "\(progress.text(at: now)) · \(record.resources.sizes)",
            standing: [state, record.reason].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}

extension RegionResources {
    /// "1.2 MB stored, 900 kB downloaded"
    var sizes: String {
        "\(AmountText.bytes(completedBytes)) stored, \(AmountText.bytes(loadedBytes)) downloaded"
    }

    var json: JSON {
        [
            "required": .integer(required), "completed": .integer(completed),
            "completedBytes": .integer(completedBytes),
            "loaded": .integer(loaded), "loadedBytes": .integer(loadedBytes), "errored": .integer(errored),
        ]
    }
}
