public import RhumbEngine

/// The options of a client, for all servers.
public struct ClientOptions: Sendable {
    /// The user agent in requests.
    public var userAgent: UserAgent
    /// The known providers: their rules apply to every request to one of their hosts, also after a redirect.
    public var providers = Providers()
    /// The authorities that certify https servers.
    public var authorities = CertificateAuthorities()
    /// The limit of concurrent requests to all hosts.
    public var connections = 16
    /// Bytes a second that all downloads of regions may take together, as an average; nil: as many
    /// as come.
    public var downloadRate: Int?
    /// The time limit for a connection.
    public var connectTimeout = Duration.seconds(10)
    /// Without a byte; whole seconds.
    public var idleTimeout = Duration.seconds(15)
    /// One tile from the first to the last byte; documents and archives get twice that.
    public var timeout = Duration.seconds(30)
    /// A request for a host that wants to be left alone longer than this fails at once, saying
    /// how long; others wait.
    public var patience = Duration.seconds(2)
    /// Told on a thread of the client's own, in order, when the network is noticed to be gone and
    /// to be back.
    public var onNetworkChange: (@Sendable (NetworkState) -> Void)?
    /// Receives the server that has been silent for longest, each second from the fifth on, and nil once it
    /// sends something or has no request in flight. Called on the client's own thread, in order.
    public var onSilence: (@Sendable (ServerSilence?) -> Void)?

    /// The default limits, with a user agent.
    public init(userAgent: UserAgent) { self.userAgent = userAgent }
}

/// The network as the last requests found it.
public enum NetworkState: String, Sendable { case reachable, unreachable }
