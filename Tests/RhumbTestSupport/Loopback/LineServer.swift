internal import Glibc
internal import Synchronization

/// A server that sends lines to each client, like gpsd and network receivers.
public final class LineServer: Sendable {
    public let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let connections = Mutex(0)

    /// Starts a server on a free port.
    /// - Parameters:
    ///   - lines: The lines sent to each client in order.
    ///   - closes: True to close the connection afterwards; false to leave it open.
    public init(_ lines: [String], closes: Bool = false) throws {
        listener = try Socket.listen(on: 0)
        port = Socket.port(of: listener)
        Socket.thread { [self] in
            while let connection = Socket.accept(listener) {
                connections.withLock { $0 += 1 }
                for line in lines where !Socket.send(Array((line + "\n").utf8), connection) { break }
                if closes {
                    Socket.close(connection)
                } else {
                    Socket.thread { [self] in
                        while let bytes = Socket.receive(connection) {
                            heard.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                        }
                        Socket.close(connection)
                    }
                }
            }
        }
    }

    deinit {
        Socket.shutdown(listener)
        Socket.close(listener)
    }

    /// The text that clients have sent.
    public var said: String { heard.withLock { $0.joined() } }
    /// The number of connections so far.
    public var count: Int { connections.withLock { $0 } }
}
