public import RhumbBase
public import RhumbGeo

/// The key of a stored response, without secrets.
public enum ResourceKey: Hashable, Sendable, CustomStringConvertible {
    /// A tile of a source, in one of its editions.
    case tile(origin: TileOrigin, TileID)
    /// Another resource: a TileJSON, a style, a part of an archive. The address is canonical, without
    /// secrets.
    case document(String)

    public var description: String {
        switch self {
        case .tile(let origin, let tile): "\(origin) \(tile)"
        case .document(let address): address
        }
    }
}

/// A stored response: the body, or the knowledge that there is none, and its freshness (RFC 9111).
public struct StoredResponse: Equatable, Sendable {
    /// The decompressed body; nil if the resource is known not to exist.
    public var body: [UInt8]?
    /// The time until which it may be used without revalidation.
    public var freshness: Freshness
    /// The fields with which a later 304 is merged: validators, dates, cache directives, content type.
    public var headers: HTTPHeaders
    /// The secondary key of RFC 9111, 4.1: the request's values of the header fields in `Vary`.
    public var variant = ""
    /// The version of the source's data, as counted by the provider.
    public var dataVersion: String?
    /// True if it was marked as outdated, so that it is revalidated before it is used online.
    public var isInvalidated = false
    /// True if the stored body differs from its hash, so that its validators must not be sent.
    public var isDamaged = false

    /// Creates a stored response, without a body if the resource is known not to exist.
    public init(body: [UInt8]?, freshness: Freshness, headers: HTTPHeaders = HTTPHeaders()) {
        self.body = body
        self.freshness = freshness
        self.headers = StoredResponse.storable(headers)
    }

    private static let omitsField = "Rhumb-Omits"

    /// The features whose data was removed from the body before it was stored. Servers can't set this field.
    public var omits: Set<String> {
        get { Set((headers[StoredResponse.omitsField] ?? "").split(separator: ",").map(String.init)) }
        set {
            headers.removeAll(StoredResponse.omitsField)
            if !newValue.isEmpty {
                headers.append(StoredResponse.omitsField, newValue.sorted().joined(separator: ","))
            }
        }
    }

    /// The validators for a revalidation.
    public var validators: Validators { Validators(of: headers) }

    /// Returns the state at a time, online.
    public func state(at now: UnixSeconds) -> Freshness.State {
        isInvalidated ? .mustRevalidate : freshness.state(at: now)
    }

    /// Returns the time until which the server lets the stale response be used (RFC 5861); nil if it doesn't.
    /// - Parameter directive: `staleWhileRevalidate` or `staleIfError`.
    public func staleLimit(_ directive: KeyPath<CacheControl, Int64?>) -> UnixSeconds? {
        guard !isInvalidated, !freshness.alwaysRevalidate, !freshness.revalidateWhenStale else { return nil }
        return CacheControl(of: headers)[keyPath: directive].map(freshness.expiresAt.adding)
    }

    /// Returns true if the response is stale, and the server lets it be used at that time (RFC 5861).
    public func isUsableWhenStale(_ directive: KeyPath<CacheControl, Int64?>, at now: UnixSeconds) -> Bool {
        state(at: now) == .staleUsable && freshness.age(at: now) != .max
            && staleLimit(directive).map { $0 > now } ?? false
    }

    private static let storedFields: Set<String> = [
        "accept-ranges", "age", "cache-control", "cache-status", "content-range", "content-type", "date",
        "etag",
        "expires", "last-modified", "pragma", "vary",
    ]

    /// Returns the fields of a response that are worth storing.
    public static func storable(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for line in headers.lines where storedFields.contains(line.name.lowercased()) {
            kept.append(line.name, line.value)
        }
        return kept
    }
}

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

/// The validators of a stored response, sent back byte for byte.
public struct Validators: Hashable, Sendable {
    /// The ETag, with `W/` and quotes if it has them.
    public var etag: String?
    /// The value of `Last-Modified`, as it was sent.
    public var lastModified: String?

    /// Creates validators.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Reads the validators of a response.
    public init(of headers: HTTPHeaders) {
        self.init(etag: headers.first("ETag"), lastModified: headers.first("Last-Modified"))
    }

    /// True if there are no validators.
    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The response fields that contain the validators.
    public var fields: HTTPHeaders {
        var headers = HTTPHeaders()
        if let etag { headers.append("ETag", etag) }
        if let lastModified { headers.append("Last-Modified", lastModified) }
        return headers
    }

    /// The fields that make a request conditional (RFC 9110, 13.1).
    public var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        if let etag { headers.append("If-None-Match", etag) }
        if let lastModified { headers.append("If-Modified-Since", lastModified) }
        return headers
    }
}
