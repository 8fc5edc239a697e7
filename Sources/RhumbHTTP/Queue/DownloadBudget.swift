internal import RhumbCore

/// A limit on the bytes a second of all downloads together, as an average. Each is paid for when it
/// begins, as if it were as long as those before it, and settled when it ends.
struct DownloadBudget {
    private var bucket: TokenBucket
    /// Bytes of a download, as a running mean.
    private var usual = 20_000.0
    private var advances: [UInt64: Double] = [:]

    /// Nil without a rate.
    init?(bytesPerSecond: Int?, now: Double) {
        guard let bucket = bytesPerSecond.flatMap({ TokenBucket(rate: Double($0), now: now) }) else { return nil }
        self.bucket = bucket
    }

    /// Seconds until another may begin; 0 if now.
    func wait(now: Double) -> Double { bucket.wait(now: now) }

    mutating func begin(_ number: UInt64, now: Double) {
        advances[number] = usual
        bucket.spend(usual, now: now)
    }

    mutating func end(_ number: UInt64, bytes: Int, now: Double) {
        guard let advance = advances.removeValue(forKey: number) else { return }
        bucket.spend(Double(bytes) - advance, now: now)
        usual += (Double(bytes) - usual) / 8
    }
}
