public import RhumbCore

/// A request to a demo server.
public struct DemoRequest: Sendable {
    /// The method in capitals, such as "GET".
    public let method: String
    /// The path and query as received.
    public let target: String
    /// The header fields of the request.
    public let headers: HTTPHeaders

    /// Creates a request.
    public init(method: String = "GET", target: String, headers: HTTPHeaders = [:]) {
        self.method = method
        self.target = target
        self.headers = headers
    }

    /// Parses the head of a request; nil if it is invalid.
    init?(head: String) {
        let lines = head.split(separator: "\r\n")
        let parts = (lines.first ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3, parts[1].hasPrefix("/"), parts[2].hasPrefix("HTTP/1.") else { return nil }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append(String(line[..<colon]), String(value))
        }
        self.init(method: parts[0], target: parts[1], headers: headers)
    }

    /// The components of the path.
    var path: [String] {
        target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    }

    /// Returns the raw value of a query item; nil if there is none.
    func query(_ name: String) -> String? {
        let query = target.drop { $0 != "?" }.dropFirst()
        for item in query.split(separator: "&") where item.hasPrefix(name + "=") {
            return String(item.dropFirst(name.count + 1))
        }
        return nil
    }
}

/// A response of a demo server.
public struct DemoReply: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields of the response.
    public var headers: HTTPHeaders
    /// The body; empty if there is none.
    public var body: [UInt8]

    /// Creates a response, by default without a body.
    public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the response with further headers.
    func adding(_ more: HTTPHeaders) -> DemoReply {
        var reply = self
        for line in more.lines { reply.headers.append(line.name, line.value) }
        return reply
    }

    /// The serialised response.
    var bytes: [UInt8] {
        var head = "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Answer")\r\n"
        for line in headers.lines { head += "\(line.name): \(line.value)\r\n" }
        if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}
