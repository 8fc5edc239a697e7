/// A limit of requests per second, with bursts of one second's worth.
public struct TokenBucket: Equatable, Sendable {
    /// The number of requests per second; above 0.
    public let rate: Double
    private var tokens: Double
    private var countedAt: Double

    /// Creates a full bucket; nil if the rate is not above 0.
    /// - Parameter now: The time in seconds on any monotonic clock.
    public init?(rate: Double, now: Double) {
        guard rate > 0, rate.isFinite else { return nil }
        self.rate = rate
        tokens = max(1, rate)
        countedAt = now
    }

    /// Takes a token.
    /// - Returns: 0 if there was one, or else the seconds until there is one.
    public mutating func take(now: Double) -> Double {
        let wait = wait(now: now)
        guard wait <= 0 else { return wait }
        tokens = filled(now: now) - 1
        countedAt = now
        return 0
    }

    /// Takes any number of tokens, including fractions and more than are available, which lengthens the next
    /// wait. A negative number returns tokens.
    public mutating func spend(_ amount: Double, now: Double) {
        tokens = filled(now: now) - amount
        countedAt = now
    }

    /// Returns the seconds until a token is available; 0 if there is one.
    public func wait(now: Double) -> Double { max(0, (1 - filled(now: now)) / rate) }

    /// Returns the tokens at a time. Adds a small amount, so that a token that is due now isn't lost to
    /// rounding.
    private func filled(now: Double) -> Double {
        min(max(1, rate), tokens + max(0, now - countedAt) * rate + 1e-9)
    }
}
