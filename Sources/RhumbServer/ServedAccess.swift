internal import RhumbCore

/// The rules about which web pages may use a server, and by which names.
public struct ServedAccess: Sendable {
    /// The origins of the pages that may read responses, such as "https://maps.example"; "*" for all.
    public var origins: [String] = []
    /// True if the server is reachable from this machine only. Requests must then name this machine or one of
    /// the origins, because a page elsewhere may resolve its own name to this machine.
    public var isLocal = false
    /// True if a proxy in front sets `X-Forwarded-Host`, `-Proto` and `-Prefix`. It decides which names are
    /// used.
    public var trustsForwarded = false

    /// Creates rules that allow every name, and no page of another origin.
    public init() {}

    /// Returns an origin as browsers send it, in lower case and without a final slash; nil if the text is not
    /// one.
    public static func origin(_ text: String) -> String? {
        if ["*", "null"].contains(text) { return text }
        let parts = URLReference(text)
        guard let scheme = parts.scheme, ["http", "https"].contains(scheme), let host = parts.host,
            !host.isEmpty,
            parts.userInfo == nil, ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
        else { return nil }
        return parts.origin
    }

    /// Returns true if a server at an IP address is reachable from this machine only.
    public static func isLoopback(_ address: String) -> Bool {
        URLReference("http://\(address.contains(":") ? "[\(address)]" : address)").isLoopback
    }

    /// Returns true if the request may name this host.
    func allows(host: String?) -> Bool {
        guard isLocal, !trustsForwarded, let host else { return true }
        let server = URLReference("http://\(host)")
        return server.isLoopback || server.host?.hasSuffix(".localhost") == true
            || origins.contains { URLReference($0).host == server.host }
    }

    /// Returns the origin that may read the response; nil if the request is from none of them.
    func origin(of request: ServedRequest) -> String? {
        if origins.contains("*") { return "*" }
        guard !origins.isEmpty, let origin = request.field("Origin")?.lowercased() else { return nil }
        return origins.contains(origin) ? origin : nil
    }

    /// Returns the fields of every response.
    /// - Parameter origin: The origin that may read the response.
    func fields(for origin: String?) -> [(name: String, value: String)] {
        var fields = [
            ("X-Content-Type-Options", "nosniff"),
            // Otherwise, pages of other origins could find out which tiles are stored.
            ("Cross-Origin-Resource-Policy", origins.contains("*") ? "cross-origin" : "same-origin"),
        ]
        if !origins.isEmpty, !origins.contains("*") { fields.append(("Vary", "Origin")) }
        if let origin {
            fields.append(("Access-Control-Allow-Origin", origin))
            fields.append(("Access-Control-Expose-Headers", "ETag, Content-Range"))
        }
        return fields
    }

    /// Returns the address of the server as the client knows it, without a final slash; nil if the client or
    /// a proxy sends an invalid one.
    func base(of request: ServedRequest) -> String? {
        let host = request.host ?? "localhost"
        guard ServedAccess.isHost(host) else { return nil }
        guard trustsForwarded else { return "http://\(host)" }
        let forwarded = request.list("X-Forwarded-Host").first ?? host
        let scheme = request.list("X-Forwarded-Proto").first?.lowercased() == "https" ? "https" : "http"
        let prefix = request.list("X-Forwarded-Prefix").flatMap { $0.split(separator: "/") }.map { "/" + $0 }
            .joined()
        let isPrefix = prefix.utf8.allSatisfy { ServedAccess.isHostByte($0) || "/%@".utf8.contains($0) }
        return ServedAccess.isHost(forwarded) && isPrefix ? "\(scheme)://\(forwarded)\(prefix)" : nil
    }

    private static func isHost(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isHostByte) }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}/?#@%,".utf8.contains(byte)
    }
}
