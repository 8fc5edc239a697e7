internal import RhumbCore

/// A limit on the bytes per second of all downloads together, with bursts of up to a second. A download pays
/// in advance for the mean size of earlier ones, for every byte beyond that as it arrives, and is refunded at
/// its end.
struct DownloadBudget {
    private var bucket: TokenBucket
    /// The running mean of the sizes of downloads in bytes.
    private var usual = 20_000.0
    /// The bytes that each download in flight has paid for.
    private var paid: [UInt64: Double] = [:]

    /// Creates a budget; nil without a rate.
    init?(bytesPerSecond: Int?, now: Double) {
        guard let bucket = bytesPerSecond.flatMap({ TokenBucket(rate: Double($0), now: now) }) else {
            return nil
        }
        self.bucket = bucket
    }

    /// Returns the seconds until another download may begin; 0 if one may begin now.
    func wait(now: Double) -> Double { bucket.wait(now: now) }

    mutating func begin(_ number: UInt64, now: Double) {
        paid[number] = usual
        bucket.spend(usual, now: now)
    }

    /// Deducts the bytes of a download so far.
    /// - Returns: False if it must wait.
    mutating func receive(_ number: UInt64, bytes: Int, now: Double) -> Bool {
        guard let paid = paid[number], Double(bytes) > paid else { return true }
        guard bucket.wait(now: now) <= 0 else { return false }
        bucket.spend(Double(bytes) - paid, now: now)
        self.paid[number] = Double(bytes)
        return true
    }

    mutating func end(_ number: UInt64, bytes: Int, now: Double) {
        guard let paid = paid.removeValue(forKey: number) else { return }
        bucket.spend(Double(bytes) - paid, now: now)
        usual += (Double(bytes) - usual) / 8
    }
}
