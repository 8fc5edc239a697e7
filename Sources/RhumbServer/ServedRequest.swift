internal import CMicroHTTP
internal import RhumbCore

/// A request to the server, valid while it is being answered.
public struct ServedRequest {
    /// The method, such as "GET".
    public let method: String
    /// The path as sent, without the query. It may be percent-encoded.
    public let path: String
    private let connection: OpaquePointer?
    private let fields: [String: String]

    init(_ connection: OpaquePointer, _ path: String, _ method: String) {
        self.connection = connection
        self.path = path
        self.method = method
        fields = [:]
    }

    /// Creates a request without a connection.
    /// - Parameter fields: The header fields, with names in lower case.
    init(_ path: String, method: String = "GET", fields: [String: String] = [:]) {
        connection = nil
        self.path = path
        self.method = method
        self.fields = fields
    }

    /// Returns the value of a header field; nil if it was not sent.
    public func field(_ name: String) -> String? {
        guard let connection else { return fields[name.lowercased()] }
        return rhumb_http_field(connection, name).map { String(cString: $0) }
    }

    /// True if the client accepts bodies compressed with gzip.
    var acceptsGzip: Bool {
        guard let codings = field("Accept-Encoding") else { return false }
        return codings.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map(\.trimmed)
            let isRefused = parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
            return ["gzip", "*"].contains(parts.first?.lowercased() ?? "") && !isRefused
        }
    }

    /// Returns true if the client already has the version with this ETag (RFC 9110, 13.1.2), or if it has no
    /// ETag, one of that date.
    func has(etag: String, modified: String?) -> Bool {
        if let known = field("If-None-Match") {
            let plain = etag.hasPrefix("W/") ? String(etag.dropFirst(2)) : etag
            return known.trimmed == "*"
                || known.split(separator: ",").map(\.trimmed).contains { $0 == plain || $0 == "W/" + plain }
        }
        return modified != nil && field("If-Modified-Since") == modified
    }
}
