public import RhumbBase

extension DownloadProgress {
    /// Returns the progress as text: "1,200/17,690 7% · 48 tiles/s · 1.2 MB/s · 6 min left · 3 failed".
    public func text(at now: Double, unit: WorkProgress.Unit = .count("tiles")) -> String {
        var parts = [amounts(unit)]
        let rate = tilesPerSecond(at: now), byteRate = bytesPerSecond(at: now)
        if rate > 0 && !isComplete {
            if let text = unit.text(perSecond: rate) { parts.append(text) }
            if byteRate > 0 { parts.append(AmountText.bytes(Int(clamping: byteRate)) + "/s") }
        }
        if let seconds = secondsLeft(at: now), seconds > 0 {
            parts.append(AmountText.seconds(seconds) + " left")
        }
        for (count, word) in [(reused, "reused"), (absent, "absent"), (failed, "failed")] where count > 0 {
            parts.append("\(AmountText.count(count)) \(word)")
        }
        return parts.joined(separator: " · ")
    }

    /// Returns the amounts: "1,200/17,690 7%", or without a total "1,200 tiles".
    private func amounts(_ unit: WorkProgress.Unit) -> String {
        let percent = "\(Int(clamping: (fraction * 100).rounded(.down)))%"
        switch unit {
        case .count(let word):
            guard total > 0 else { return "\(AmountText.count(settled)) \(word)" }
            return "\(AmountText.count(settled))/\(AmountText.count(total)) \(percent)"
        case .bytes:
            guard total > 0 else { return AmountText.bytes(settled) }
            return "\(AmountText.bytes(settled))/\(AmountText.bytes(total)) \(percent)"
        case .share: return percent
        }
    }

    /// Returns the progress as JSON.
    public func json(at now: Double) -> JSON {
        [
            "total": .integer(total), "done": .integer(done), "failed": .integer(failed),
            "absent": .integer(absent),
            "reused": .integer(reused), "bytes": .integer(bytes),
            "tilesPerSecond": .number(tilesPerSecond(at: now)),
            "bytesPerSecond": .number(bytesPerSecond(at: now)),
            "secondsLeft": secondsLeft(at: now).map { .number($0) } ?? .null,
        ]
    }
}

extension WorkProgress.Unit {
    /// Returns a rate such as "48 tiles/s" or "1.2 MB/s"; nil for units without a name.
    fileprivate func text(perSecond rate: Double) -> String? {
        switch self {
        case .count(let word) where rate < 10: "\((rate * 10).rounded() / 10) \(word)/s"
        case .count(let word): "\(AmountText.count(Int(clamping: rate))) \(word)/s"
        case .bytes: AmountText.bytes(Int(clamping: rate)) + "/s"
        case .share: nil
        }
    }
}
