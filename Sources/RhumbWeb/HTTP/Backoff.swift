/// The wait before a retry: doubling, with full jitter. All values in seconds.
public struct Backoff: Equatable, Sendable {
    /// The first wait's upper end.
    public var base: Double
    /// The longest wait in seconds.
    public var cap: Double

    /// Waits from a second to a minute.
    public static let standard = Backoff(base: 1, cap: 60)

    /// Creates waits of `base` seconds at first, doubled each time, and at most `cap`.
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

    /// For requests that the user waits for.
    public static let interactive = RetryRule(tries: 3)
    /// For downloads in the background, which continue with other tiles meanwhile.
    public static let download = RetryRule(tries: 10)
    /// A single request.
    public static let once = RetryRule(tries: 1)

    /// Creates a rule with a number of tries and waits between them.
    public init(tries: Int, backoff: Backoff = .standard) {
        self.tries = tries
        self.backoff = backoff
    }

    /// Returns the seconds until the next try; nil if there is none. Only transient failures are retried,
    /// because others persist until the host, the source or the network changes.
    public func delay(after failure: FailureClass, failures: Int, random: Double) -> Double? {
        guard failure == .transient, failures < tries else { return nil }
        return backoff.delay(failures: failures, random: random)
    }
}
