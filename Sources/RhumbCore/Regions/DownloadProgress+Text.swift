extension DownloadProgress {
    /// "1,200/17,690 7% · 48 tiles/s · 1.2 MB/s · 6 min left · 3 failed".
    public func text(at now: Double) -> String {
        var parts = ["\(AmountText.count(settled))/\(AmountText.count(total)) \(Int(fraction * 100))%"]
        let rate = tilesPerSecond(at: now)
        if rate > 0 && !isComplete {
            let tenths = (rate * 10).rounded() / 10
            parts.append((rate < 10 ? "\(tenths)" : AmountText.count(Int(clamping: rate))) + " tiles/s")
            parts.append(AmountText.bytes(Int(clamping: bytesPerSecond(at: now))) + "/s")
        }
        if let seconds = secondsLeft(at: now), seconds > 0 { parts.append(AmountText.seconds(seconds) + " left") }
        for (count, word) in [(reused, "reused"), (absent, "absent"), (failed, "failed")] where count > 0 {
            parts.append("\(AmountText.count(count)) \(word)")
        }
        return parts.joined(separator: " · ")
    }

    /// The progress as JSON.
    public func json(at now: Double) -> JSON {
        [
            "total": .integer(total), "done": .integer(done), "failed": .integer(failed), "absent": .integer(absent),
            "reused": .integer(reused), "bytes": .integer(bytes), "tilesPerSecond": .number(tilesPerSecond(at: now)),
            "bytesPerSecond": .number(bytesPerSecond(at: now)),
            "secondsLeft": secondsLeft(at: now).map { .number($0) } ?? .null,
        ]
    }
}
