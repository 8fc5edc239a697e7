public import RhumbBase

/// The wait before a retry: doubling, with full jitter. All values are in seconds.
public struct Backoff: Equatable, Sendable {
    /// The upper limit of the first wait.
    public var base: Double
    /// The maximum wait.
    public var cap: Double

    /// Waits from a second to a minute.
    public static let standard = Backoff(base: 1, cap: 60)

    /// Creates waits of `base` seconds at first, doubled each time, and at most `cap`.
    public init(base: Double, cap: Double) {
        self.base = base
        self.cap = cap
    }

    /// Returns the upper limit of the wait after a number of successive failures.
    public func ceiling(failures: Int) -> Double {
        let doublings = min(max(failures, 1), 31) - 1
        return min(cap, base * Double(1 << doublings))
    }

    /// Returns the wait after a number of successive failures.
    /// - Parameter random: A uniformly distributed number, 0..<1.
    public func delay(failures: Int, random: Double) -> Double {
        ceiling(failures: failures) * min(max(random, 0), 1)
    }
}

/// The rule for retries of a failed request.
public struct RetryRule: Equatable, Sendable {
    /// The maximum number of requests.
    public var tries: Int
    /// The waits between requests.
    public var backoff: Backoff

    /// The rule for requests that the user waits for.
    public static let interactive = RetryRule(tries: 3)
    /// The rule for downloads in the background, which continue with other tiles in the meantime.
    public static let download = RetryRule(tries: 10)
    /// The rule for a single request.
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

    /// The longest pause of a server that a request for a document waits for.
    private static let longestPause = 5.0

    /// Returns the seconds until the next try after a server limited its rate; nil if there is none, or if
    /// the user would wait too long for it.
    /// - Parameter pause: The seconds until the server takes requests again.
    public func delay(afterPause pause: Double, failures: Int) -> Double? {
        failures < tries && pause <= RetryRule.longestPause ? pause : nil
    }
}

/// The time at which a server may be asked again.
public enum RetryHint {
    /// The maximum wait. No server is obeyed for more than an hour at a time.
    public static let longest: Int64 = 3600

    /// Returns the seconds from now by `Retry-After` (seconds or a date), or else by the end of a rate limit
    /// (seconds, or seconds since 1970): 0…3600; nil if none is valid.
    public static func seconds(in headers: HTTPHeaders, now: UnixSeconds) -> Int64? {
        let hint =
            headers.first("Retry-After").flatMap { retryAfter($0.trimmed, now) }
            ?? ends.firstNonNil { headers.first($0) }.flatMap { Int64($0.trimmed) }
            .map { $0 < 1_000_000_000 ? $0 : UnixSeconds($0).seconds(since: now) }
        return hint.map { min(max($0, 0), longest) }
    }

    private static let ends = ["X-Rate-Limit-Reset", "X-RateLimit-Reset", "RateLimit-Reset"]
    private static let remainders = [
        "X-Rate-Limit-Remaining", "X-RateLimit-Remaining", "RateLimit-Remaining",
    ]
    /// Parts of the texts with which providers describe a rate limit, in lower case.
    private static let texts = [
        "over qps", "over_qps", "rate limit", "rate_limit", "ratelimit", "too many requests",
        "request rate", "slowdown", "slow down", "throttl",
    ]

    /// Returns true if an error describes a rate limit. Some providers send it with the status of a refused
    /// key.
    /// - Parameter body: The beginning of the error's body.
    public static func isRateLimit(_ headers: HTTPHeaders, _ body: [UInt8]) -> Bool {
        if headers.first("Retry-After") != nil { return true }
        if remainders.contains(where: { headers.first($0)?.trimmed == "0" }) { return true }
        let text = (headers.first("X-Mashery-Error-Code") ?? "") + String(decoding: body, as: UTF8.self)
        let lowercased = text.lowercased()
        return texts.contains { lowercased.contains($0) }
    }

    private static func retryAfter(_ text: String, _ now: UnixSeconds) -> Int64? {
        if !text.isEmpty && text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return Int64(text) ?? longest
        }
        return HTTPDate.parse(text, now: now)?.seconds(since: now)
    }
}
