internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The requests through caching proxies.
extension TransferLoop {
    /// Decides whether the next request of a transfer goes through a caching proxy.
    /// - Returns: False if the proxy is down, and no other server may be asked.
    func chooseProxy(for transfer: Transfer) -> Bool {
        transfer.proxy = nil
        guard !transfer.isDirect, !S3Client.isAddress(transfer.address.url),
            let proxy = teamCache.proxy(
                for: transfer.request, at: transfer.address,
                options.providers.policy(ofOrigin: transfer.address.origin))
        else { return true }
        if teamCache.isPaused(proxy, now: now) { return !options.requiresCacheProxy }
        transfer.proxy = proxy
        return true
    }

    /// Returns true if the request must be repeated without its caching proxy: the proxy is down, does not
    /// serve the host, or can't reach it.
    func avoidsProxy(_ transfer: Transfer, _ fault: TransportFault?, _ status: Int) -> Bool {
        guard let proxy = transfer.proxy else { return false }
        if let fault {
            guard fault.meansNoProxy, transfer.mayOpenSocket else { return false }
            teamCache.pause(proxy, fault.cause, now: now)
        } else if ![403, 421, 502, 503, 504].contains(status) {
            teamCache.receive(transfer.headers, transfer.request, from: proxy, at: clock.date())
            return false
        }
        // Bytes that were passed on can't be taken back.
        guard !options.requiresCacheProxy, transfer.delivered == 0 else { return false }
        transfer.isDirect = true
        return true
    }
}

extension TransportFault {
    /// True if the caching proxy itself can't be used.
    fileprivate var meansNoProxy: Bool {
        switch self {
        case .nameNotFound, .connectionRefused, .connectionLost, .timedOut, .noNetwork, .tlsFailed,
            .certificate:
            true
        default: false
        }
    }

    /// The fault in a few words.
    fileprivate var cause: String {
        switch self {
        case .nameNotFound: "unknown host"
        case .connectionRefused: "connection refused"
        case .timedOut: "timed out"
        case .tlsFailed, .certificate: "no secure connection"
        default: "connection lost"
        }
    }
}

extension HTTPFailure {
    /// Returns the failure of a request that only a caching proxy may answer.
    static func withoutProxy(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.transient), fault: .connectionRefused,
            "\(address): the caching proxy is down, and only the proxy may be asked; try again later")
    }
}

/// The proxy that curl takes from the environment. curl doesn't tell which one it used.
enum SystemProxy {
    /// Returns the proxy for a request, without its user and password; nil for none.
    static func name(for url: String, environment: (String) -> String? = variable) -> String? {
        // Most environments have no proxy, and the address of each request would be parsed for nothing.
        guard variables.contains(where: { environment($0) != nil }) else { return nil }
        let reference = URLReference(url)
        guard let scheme = reference.scheme, let host = reference.host, !isExempt(host, environment) else {
            return nil
        }
        // The environment of CGI programs has a variable HTTP_PROXY that a request can set.
        let names = ["\(scheme)_proxy"] + (scheme == "http" ? [] : ["\(scheme)_proxy".uppercased()])
        let found = (names + ["all_proxy", "ALL_PROXY"]).firstNonNil(environment)
        return found.map { HTTPAddress($0.contains("://") ? $0 : "http://" + $0).description }
    }

    /// The variables that can name the proxy of a web address.
    private static let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

    private static func isExempt(_ host: String, _ environment: (String) -> String?) -> Bool {
        let list = environment("no_proxy") ?? environment("NO_PROXY") ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { item in
            let name = item.lowercased().drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
