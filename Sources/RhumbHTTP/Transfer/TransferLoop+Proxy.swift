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
