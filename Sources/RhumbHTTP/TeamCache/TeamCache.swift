internal import RhumbCore
internal import RhumbEngine

/// The requests that go through a caching proxy. It belongs to the transfer thread.
struct TeamCache {
    /// The proxy of all sources without one of their own; nil for none.
    let proxy: CacheProxy?
    /// Receives each problem once.
    let onProblem: (@Sendable (ServerProblem) -> Void)?
    /// The times at which proxies that are down are tried again, and the current waits, in seconds.
    private var pauses: [CacheProxy: (end: Double, wait: Double)] = [:]
    private var reported: Set<String> = []
    /// The first and the longest wait before a proxy is tried again, in seconds.
    private static let waits = 5.0...60.0

    init(_ proxy: CacheProxy?, onProblem: (@Sendable (ServerProblem) -> Void)?) {
        self.proxy = proxy
        self.onProblem = onProblem
    }

    /// Returns the proxy for a request; nil if its responses must not be shared, or there is none.
    /// - Parameter policy: The policy of the host's provider; nil if it is unknown.
    func proxy(for request: HTTPRequest, at address: HTTPAddress, _ policy: SourcePolicy?) -> CacheProxy? {
        guard request.rules.allowsSharedCache, policy?.sharedCache ?? true, request.secretHeaders.isEmpty,
            let proxy = request.rules.cacheProxy.map(CacheProxy.init) ?? proxy,
            SecretMask.secrets(address, request.headers).isEmpty,
            proxy.isLoopback || !address.isLoopback
        else { return nil }
        return proxy
    }

    /// Returns true if the proxy was down a short time ago.
    func isPaused(_ proxy: CacheProxy, now: Double) -> Bool { pauses[proxy].map { $0.end > now } ?? false }

    /// Notes that a proxy is down. Each outage is reported once.
    mutating func pause(_ proxy: CacheProxy, _ cause: String, now: Double) {
        let pause = pauses[proxy]
        // Requests in flight fail together.
        guard pause.map({ $0.end <= now }) ?? true else { return }
        let wait = pause.map { min($0.wait * 2, TeamCache.waits.upperBound) } ?? TeamCache.waits.lowerBound
        pauses[proxy] = (now + wait, wait)
        if pause == nil { onProblem?(.down(proxy, cause)) }
    }

    /// Checks the header fields of a proxy's response.
    mutating func receive(
        _ headers: HTTPHeaders, _ request: HTTPRequest, from proxy: CacheProxy, at date: UnixSeconds
    ) {
        pauses[proxy] = nil
        if headers.first("Cache-Control") != nil || headers.first("Expires") != nil {
            let freshness = Freshness(
                headers: headers, requestedAt: date, receivedAt: date, policy: .documents)
            let excess = freshness.age(at: date).saturatingSubtract(freshness.lifetime)
            if excess > 3600, !freshness.alwaysRevalidate {
                report(.expired(proxy, since: excess), "expired \(proxy)")
            }
        }
        if !request.validators.isEmpty, Validators(of: headers).isEmpty {
            report(.unvalidated(proxy), "unvalidated \(proxy)")
        }
    }

    private mutating func report(_ problem: ServerProblem, _ key: String) {
        if reported.insert(key).inserted { onProblem?(problem) }
    }
}

/// A caching proxy that a team shares. It receives each server's address in its path, such as
/// `https://cache.example/https/tiles.example/1/0/0.png`.
public struct CacheProxy: Sendable, Hashable, CustomStringConvertible {
    /// The address without a slash at its end.
    public let address: String

    /// Creates a proxy.
    /// - Parameter address: An http or https address without a user and a query; nil is returned for others.
    public init?(_ address: String) {
        let reference = URLReference(address)
        guard ["http", "https"].contains(reference.scheme), reference.host?.isEmpty == false,
            reference.userInfo == nil, reference.query == nil, reference.fragment == nil
        else { return nil }
        self.address = reference.description.withoutFinalSlash
    }

    public var description: String { SafeText.sanitised(address, limit: 100) }

    /// Returns the address of a server's resource in the proxy; nil if it is not an http or https address.
    func url(for address: HTTPAddress) -> String? {
        guard let (scheme, rest) = CacheProxy.parts(of: address.url) else { return nil }
        return "\(self.address)/\(scheme)/\(rest)"
    }

    private static func parts(of url: String) -> (scheme: String, rest: Substring)? {
        for scheme in ["https", "http"] where url.hasPrefix(scheme + "://") {
            return (scheme, url.dropFirst(scheme.utf8.count + 3))
        }
        return nil
    }

    /// True if the proxy runs on this machine, so that it reaches the machine's own servers.
    var isLoopback: Bool { URLReference(address).isLoopback }
}

extension ServerProblem {
    static func down(_ proxy: CacheProxy, _ cause: String) -> ServerProblem {
        ServerProblem(
            description: "the caching proxy \(proxy) is down (\(cause)); the sources are asked directly")
    }

    static func expired(_ proxy: CacheProxy, since seconds: Int64) -> ServerProblem {
        ServerProblem(
            description: "the caching proxy \(proxy) sends data that expired \(AmountText.age(seconds)) ago; "
                + "the source may be down, or the proxy never revalidates")
    }

    static func unvalidated(_ proxy: CacheProxy) -> ServerProblem {
        ServerProblem(
            description: "the caching proxy \(proxy) removes ETag and Last-Modified, so unchanged data is "
                + "transferred again; check its configuration")
    }
}
