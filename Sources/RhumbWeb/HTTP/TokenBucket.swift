/// A limit of requests per second, with bursts of one second's worth.
public struct TokenBucket: Equatable, Sendable {
    /// Requests per second; above 0.
    public let rate: Double
    private var tokens: Double
    private var countedAt: Double

    /// A full bucket, or nil for a rate that is not above 0.
    /// - Parameter now: seconds on any clock that only moves forward.
    public init?(rate: Double, now: Double) {
        guard rate > 0, rate.isFinite else { return nil }
        self.rate = rate
        tokens = max(1, rate)
        countedAt = now
    }

    /// Takes a token.
    /// - Returns: 0 if there was one, else the seconds until there will be.
    public mutating func take(now: Double) -> Double {
        let wait = wait(now: now)
        guard wait <= 0 else { return wait }
        tokens = filled(now: now) - 1
        countedAt = now
        return 0
    }

    /// Takes any number of tokens, also fractions and more than are available, which makes the next wait
    /// longer. A negative number returns tokens.
    public mutating func spend(_ amount: Double, now: Double) {
        tokens = filled(now: now) - amount
        countedAt = now
    }

    /// Seconds until a token can be taken; 0 if now.
    public func wait(now: Double) -> Double { max(0, (1 - filled(now: now)) / rate) }

    /// A hair is added, so that a token due now isn't lost to rounding.
    private func filled(now: Double) -> Double {
        min(max(1, rate), tokens + max(0, now - countedAt) * rate + 1e-9)
    }
}
