internal import RhumbBase

/// Which request headers an answer depends on (RFC 9111, 4.1). Headers that are the same in all
/// of Rhumb's requests, and `Accept-Encoding` (bodies are stored decoded), don't matter.
public struct Vary: Equatable, Sendable {
    private static let constant = ["accept-encoding", "origin", "referer", "user-agent"]

    /// The answer fits no other request.
    public let matchesNothing: Bool
    /// Lowercase names in alphabetical order.
    public let names: [String]

    /// Reads an answer's `Vary` lines.
    public init(of headers: HTTPHeaders) {
        let words = (headers["Vary"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        matchesNothing = words.contains("*")
        names = Set(words).subtracting(Vary.constant).subtracting(["", "*"]).sorted()
    }

    /// A secondary key: what the request said in the named headers, blanks normalised. Two
    /// requests with the same one may share the answer; empty when it depends on nothing.
    public func key(for request: HTTPHeaders) -> String {
        names.map { "\($0):\(Vary.normalised(request[$0] ?? ""))" }.joined(separator: "\n")
    }

    /// Whether an answer given to one request fits another.
    public func matches(_ request: HTTPHeaders, storedFor original: HTTPHeaders) -> Bool {
        !matchesNothing && key(for: request) == key(for: original)
    }

    private static func normalised(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            .split(separator: ",").map(\.trimmed).joined(separator: ",")
    }
}
