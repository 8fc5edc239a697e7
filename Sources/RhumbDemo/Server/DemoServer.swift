internal import Glibc
internal import RhumbCore
internal import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 for demonstrations and tests. Supports only GET, and keeps
/// connections alive, each on its own thread. Runs until it is stopped or released.
public final class DemoServer: Sendable {
    /// The maximum number of connections. Additional ones are closed immediately.
    static let connectionLimit = 64
    /// The maximum size of a request's head in bytes.
    static let headLimit = 16 << 10

    private let listener: LoopbackSocket
    private let open = Mutex<[Int: LoopbackSocket]>([:])
    private let answer: @Sendable (DemoRequest) -> DemoReply

    /// Starts a server.
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - answer: Answers a request. Called concurrently from several threads.
    /// - Throws: `DemoServerFailure`.
    public init(
        port: UInt16 = 0, answer: @escaping @Sendable (DemoRequest) -> DemoReply
    ) throws(DemoServerFailure) {
        listener = try LoopbackSocket.listening(on: port)
        self.answer = answer
        SystemThread.detach { [weak self, listener] in
            var number = 0
            while let connection = listener.accepted() {
                number += 1
                self?.serve(connection, number)
            }
        }
    }

    deinit { stop() }

    /// The address without a trailing slash, such as "http://127.0.0.1:40123".
    public var address: String { "http://127.0.0.1:\(listener.port)" }

    /// Stops the server and closes all connections.
    public func stop() {
        listener.shut()
        open.withLock { $0.values.forEach { $0.shut() } }
    }

    private func serve(_ connection: LoopbackSocket, _ number: Int) {
        let hasRoom = open.withLock { open in
            guard open.count < DemoServer.connectionLimit else { return false }
            open[number] = connection
            return true
        }
        guard hasRoom else { return }
        SystemThread.detach { [weak self, answer] in
            var buffer: [UInt8] = []
            while let head = DemoServer.head(connection, &buffer) {
                guard connection.send(DemoServer.reply(to: head, answer).bytes) else { break }
            }
            self?.open.withLock { $0[number] = nil }
        }
    }

    private static func reply(to head: String, _ answer: (DemoRequest) -> DemoReply) -> DemoReply {
        guard let request = DemoRequest(head: head) else { return DemoReply(400) }
        guard request.method == "GET" else { return DemoReply(405, headers: ["Allow": "GET"]) }
        return answer(request)
    }

    /// Returns the head of the next request; nil at the end of the connection, or if the head is too long.
    private static func head(_ connection: LoopbackSocket, _ buffer: inout [UInt8]) -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.lowerBound], as: UTF8.self)
            }
            guard buffer.count < headLimit, let more = connection.received() else { return nil }
            buffer += more
        }
    }
}
