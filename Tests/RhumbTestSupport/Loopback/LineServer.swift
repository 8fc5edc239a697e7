internal import Glibc
internal import Synchronization

/// Says lines to whoever connects, as gpsd and receivers do.
public final class LineServer: Sendable {
    public let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[String]>([])
    private let connections = Mutex(0)

    /// - Parameters:
    ///   - lines: said to each, one after the other.
    ///   - closes: whether the connection is then closed; else it stays open.
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

    /// What was said to it.
    public var said: String { heard.withLock { $0.joined() } }
    /// How many connected.
    public var count: Int { connections.withLock { $0 } }
}
