internal import RhumbCore
internal import RhumbEngine

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
        let text = reference.description
        self.address = text.hasSuffix("/") ? String(text.dropLast()) : text
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
