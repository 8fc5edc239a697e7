internal import RhumbBase

/// The request header fields on which a response depends (RFC 9111, 4.1). Fields that are the same in all of
/// Rhumb's requests, and `Accept-Encoding` (bodies are stored decoded), don't matter.
public struct Vary: Equatable, Sendable {
    private static let constant = ["accept-encoding", "origin", "referer", "user-agent"]

    /// True if the response matches no other request.
    public let matchesNothing: Bool
    /// The names in lower case, in alphabetical order.
    public let names: [String]

    /// Reads the `Vary` lines of a response.
    public init(of headers: HTTPHeaders) {
        let listed = (headers["Vary"] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }
        matchesNothing = listed.contains("*")
        names = Set(listed).subtracting(Vary.constant).subtracting(["", "*"]).sorted()
    }

    /// Returns a secondary key: the request's values of the named headers, with normalised spaces. Requests
    /// with equal keys may share the response; empty if it depends on none.
    public func key(for request: HTTPHeaders) -> String {
        names.map { "\($0):\(Vary.normalised(request[$0] ?? ""))" }.joined(separator: "\n")
    }

    private static func normalised(_ value: String) -> String {
        value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
            .split(separator: ",").map(\.trimmed).joined(separator: ",")
    }
}
