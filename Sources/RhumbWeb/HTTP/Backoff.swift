/// The wait before a retry: doubling, with full jitter. All values in seconds.
public struct Backoff: Equatable, Sendable {
    /// The first wait's upper end.
    public var base: Double
    /// No wait is longer.
    public var cap: Double

    /// From a second to a minute.
    public static let standard = Backoff(base: 1, cap: 60)

    /// Waits of `base` seconds at first, doubled each time, and at most `cap`.
    public init(base: Double, cap: Double) {
        self.base = base
        self.cap = cap
    }

    /// The upper end of the wait after that many failures in a row.
    public func ceiling(failures: Int) -> Double {
        let doublings = min(max(failures, 1), 31) - 1
        return min(cap, base * Double(1 << doublings))
    }

    /// The wait after that many failures in a row.
    /// - Parameter random: 0..<1, uniformly spread.
    public func delay(failures: Int, random: Double) -> Double {
        ceiling(failures: failures) * min(max(random, 0), 1)
    }
}

/// The rule for retries of a failed request.
public struct RetryRule: Equatable, Sendable {
    /// The most requests.
    public var tries: Int
    /// The waits between them.
    public var backoff: Backoff

    /// Somebody is waiting for it.
    public static let interactive = RetryRule(tries: 3)
    /// For downloads in the background, which continue with other tiles meanwhile.
    public static let download = RetryRule(tries: 10)
    /// A single request.
    public static let once = RetryRule(tries: 1)

    /// So many tries, with waits between them.
    public init(tries: Int, backoff: Backoff = .standard) {
        self.tries = tries
        self.backoff = backoff
    }

    /// Seconds to wait before the next try, or nil if there is to be none. Only transient failures
    /// are tried again: the others need the host, the source or the network to change first.
    public func delay(after failure: FailureClass, failures: Int, random: Double) -> Double? {
        guard failure == .transient, failures < tries else { return nil }
        return backoff.delay(failures: failures, random: random)
    }
}
