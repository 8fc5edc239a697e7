/// A request to a loopback server.
public struct LoopbackRequest: Sendable {
    public let method: String
    /// The path and query, unchanged.
    public let target: String
    public let headers: [(name: String, value: String)]
    /// The number of this request among those for the same target, from 1.
    public let time: Int
    /// The body; empty for most requests.
    public var body: [UInt8] = []

    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A reply of a loopback server, possibly with faults.
public struct LoopbackReply: Sendable {
    /// The way in which the length of the body is indicated.
    public enum Framing: Sendable {
        case length
        /// A `Content-Length` with this value, whatever is sent.
        case announced(Int)
        case chunked
        /// The body ends when the connection closes.
        case none
    }
    /// The way in which the reply ends.
    public enum Ending: Sendable {
        case whole
        /// Closes the connection this many bytes before the end of the header fields.
        case closeInHeaders(before: Int)
        /// Closes the connection after this many bytes of the body.
        case close(after: Int)
        /// Resets the connection after this many bytes of the body.
        case reset(after: Int)
        /// Sends some bytes of the body, and the rest once a gate opens.
        case pause(after: Int, LoopbackGate)
        /// Sends one byte of the body at a time, with this many milliseconds before each.
        case drip(milliseconds: UInt32)
    }

    public var status = 200
    public var headers: [(name: String, value: String)] = []
    public var body: [UInt8] = []
    public var framing = Framing.length
    public var ending = Ending.whole
    /// A gate that must open before anything is sent.
    public var gate: LoopbackGate?

    public init(_ status: Int = 200, _ body: [UInt8] = [], headers: KeyValuePairs<String, String> = [:]) {
        self.status = status
        self.body = body
        self.headers = headers.map { (name: $0.key, value: $0.value) }
    }

    /// Returns the reply after a change.
    public func with(_ change: (inout LoopbackReply) -> Void) -> LoopbackReply {
        var copy = self
        change(&copy)
        return copy
    }

    public static func redirect(_ location: String, status: Int = 302) -> LoopbackReply {
        LoopbackReply(status, headers: ["Location": location])
    }

    /// Returns the body unless the client already has it. The validator is compared byte for byte.
    public static func validated(
        _ request: LoopbackRequest, etag: String, body: [UInt8]
    ) -> LoopbackReply {
        let isKnown = request.header("If-None-Match") == etag
        return LoopbackReply(isKnown ? 304 : 200, isKnown ? [] : body, headers: ["ETag": etag])
    }

    /// Returns the range of a file that a client requests, or 304 if the client already has the file.
    /// - Parameter control: The value of `Cache-Control`.
    public static func part(
        of file: [UInt8], _ request: LoopbackRequest, etag: String? = "\"1\"", control: String? = nil
    ) -> LoopbackReply {
        var headers: [(name: String, value: String)] = []
        if let etag { headers.append(("ETag", etag)) }
        if let control { headers.append(("Cache-Control", control)) }
        if let etag, request.header("If-None-Match") == etag {
            return LoopbackReply(304).with { $0.headers = headers }
        }
        let ends = (request.header("Range") ?? "").dropFirst(6).split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] < file.count else { return LoopbackReply(416) }
        let last = min(ends[1], file.count - 1)
        headers.append(("Content-Range", "bytes \(ends[0])-\(last)/\(file.count)"))
        return LoopbackReply(206, Array(file[ends[0]...last])).with { $0.headers = headers }
    }

    /// The status line and the headers.
    var head: [UInt8] {
        var text = "HTTP/1.1 \(status) Reply\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        switch framing {
        case .length:
            if status != 204 && status != 304 { text += "Content-Length: \(body.count)\r\n" }
        case .announced(let count): text += "Content-Length: \(count)\r\n"
        case .chunked: text += "Transfer-Encoding: chunked\r\n"
        case .none: text += "Connection: close\r\n"
        }
        return Array((text + "\r\n").utf8)
    }

    /// The body as sent over the wire if nothing goes wrong.
    var payload: [UInt8] {
        guard case .chunked = framing else { return body }
        var result: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 1000) {
            let piece = body[start..<min(start + 1000, body.count)]
            result += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
        }
        return result + Array("0\r\n\r\n".utf8)
    }

    var endsConnection: Bool {
        if case .none = framing { return true }
        switch ending {
        case .closeInHeaders, .close, .reset: return true
        case .whole, .pause, .drip: return false
        }
    }
}
