internal import Glibc

/// An estimate of the recent amount per second. The weight of an amount halves every five seconds. In the
/// first second and five seconds after the last amount, the rate is 0.
struct RateEstimate: Hashable, Sendable {
    private static let halfLife = 5.0
    private static let patience = 5.0
    /// Shorter times give rates of bursts.
    private static let shortest = 1.0
    private var sum = 0.0
    private var startedAt: Double?
    private var countedAt = 0.0

    mutating func add(_ amount: Double, at now: Double) {
        if startedAt == nil { (startedAt, countedAt) = (now, now) }
        sum = faded(at: now) + amount
        countedAt = max(now, countedAt)
    }

    /// Returns the rate. The time before the start counts neither as busy nor as idle, so that the rate in
    /// the first seconds isn't underestimated.
    func perSecond(at now: Double) -> Double {
        guard let startedAt, now - startedAt >= RateEstimate.shortest, now - countedAt < RateEstimate.patience
        else { return 0 }
        let known = 1 - exp2((startedAt - now) / RateEstimate.halfLife)
        return faded(at: now) * M_LN2 / RateEstimate.halfLife / known
    }

    private func faded(at now: Double) -> Double {
        sum * exp2(min(countedAt - now, 0) / RateEstimate.halfLife)
    }
}
