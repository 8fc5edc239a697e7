internal import Glibc
internal import Synchronization

/// A server that sends lines to each client, like gpsd and network receivers.
public final class LineServer: Sendable {
    public let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[UInt8]>([])
    private let connections = Mutex(0)

    /// Starts a server on a free port.
    /// - Parameters:
    ///   - lines: The lines sent to each client in order.
    ///   - closes: True to close the connection afterwards; false to leave it open.
    public convenience init(_ lines: [String], closes: Bool = false) throws {
        try self.init(lines.map { Array(($0 + "\n").utf8) }, closes: closes)
    }

    /// Starts a server of messages on a free port.
    /// - Parameters:
    ///   - messages: The messages sent to each client in order.
    ///   - closes: True to close the connection afterwards; false to leave it open.
    public init(_ messages: [[UInt8]], closes: Bool = false) throws {
        listener = try Socket.listen(on: 0)
        port = Socket.port(of: listener)
        Socket.thread { [self] in
            while let connection = Socket.accept(listener) {
                connections.withLock { $0 += 1 }
                for message in messages where !Socket.send(message, connection) { break }
                if closes {
                    Socket.close(connection)
                } else {
                    Socket.thread { [self] in
                        while let bytes = Socket.receive(connection) {
                            heard.withLock { $0 += bytes }
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
    public var said: String { String(decoding: heardBytes, as: UTF8.self) }
    /// The bytes that clients have sent.
    public var heardBytes: [UInt8] { heard.withLock(\.self) }
    /// The number of connections so far.
    public var count: Int { connections.withLock { $0 } }
}
