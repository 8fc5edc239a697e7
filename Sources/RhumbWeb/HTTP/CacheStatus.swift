internal import RhumbBase

/// The shared caches that handled a response, such as a team's proxy or a provider's CDN: the header field
/// `Cache-Status` (RFC 9211).
public struct CacheStatus: Equatable, Sendable {
    /// The part of one cache.
    public struct Entry: Equatable, Sendable {
        /// The name of the cache.
        public var name: String
        /// True if the cache sent its stored response.
        public var isHit = false
        /// The reason for which the request was forwarded, such as "miss" or "stale"; nil if not stated.
        public var forwardReason: String?
        /// The status of the next server's response; nil if not stated.
        public var forwardStatus: Int?
        /// The remaining freshness in seconds, negative if stale; nil if not stated.
        public var remainingLife: Int64?
        /// True if the cache stored the response.
        public var isStored = false
        /// True if the request was joined with others for the same resource.
        public var isCollapsed = false
    }

    /// The caches, that next to the provider's server first.
    public let entries: [Entry]

    /// Reads a response's header fields. Unknown parameters are ignored.
    public init(of headers: HTTPHeaders) {
        let items = QuotedText.split(headers["Cache-Status"] ?? "", at: ",")
        entries = items.compactMap { CacheStatus.entry(QuotedText.split($0, at: ";").map(\.trimmed)) }
    }

    private static func entry(_ parts: [String]) -> Entry? {
        guard let name = parts.first.map(QuotedText.unquoted), !name.isEmpty else { return nil }
        var entry = Entry(name: name)
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { QuotedText.unquoted($0.trimmed) }
            let value = pair.count > 1 ? pair[1] : nil
            switch pair.first {
            case "hit": entry.isHit = value != "?0"
            case "fwd": entry.forwardReason = value
            case "fwd-status": entry.forwardStatus = value.flatMap { Int($0) }
            case "ttl": entry.remainingLife = value.flatMap { Int64($0) }
            case "stored": entry.isStored = value != "?0"
            case "collapsed": entry.isCollapsed = value != "?0"
            default: break
            }
        }
        return entry
    }
}

/// Lists in header fields whose items may contain quoted texts.
enum QuotedText {
    /// Returns the parts between separators. A separator inside quotes doesn't separate.
    static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""], isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == separator && !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// Returns the text without quotes around it.
    static func unquoted(_ text: String) -> String {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? String(text.dropFirst().dropLast()) : text
    }
}
