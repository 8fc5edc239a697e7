internal import RhumbBase

/// Header fields in the order of arrival. Names are compared ignoring case.
public struct HTTPHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    /// A header field.
    public struct Line: Hashable, Sendable {
        /// The name as sent; compared ignoring case.
        public let name: String
        /// The field's value, without spaces around it.
        public let value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in the order they were sent.
    public private(set) var lines: [Line] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of fields in the given order.
    public init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { Line(name: $0.0, value: $0.1) }
    }

    /// The values of all fields with a name, joined with ", "; nil if there is none (RFC 9110, 5.3).
    public subscript(_ name: String) -> String? {
        var joined: String?
        for line in lines where line.name.equalsIgnoringCase(name) {
            joined = joined.map { $0 + ", " + line.value } ?? line.value
        }
        return joined
    }

    /// Returns the first value of a field that isn't a list, such as a validator.
    public func first(_ name: String) -> String? {
        lines.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// Adds a field, in addition to any others with its name.
    public mutating func append(_ name: String, _ value: String) {
        lines.append(Line(name: name, value: value))
    }

    /// Removes all fields with a name.
    public mutating func removeAll(_ name: String) {
        lines.removeAll { $0.name.equalsIgnoringCase(name) }
    }

    /// Returns the headers of a stored response after a 304 has confirmed it (RFC 9111, 3.2). Each field of
    /// the 304 replaces the stored one, except those that describe the body or the connection. The stored
    /// `Age`, `Date` and `Cache-Status` no longer apply.
    public func updated(by notModified: HTTPHeaders) -> HTTPHeaders {
        let news = notModified.lines.filter { !HTTPHeaders.isBoundToMessage($0.name) }
        var result = self
        for name in news.map(\.name) + ["Age", "Date", "Cache-Status"] { result.removeAll(name) }
        result.lines += news
        return result
    }

    private static let boundToMessage = [
        "content-length", "content-encoding", "content-type", "content-range",
        "transfer-encoding", "connection", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "te", "trailer", "upgrade",
    ]

    private static func isBoundToMessage(_ name: String) -> Bool {
        boundToMessage.contains { $0.equalsIgnoringCase(name) }
    }
}
