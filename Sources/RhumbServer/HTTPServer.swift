internal import CMicroHTTP
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server for GET and HEAD requests, with threads of its own. It runs until it is deallocated.
public final class HTTPServer: Sendable {
    /// The limits of a server.
    public struct Limits: Sendable {
        /// The number of threads that answer requests.
        public var threads = 2
        /// The number of open connections. Further ones wait until others are closed.
        public var connections = 500
        /// The number of open connections of one client address; nil for no limit. Beyond it, the connection
        /// that has been idle for the longest time is closed.
        public var connectionsPerAddress: Int? = 100
        /// The memory for the head of a request, in bytes. A longer head is rejected.
        var headBytes = 16 << 10
        /// The time in seconds within which a connection must send a complete request.
        public var requestSeconds = 15
        /// The time in seconds within which a client must read some of a response.
        var idleSeconds = 30

        /// Creates the default limits.
        public init() {}
    }

    /// Answers a request. Called on the server's threads, several at once.
    public typealias Handler = @Sendable (ServedRequest) -> ServedResponse

    nonisolated(unsafe) private let server: OpaquePointer
    private let context: Unmanaged<ServerContext>
    /// True if GNU libmicrohttpd is available. The first access loads it.
    public static let isAvailable = rhumb_http_load()
    /// The address it listens on, such as "http://127.0.0.1:8080".
    public let address: String

    /// Starts a server.
    /// - Parameters:
    ///   - host: The IPv4 or IPv6 address to listen on.
    ///   - port: The port; 0 for any free one.
    /// - Throws: `ServerFailure`.
    public init(
        host: String = "127.0.0.1", port: UInt16, limits: Limits = Limits(), handler: @escaping Handler
    ) throws(ServerFailure) {
        guard HTTPServer.isAvailable else { throw .noLibrary }
        guard let endpoint = SocketAddress(host, port) else { throw .address(host) }
        let context = Unmanaged.passRetained(ServerContext(handler))
        let limits = rhumb_http_limits(
            threads: UInt32(limits.threads), connections: UInt32(limits.connections),
            connections_per_address: UInt32(limits.connectionsPerAddress ?? 0),
            head_bytes: limits.headBytes, request_seconds: UInt32(limits.requestSeconds),
            idle_seconds: UInt32(limits.idleSeconds))
        let server = endpoint.withPointer { address in
            rhumb_http_start(
                address, limits,
                { context, connection, url, method, state in
                    guard let context, let connection, let url, let method, let state else { return false }
                    return Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
                        .answer(connection, url, method, state)
                },
                { _, state in
                    if let state { Unmanaged<PendingResponse>.fromOpaque(state).release() }
                }, context.toOpaque())
        }
        guard let server else {
            context.release()
            throw .inUse(host, port, String(cString: strerror(errno)))
        }
        self.server = server
        self.context = context
        let name = host.contains(":") ? "[\(host)]" : host
        address = "http://\(name):\(rhumb_http_port(server))"
    }

    deinit {
        rhumb_http_stop(server)
        context.release()
    }
}

/// The reason why a server can't be started.
public enum ServerFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case noLibrary
    case address(String)
    case inUse(String, UInt16, String)

    public var description: String {
        switch self {
        case .noLibrary: "can't load libmicrohttpd.so.12, the HTTP server; install libmicrohttpd12"
        case .address(let host): "\(host) is not an IP address of this machine; use 127.0.0.1, 0.0.0.0 or ::"
        case .inUse(let host, let port, let reason):
            "can't listen on \(host), port \(port): \(reason); choose another port"
        }
    }
}

/// A response that is computed while its connection is suspended.
private final class PendingResponse: Sendable {
    let response = Mutex<ServedResponse?>(nil)
}

/// A suspended connection.
private struct Suspended: @unchecked Sendable {
    let connection: OpaquePointer
}

private final class ServerContext: Sendable {
    private let handler: HTTPServer.Handler

    init(_ handler: @escaping HTTPServer.Handler) { self.handler = handler }

    func answer(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Bool {
        if let pending = state.pointee {
            let response = Unmanaged<PendingResponse>.fromOpaque(pending).takeUnretainedValue().response
                .withLock { $0 }
            return (response ?? .empty(500)).queue(on: connection)
        }
        let request = ServedRequest(connection, String(cString: url), String(cString: method))
        let response = handler(request)
        guard let compute = response.compute else { return response.queue(on: connection) }
        let pending = PendingResponse()
        state.pointee = Unmanaged.passRetained(pending).toOpaque()
        let suspended = Suspended(connection: connection)
        rhumb_http_suspend(connection)
        Task {
            let computed = await compute()
            pending.response.withLock { $0 = computed }
            rhumb_http_resume(suspended.connection)
        }
        return true
    }
}

/// An IPv4 or IPv6 address with a port.
private struct SocketAddress {
    private var storage = sockaddr_storage()

    init?(_ host: String, _ port: UInt16) {
        var four = sockaddr_in(), six = sockaddr_in6()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { bytes in
                withUnsafeBytes(of: four) { bytes.copyMemory(from: $0) }
            }
        } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { bytes in
                withUnsafeBytes(of: six) { bytes.copyMemory(from: $0) }
            }
        } else {
            return nil
        }
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
