internal import Glibc

/// A connection to a server on 127.0.0.1 over which a test sends bytes as it likes.
public final class RawConnection: Sendable {
    private let descriptor: Int32

    /// - Parameter port: The server's port.
    public init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Socket.loopback(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
        }
        guard isConnected else { throw Failure() }
        // A server that never answers fails the test.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The connection was refused.
    public struct Failure: Error {}

    /// Sends text.
    /// - Returns: False if the server has closed the connection.
    @discardableResult
    public func send(_ text: String) -> Bool { Socket.send(Array(text.utf8), descriptor) }

    /// Returns everything up to the end of the connection, or nil if nothing arrives for a minute.
    public func receiveAll() -> [UInt8]? {
        var all: [UInt8] = [], block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &block, block.count, 0)
            if count == 0 || count < 0 && errno == ECONNRESET { return all }
            guard count > 0 else { return nil }
            all += block.prefix(count)
        }
    }

    /// Sends a request and returns the response up to the end of the connection.
    public static func response(_ port: UInt16, _ request: String) throws -> String {
        let connection = try RawConnection(port: port)
        connection.send(request)
        return String(decoding: connection.receiveAll() ?? [], as: UTF8.self)
    }
}
