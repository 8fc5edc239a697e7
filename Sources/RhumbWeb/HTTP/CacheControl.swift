internal import RhumbBase

/// The directives of a `Cache-Control` header (RFC 9111, 5.2; RFC 5861; RFC 8246). Those for shared caches
/// (`s-maxage`, `proxy-revalidate`) do not apply to a private cache.
public struct CacheControl: Equatable, Sendable {
    /// The longest accepted lifetime: 2^31 seconds.
    static let longestLife: Int64 = 1 << 31

    /// The directive `max-age` in seconds; nil if absent, 0 if invalid (not a number, negative, or repeated).
    public var maxAge: Int64?
    /// True if the response must not be stored.
    public var noStore = false
    /// True for `no-cache`, also with field names.
    public var noCache = false
    /// True if a stale response must be revalidated before use.
    public var mustRevalidate = false
    /// True if the response never changes while it is fresh, so that it is not revalidated.
    public var immutable = false
    /// True if shared caches may store it.
    public var isPublic = false
    /// The time in seconds for which a stale response may be used while it is revalidated in the background.
    public var staleWhileRevalidate: Int64?
    /// The time in seconds for which a stale response may be used if its server fails.
    public var staleIfError: Int64?

    /// Creates a header without directives.
    public init() {}

    /// Parses a header's value, with several lines joined by commas. Unknown directives are ignored.
    public init(_ text: String) {
        for item in QuotedText.split(text, at: ",").map(CacheControl.item) { apply(item.name, item.value) }
    }

    /// Creates the directives of a response. `Pragma: no-cache` counts only if `Cache-Control` is absent.
    public init(of headers: HTTPHeaders) {
        if let text = headers["Cache-Control"] {
            self.init(text)
        } else {
            self.init()
            noCache = headers["Pragma"].map { CacheControl($0).noCache } ?? false
        }
    }

    private mutating func apply(_ name: String, _ value: String?) {
        switch name.lowercased() {
        case "max-age": maxAge = maxAge == nil ? CacheControl.seconds(value) : 0
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "immutable": immutable = true
        case "public": isPublic = true
        case "stale-while-revalidate": staleWhileRevalidate = CacheControl.seconds(value)
        case "stale-if-error": staleIfError = CacheControl.seconds(value)
        default: break
        }
    }

    /// Returns whole seconds, at most `longestLife`; 0 for anything else.
    private static func seconds(_ text: String?) -> Int64 {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        return min(Int64(text) ?? longestLife, longestLife)
    }

    private static func item(_ text: String) -> (name: String, value: String?) {
        guard let equals = text.firstIndex(of: "=") else { return (text.trimmed, nil) }
        return (text[..<equals].trimmed, QuotedText.unquoted(text[text.index(after: equals)...].trimmed))
    }
}
