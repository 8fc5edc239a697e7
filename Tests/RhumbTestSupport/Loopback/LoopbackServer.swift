internal import Glibc
internal import Synchronization

/// A small scripted HTTP/1.1 server on 127.0.0.1 with a thread per connection.
public final class LoopbackServer: Sendable {
    /// The requests and connections so far.
    public struct Record: Sendable {
        public var requests: [LoopbackRequest] = []
        public var connections = 0
        /// The number of body bytes sent.
        public var bytes = 0
        /// The number of responses that were sent completely.
        public var answered = 0
        /// The maximum number of requests that were being answered at the same time.
        public var mostAtOnce = 0
    }

    private struct State {
        var record = Record()
        var listener: Int32 = -1
        var port: UInt16 = 0
        var open: Set<Int32> = []
        var atOnce = 0
    }
    private let state = Mutex(State())
    private let script: @Sendable (LoopbackRequest) -> LoopbackReply

    /// Starts a server that responds according to a script.
    public init(_ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) throws {
        self.script = script
        try start()
    }

    deinit { stop() }

    public var record: Record { state.withLock { $0.record } }
    public var requestCount: Int { record.requests.count }
    public var port: UInt16 { state.withLock { $0.port } }

    /// Returns the URL of a target, which begins with "/".
    public func url(_ target: String, host: String = "127.0.0.1") -> String {
        "http://\(host):\(port)\(target)"
    }

    /// Returns the number of requests for a target.
    public func count(_ target: String) -> Int { record.requests.count { $0.target == target } }

    /// Starts listening. After a stop, the port stays the same.
    public func start() throws {
        let listener = try Socket.listen(on: port)
        let port = Socket.port(of: listener)
        state.withLock { ($0.listener, $0.port) = (listener, port) }
        Socket.thread { [weak self] in
            while let connection = Socket.accept(listener) {
                guard let self else { return Socket.close(connection) }
                self.serve(connection)
            }
            Socket.close(listener)
        }
    }

    /// Refuses new connections and shuts down the open ones.
    public func stop() {
        state.withLock { state in
            if state.listener >= 0 { Socket.shutdown(state.listener) }
            state.listener = -1
            state.open.forEach(Socket.shutdown)
        }
    }

    private func serve(_ connection: Int32) {
        let isWelcome = state.withLock { state in
            guard state.listener >= 0 else { return false }
            state.record.connections += 1
            state.open.insert(connection)
            return true
        }
        guard isWelcome else { return Socket.close(connection) }
        Socket.thread { [weak self] in
            var buffer: [UInt8] = []
            while let self, let request = self.read(connection, &buffer) {
                guard self.answer(request, connection) else { break }
            }
            self?.state.withLock { _ = $0.open.remove(connection) }
            Socket.close(connection)
        }
    }

    /// Sends the response to a request.
    /// - Returns: True if the connection stays open.
    private func answer(_ request: LoopbackRequest, _ connection: Int32) -> Bool {
        state.withLock { state in
            state.atOnce += 1
            state.record.mostAtOnce = max(state.record.mostAtOnce, state.atOnce)
        }
        let reply = script(request)
        let isLetThrough = reply.gate?.pass() ?? true
        state.withLock { state in
            state.atOnce -= 1
            state.record.bytes += reply.body.count
        }
        return isLetThrough && send(reply, connection)
    }

    private func send(_ reply: LoopbackReply, _ connection: Int32) -> Bool {
        let payload = reply.payload
        switch reply.ending {
        case .closeInHeaders(let count):
            _ = Socket.send(Array(reply.head.dropLast(count)), connection)
            return false
        case .whole:
            guard Socket.send(reply.head + payload, connection) else { return false }
            state.withLock { $0.record.answered += 1 }
            return !reply.endsConnection
        case .close(let count):
            _ = Socket.send(reply.head + payload.prefix(count), connection)
        case .reset(let count):
            _ = Socket.send(reply.head + payload.prefix(count), connection)
            Socket.resetOnClose(connection)
        case .pause(let count, let gate):
            // A complete response must not hold back the next one on its connection.
            return Socket.send(reply.head + payload.prefix(count), connection)
                && (payload.count <= count || gate.pass())
                && Socket.send(Array(payload.dropFirst(count)), connection) && !reply.endsConnection
        case .drip(let milliseconds):
            guard Socket.send(reply.head, connection) else { return false }
            for byte in payload {
                usleep(milliseconds * 1000)
                guard Socket.send([byte], connection) else { return false }
            }
            return !reply.endsConnection
        }
        return false
    }

    /// Returns the next request; nil at the end.
    private func read(_ connection: Int32, _ buffer: inout [UInt8]) -> LoopbackRequest? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                let head = String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
                buffer.removeSubrange(..<range.upperBound)
                var request = note(head)
                let count = request.header("Content-Length").flatMap { Int($0) } ?? 0
                while buffer.count < count {
                    guard let more = Socket.receive(connection) else { return nil }
                    buffer += more
                }
                request.body = Array(buffer.prefix(count))
                buffer.removeFirst(count)
                return request
            }
            guard let more = Socket.receive(connection) else { return nil }
            buffer += more
        }
    }

    private func note(_ head: String) -> LoopbackRequest {
        let lines = head.split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init) + ["", ""]
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        return state.withLock { state in
            let time = state.record.requests.count { $0.target == words[1] } + 1
            let request = LoopbackRequest(
                method: words[0], target: words[1], headers: headers, time: time)
            state.record.requests.append(request)
            return request
        }
    }
}
