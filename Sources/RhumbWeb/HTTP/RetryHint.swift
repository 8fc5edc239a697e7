public import RhumbBase

/// The time at which a server may be asked again.
public enum RetryHint {
    /// The maximum wait. No server is obeyed for more than an hour at a time.
    public static let longest: Int64 = 3600

    /// Returns the seconds from now by `Retry-After` (seconds or a date), or else by `x-rate-limit-reset`
    /// (epoch seconds): 0…3600; nil if neither is valid.
    public static func seconds(in headers: HTTPHeaders, now: UnixSeconds) -> Int64? {
        let hint =
            headers.first("Retry-After").flatMap { retryAfter($0.trimmed, now) }
            ?? headers.first("X-Rate-Limit-Reset").flatMap { Int64($0.trimmed) }
            .map { UnixSeconds($0).seconds(since: now) }
        return hint.map { min(max($0, 0), longest) }
    }

    private static func retryAfter(_ text: String, _ now: UnixSeconds) -> Int64? {
        if !text.isEmpty && text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return Int64(text) ?? longest
        }
        return HTTPDate.parse(text, now: now)?.seconds(since: now)
    }
}
