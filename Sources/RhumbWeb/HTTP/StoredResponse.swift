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
