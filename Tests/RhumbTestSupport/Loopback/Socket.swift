internal import CLinux
internal import Glibc

/// The few socket functions that the loopback server needs.
enum Socket {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter port: The port; 0 for any free one.
    static func listen(on port: UInt16) throws(Failure) -> Int32 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = loopback(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard isBound, Glibc.listen(listener, 256) == 0 else {
            close(listener)
            throw Failure(description: "can't listen on 127.0.0.1:\(port): \(errno)")
        }
        return listener
    }

    static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func port(of listener: Int32) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for a connection. Returns nil after the listener was shut down.
    static func accept(_ listener: Int32) -> Int32? {
        let connection = accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        return connection >= 0 ? connection : nil
    }

    /// Receives some bytes. Returns nil at the end.
    static func receive(_ connection: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Sends all bytes.
    /// - Returns: True if all of them were sent.
    static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func resetOnClose(_ connection: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    static func shutdown(_ descriptor: Int32) { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }

    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func thread(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if code == 0 { pthread_detach(thread) } else { work.release() }
    }
}

extension Socket {
    /// Waits up to ten seconds until a server listens on the port.
    static func waitForListener(_ port: UInt16) -> Bool {
        for _ in 0..<1000 {
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(probe) }
            var address = loopback(port)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isThere = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, size) == 0 }
            }
            if isThere { return true }
            usleep(10_000)
        }
        return false
    }
}
