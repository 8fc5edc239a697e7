internal import CLinux
internal import Glibc

/// A stream socket on the loopback interface, closed when its last reference is released.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens on 127.0.0.1.
    /// - Parameter port: The port; 0 for any free port.
    static func listening(on port: UInt16) throws(DemoServerFailure) -> LoopbackSocket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw DemoServerFailure(port: port, code: errno) }
        let made = LoopbackSocket(descriptor)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 64) == 0 else { throw DemoServerFailure(port: port, code: errno) }
        return made
    }

    /// The bound port.
    var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Accepts the next connection, with a receive timeout of 30 seconds; nil after the listener was shut
    /// down.
    func accepted() -> LoopbackSocket? {
        while true {
            let connection = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            if connection >= 0 {
                var timeLimit = timeval(tv_sec: 30, tv_usec: 0)
                setsockopt(
                    connection, SOL_SOCKET, SO_RCVTIMEO, &timeLimit, socklen_t(MemoryLayout<timeval>.size))
                return LoopbackSocket(connection)
            }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Receives bytes; nil at the end of the connection.
    func received() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
            count = max(recv(descriptor, buffer.baseAddress, buffer.count, 0), 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Sends bytes.
    /// - Returns: True if all of them were sent.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Shuts the socket down, which unblocks pending calls.
    func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// The reason why the server can't listen.
public struct DemoServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The requested port.
    public let port: UInt16
    /// The system's error number.
    public let code: Int32

    public var description: String {
        let reason = code == EADDRINUSE ? "port in use; choose another one" : "system error \(code)"
        return "can't listen on 127.0.0.1:\(port): \(reason)"
    }
}
