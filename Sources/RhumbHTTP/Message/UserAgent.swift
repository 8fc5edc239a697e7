/// The name by which Rhumb identifies itself to servers, which block programs that hide their identity.
public struct UserAgent: Sendable, Hashable, CustomStringConvertible {
    /// The name as it is sent.
    public let description: String

    /// Returns Rhumb's own name: `Rhumb/<version> (+URL)`.
    public static func rhumb(version: String) -> UserAgent {
        UserAgent(unchecked: "Rhumb/\(version) (+https://github.com/rhumb-map/rhumb)")
    }

    private init(unchecked text: String) { description = text }

    /// Checks the name of a program, such as "Hikes/2.1 (+https://hikes.example)".
    /// - Throws: `UserAgentFailure` if it is empty, names a library or a browser, or has characters that a
    ///   header can't have.
    public init(_ text: String) throws(UserAgentFailure) {
        let printable = text.utf8.allSatisfy { (32...126).contains($0) }
        guard printable else { throw .unprintable }
        let product = text.prefix { $0 != " " && $0 != "/" }.lowercased()
        guard !product.isEmpty else { throw .empty }
        guard !UserAgent.generic.contains(product) else { throw .generic(String(text.prefix(60))) }
        description = text
    }

    private static let generic: Set<String> = [
        "curl", "libcurl", "wget", "mozilla", "python-requests", "python-urllib", "okhttp", "java",
        "go-http-client", "axios", "node-fetch", "libwww-perl", "cfnetwork", "dalvik", "http",
        "client", "app", "user-agent", "unknown", "test", "-",
    ]
}

/// The reason why a name can't be used as a user agent.
public enum UserAgentFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case generic(String)
    case unprintable

    public var description: String {
        switch self {
        case .empty: "the user agent is empty; use a name such as Hikes/2.1 (+https://hikes.example)"
        case .generic(let text):
            "the user agent \"\(text)\" does not identify the program; "
                + "use your own name, such as Hikes/2.1 (+https://hikes.example)"
        case .unprintable: "the user agent has characters not allowed in a header; use plain ASCII"
        }
    }
}
