internal import Rhumb

/// The progress line of work on a region.
struct RegionPace: JobMeter {
    private var rate: RegionRate?
    private var record: RegionRecord?

    mutating func note(_ update: JobUpdate<RegionRecord>) { note(update.progress) }

    mutating func note(_ record: RegionRecord) {
        rate?.note(record)
        rate = rate ?? RegionRate(record)
        self.record = record
    }

    var line: ProgressMeter.Line? {
        guard let record, let rate else { return nil }
        let state = record.state == .running ? "" : record.state.word
        return ProgressMeter.Line(
            label: record.id, fraction: rate.progress.fraction,
            text: "\(rate.text) · \(record.resources.sizes)",
            standing: [state, record.reason].filter { !$0.isEmpty }.joined(separator: ": "))
    }
}

extension RegionResources {
    /// The stored and downloaded bytes, such as "1.2 MB stored, 900 kB downloaded".
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
