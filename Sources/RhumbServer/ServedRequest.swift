internal import CMicroHTTP
internal import RhumbCore

/// A request to the server, valid while it is being answered.
public struct ServedRequest {
    /// The method, such as "GET".
    public let method: String
    /// The path without the query, percent-decoded except for slashes and nulls; empty if the target is
    /// malformed.
    public let path: String
    /// The host and port of the target, or else those of the field `Host`; nil if neither names one.
    var host: String? { authority ?? field("Host") }
    private let authority: String?
    private let connection: OpaquePointer?
    private let fields: [String: String]

    init(_ connection: OpaquePointer, _ target: String, _ method: String) {
        self.init(target, method, connection, [:])
    }

    /// Creates a request without a connection.
    /// - Parameter fields: The header fields, with names in lower case.
    package init(_ target: String, method: String = "GET", fields: [String: String] = [:]) {
        self.init(target, method, nil, fields)
    }

    private init(_ target: String, _ method: String, _ connection: OpaquePointer?, _ fields: [String: String])
    {
        let (authority, path) = ServedRequest.parts(of: target)
        self.authority = authority
        self.path = ServedRequest.decoded(path) ?? ""
        self.method = method
        self.connection = connection
        self.fields = fields
    }

    /// Splits a target in absolute form (RFC 9112, 3.2.2). Other targets are only a path.
    private static func parts(of target: String) -> (authority: String?, path: Substring) {
        guard !target.hasPrefix("/"),
            let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) })
        else { return (nil, target[...]) }
        let rest = target.dropFirst(scheme.count)
        let path = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
        return (String(rest[..<path.startIndex]), path.isEmpty ? "/" : path)
    }

    /// Decodes percent-encoded bytes, except slashes and nulls; nil if the encoding is invalid.
    private static func decoded(_ path: Substring) -> String? {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return String(path) }
        var bytes: [UInt8] = [], rest = path.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let high = hexDigit(rest.removeFirst()),
                let low = hexDigit(rest.removeFirst())
            else { return nil }
            let value = high << 4 | low
            bytes +=
                value == 0 || value == UInt8(ascii: "/")
                ? Array("%\(value == 0 ? "00" : "2F")".utf8) : [value]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the value of a header field; nil if it was not sent. Several lines are joined with commas.
    public func field(_ name: String) -> String? {
        guard let connection else { return fields[name.lowercased()] }
        var values: [String] = []
        withUnsafeMutablePointer(to: &values) { values in
            rhumb_http_fields(
                connection, name,
                { context, value in
                    guard let context, let value else { return }
                    context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: value))
                }, values)
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the members of a field that is a list of words; empty if it was not sent.
    func list(_ name: String) -> [String] {
        (field(name) ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    }

    /// True if the client prefers, or accepts as well, bodies compressed with gzip (RFC 9110, 12.5.3).
    var acceptsGzip: Bool {
        var qualities: [String: Double] = [:]
        for coding in list("Accept-Encoding") {
            let parts = coding.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
            let name = parts[0].lowercased() == "x-gzip" ? "gzip" : parts[0].lowercased()
            qualities[name] = max(qualities[name] ?? 0, ServedRequest.quality(parts.dropFirst()))
        }
        let gzip = qualities["gzip"] ?? qualities["*"] ?? 0
        return gzip > 0 && gzip >= qualities["identity"] ?? 0
    }

    /// Returns the weight among the parameters of a list member; 0 if it is invalid.
    private static func quality(_ parameters: ArraySlice<String>) -> Double {
        guard let weight = parameters.first(where: { $0.lowercased().hasPrefix("q=") })?.dropFirst(2) else {
            return parameters.isEmpty ? 1 : 0
        }
        let isWeight = weight.utf8.count <= 5 && weight.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
        return isWeight ? Double(weight).flatMap { (0...1).contains($0) ? $0 : nil } ?? 0 : 0
    }

    /// The conditions of the request.
    var preconditions: Preconditions {
        Preconditions(
            match: field("If-Match"), noneMatch: field("If-None-Match"),
            modifiedSince: field("If-Modified-Since"), unmodifiedSince: field("If-Unmodified-Since"))
    }
}
