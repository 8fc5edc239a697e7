public import RhumbBase

/// The freshness of a stored response, computed when it arrived (RFC 9111, 4.2). All lengths in seconds.
public struct Freshness: Hashable, Sendable {
    /// The state of a response.
    public enum State: String, Sendable {
        /// Usable without revalidation.
        case fresh
        /// Usable while it is revalidated in the background.
        case staleUsable
        /// To be revalidated before use, unless there is no network.
        case mustRevalidate
    }

    /// The time of the response by this machine's clock.
    public var receivedAt: UnixSeconds
    /// The age on arrival.
    public var initialAge: Int64
    /// The freshness lifetime.
    public var lifetime: Int64
    /// True if it must always be revalidated before it is used online.
    public var alwaysRevalidate: Bool
    /// True if it must be revalidated before it is used online when stale.
    public var revalidateWhenStale: Bool
    /// True if it is not requested again while fresh, even on reload.
    public var immutable: Bool

    /// Creates the freshness from the columns of a stored row.
    public init(
        receivedAt: UnixSeconds, initialAge: Int64, lifetime: Int64, alwaysRevalidate: Bool = false,
        revalidateWhenStale: Bool = false, immutable: Bool = false
    ) {
        self.receivedAt = receivedAt
        self.initialAge = initialAge
        self.lifetime = lifetime
        self.alwaysRevalidate = alwaysRevalidate
        self.revalidateWhenStale = revalidateWhenStale
        self.immutable = immutable
    }

    /// Computes the freshness from a response's headers, and from the source's policy if they have no
    /// lifetime or the policy sets one.
    /// - Parameters:
    ///   - headers: The headers of the response; after a 304, the merged ones.
    ///   - status: The status of the stored response; 204, 404 and 410 get the policy's lifetime of absent
    ///     resources.
    public init(
        headers: HTTPHeaders, status: Int = 200, requestedAt: UnixSeconds, receivedAt: UnixSeconds,
        policy: StoragePolicy
    ) {
        if let life = policy.fixedLife {
            self.init(receivedAt: receivedAt, initialAge: 0, lifetime: life)
            return
        }
        let control = CacheControl(of: headers)
        let date = headers.first("Date").flatMap { HTTPDate.parse($0, now: receivedAt) }
        let life =
            Freshness.explicitLife(control, headers, date: date ?? receivedAt, receivedAt)
            ?? ([204, 404, 410].contains(status)
                ? policy.absentLife
                : max(
                    Freshness.heuristicLife(headers, date: date ?? receivedAt, receivedAt)
                        ?? policy.unspecifiedLife, policy.minimumLife))
        self.init(
            receivedAt: receivedAt,
            initialAge: Freshness.age(headers, date: date, requestedAt, receivedAt),
            lifetime: min(max(life, 0), CacheControl.longestLife),
            alwaysRevalidate: control.noCache, revalidateWhenStale: control.mustRevalidate,
            immutable: control.immutable)
    }

    /// Returns the state at a time, online. Offline, every stored response is usable.
    public func state(at now: UnixSeconds) -> State {
        if alwaysRevalidate { return .mustRevalidate }
        if lifetime > age(at: now) { return .fresh }
        return revalidateWhenStale ? .mustRevalidate : .staleUsable
    }

    /// Returns its age at a time. It is 0 if the clock was set back before its arrival. If the clock was set
    /// back by more than a year, one of the two times is wrong, and the response counts as expired.
    public func age(at now: UnixSeconds) -> Int64 {
        let age = now.seconds(since: receivedAt)
        if age < -Freshness.year { return .max }
        return age < 0 ? 0 : initialAge.saturatingAdd(age)
    }

    private static let year: Int64 = 31_536_000

    /// The time of expiry; may be before its arrival.
    public var expiresAt: UnixSeconds { receivedAt.adding(lifetime.saturatingSubtract(initialAge)) }

    private static func explicitLife(
        _ control: CacheControl, _ headers: HTTPHeaders, date: UnixSeconds, _ now: UnixSeconds
    ) -> Int64? {
        if let maxAge = control.maxAge { return maxAge }
        // Several lines are invalid, and an invalid date is in the past (RFC 9111, 5.3).
        guard let text = headers["Expires"] else { return nil }
        return HTTPDate.parse(exactly: text, now: now).map { $0.seconds(since: date) } ?? 0
    }

    /// Returns a tenth of the time since the last change, at most a day.
    private static func heuristicLife(
        _ headers: HTTPHeaders, date: UnixSeconds, _ now: UnixSeconds
    ) -> Int64? {
        headers.first("Last-Modified").flatMap { HTTPDate.parse($0, now: now) }
            .map { min(max(date.seconds(since: $0) / 10, 0), 86_400) }
    }

    /// Returns the first member of an `Age` field (RFC 9111, 5.1); 0 if it is no number.
    private static func statedAge(_ text: String) -> Int64 {
        let first = (text.split(separator: ",", omittingEmptySubsequences: false).first ?? "").prefix {
            $0 != ";"
        }.trimmed
        guard !first.isEmpty, first.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        return Int64(first) ?? .max
    }

    private static func age(
        _ headers: HTTPHeaders, date: UnixSeconds?, _ requestedAt: UnixSeconds, _ receivedAt: UnixSeconds
    ) -> Int64 {
        let apparent = date.map { max(0, receivedAt.seconds(since: $0)) } ?? 0
        let stated = headers["Age"].map(Freshness.statedAge) ?? 0
        let underway = max(0, receivedAt.seconds(since: requestedAt))
        return max(apparent, max(0, stated).saturatingAdd(underway))
    }
}
