internal import Glibc
public import RhumbEngine

/// The options of a client, for all servers.
public struct ClientOptions: Sendable {
    /// The user agent in requests.
    public var userAgent: UserAgent
    /// The known providers: their rules apply to every request to one of their hosts, also after a redirect.
    public var providers = Providers()
    /// The authorities that certify https servers.
    public var authorities = CertificateAuthorities()
    /// The credentials and the endpoint for addresses of object stores.
    public var objectStores = S3Configuration()
    /// The caching proxy for all sources without one of their own; nil for none.
    public var cacheProxy: CacheProxy?
    /// If true, the sources are not asked directly while their caching proxy is down.
    public var requiresCacheProxy = false
    /// The file with the failures that the user's processes share, so that a repeated command does not
    /// request a failing address more often than one process would; nil to share none.
    public var failureFile: String?
    /// Receives problems of servers and caching proxies, each once, on any thread.
    public var onServerProblem: (@Sendable (ServerProblem) -> Void)?
    /// The limit of concurrent requests to all hosts.
    public var connections = 16
    /// The maximum average rate of all region downloads together, in bytes per second; nil for no limit.
    public var downloadRate: Int?
    /// The time limit for a connection.
    public var connectTimeout = Duration.seconds(10)
    /// The time limit without any byte, or with less than 16 bytes a second, in whole seconds.
    public var idleTimeout = Duration.seconds(15)
    /// The time limit for one tile; documents and archives get twice as much.
    public var timeout = Duration.seconds(30)
    /// A request to a host that is paused longer than this fails at once and reports the pause; others wait.
    var pauseLimit = Duration.seconds(2)
    /// Receives changes of the network state, in order, on the client's own thread.
    public var onNetworkChange: (@Sendable (NetworkState) -> Void)?
    /// Receives the server that has been silent for longest, each second from the fifth on, and nil once it
    /// sends something or has no request in flight. Called on the client's own thread, in order.
    public var onSilence: (@Sendable (ServerSilence?) -> Void)?

    /// Creates the default options with a user agent.
    public init(userAgent: UserAgent) { self.userAgent = userAgent }
}

/// The state of the network according to the last requests.
public enum NetworkState: String, Sendable { case reachable, unreachable }

/// The authorities that certify servers, in addition to the system's list or instead of it.
public struct CertificateAuthorities: Sendable, Equatable {
    /// A PEM file with their certificates; nil for the system's.
    public var file: String?
    /// A folder of PEM files named by hash as by openssl-rehash(1), or several folders separated by colons.
    public var folder: String?

    /// Creates authorities from a file, from a folder, or from the system.
    public init(file: String? = nil, folder: String? = nil) { (self.file, self.folder) = (file, folder) }

    /// Reads the authorities from the environment like curl: `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE` and
    /// `SSL_CERT_DIR`.
    /// - Parameter named: A file that was named in another way and takes precedence.
    public init(_ environment: [String: String], named: String? = nil) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let file = named ?? value("CURL_CA_BUNDLE") {
            self.init(file: file)
        } else {
            self.init(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
        }
    }

    /// The first file or folder that can't be read; nil if all can.
    public var unreadable: String? {
        let folders = folder?.split(separator: ":").map(String.init) ?? []
        return ([file].compactMap { $0 } + folders).first { access($0, R_OK) != 0 }
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least 1.
    var milliseconds: Int {
        let parts = components
        let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? Int.max : Int(max(1, whole + parts.attoseconds / 1_000_000_000_000_000))
    }

    /// The duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
