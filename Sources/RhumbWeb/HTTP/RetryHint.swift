public import RhumbBase

/// The time at which a server may be asked again.
public enum RetryHint {
    /// The maximum wait. No server is obeyed for more than an hour at a time.
    public static let longest: Int64 = 3600

    /// Returns the seconds from now by `Retry-After` (seconds or a date), or else by the end of a rate limit
    /// (seconds, or seconds since 1970): 0…3600; nil if none is valid.
    public static func seconds(in headers: HTTPHeaders, now: UnixSeconds) -> Int64? {
        let hint =
            headers.first("Retry-After").flatMap { retryAfter($0.trimmed, now) }
            ?? ends.lazy.compactMap { headers.first($0) }.first.flatMap { Int64($0.trimmed) }
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
