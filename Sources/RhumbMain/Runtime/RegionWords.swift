internal import Rhumb
internal import RhumbBrowser

extension RegionRecord {
    var outcome: Result<String, Notice.Problem> {
        switch state {
        case .complete where isEmpty: .failure(Notice.Problem("\(name) is empty: \(explanation)"))
        case .complete: .success("\(name)\(zoomText), works offline: \(AmountText.bytes(bytes)) · o: try it")
        case .completeWithGaps where isUpdateFailed:
            .failure(Notice.Problem("\(name): \(explanation) · r, then t: retry"))
        case .completeWithGaps:
            .failure(Notice.Problem("\(name): \(AmountText.count(failed, "tile")) failed · r, then t: retry"))
        case .cancelled: .success("Stopped \(name)")
        default: .failure(Notice.Problem("\(name): \(stateWord)\(reason.isEmpty ? "" : ": \(reason)")"))
        }
    }

    /// The progress, such as "Turku, 57 of 1,385 tiles".
    var progressText: String {
        "\(name), \(AmountText.count(settled)) of \(AmountText.count(planned, "tile"))"
    }

    private var zoomText: String {
        guard let zooms = definition?.zooms else { return "" }
        return zooms.lowest == zooms.highest ? ", z\(zooms.lowest)" : ", z\(zooms.lowest)–\(zooms.highest)"
    }
}

extension RegionRate {
    /// The rate and the time left, such as "12/s 76 s"; empty while no tiles are arriving.
    var shortText: String {
        let rate = tilesPerSecond
        guard rate > 0 else { return "" }
        let left = secondsLeft.map { " \(AmountText.seconds($0))" } ?? ""
        return "\(AmountText.count(max(Int(rate), 1)))/s\(left)"
    }
}

extension RegionItem {
    init(_ status: RegionStatus) {
        let now = UnixSeconds.now, record = status.record
        let left = status.expiry.map { $0.seconds(since: now) }
        self.init(
            id: record.id, name: record.package == nil ? record.name : "\(record.name), package",
            state: status.isPausing ? RegionItem.pausing : record.stateWord, reason: record.explanation,
            settled: record.settled, tiles: record.tiles, absent: record.absent, planned: record.planned,
            failed: record.failed, bytes: record.bytes,
            age: AmountText.age(max(now.seconds(since: record.changed), 0)) + " ago",
            expiry: left.map {
                $0 > 0 ? "fresh for \(AmountText.age($0))" : "stale for \(AmountText.age(-$0)), R: refresh"
            } ?? "",
            bounds: record.definition?.geometry.bounds, zooms: record.definition?.zooms.zooms,
            isUnderWay: status.rate != nil,
            isFinished: [.complete, .completeWithGaps].contains(record.state),
            pace: status.isPausing ? "" : status.rate?.shortText ?? "")
    }
}
