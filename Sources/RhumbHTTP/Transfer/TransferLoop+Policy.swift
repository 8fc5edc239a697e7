internal import RhumbCore
internal import RhumbEngine

/// The rules of the providers of the requested hosts, also after redirects.
extension TransferLoop {
    /// Returns the name by which requests take turns: the provider, regardless of its hosts, or else the
    /// server.
    func lane(of transfer: Transfer) -> String {
        options.providers.domain(ofOrigin: transfer.address.origin) ?? transfer.address.origin
    }

    /// Returns the refusal of a request to an address by a policy; nil if it is allowed.
    func policyRefusal(of request: HTTPRequest, at address: HTTPAddress, isRedirected: Bool) -> HTTPFailure? {
        if request.priority == .download, inbox.isMetered { return .fault(.metered, address) }
        guard let policy = options.providers.policy(ofOrigin: address.origin),
            let reason = policy.refusal(of: request.priority, isRedirected: isRedirected)
        else { return nil }
        let rules = policy.policyURL.map { " (\($0))" } ?? ""
        return HTTPFailure(
            .failed(.refused), retryAfter: .seconds(600),
            "\(address): \(reason)\(rules); use a source that allows it")
    }
}

extension SourcePolicy {
    /// Returns the reason to refuse a request; nil if it is allowed. The user's statement about downloads
    /// from one host does not apply to another.
    fileprivate func refusal(of priority: HTTPPriority, isRedirected: Bool) -> String? {
        switch priority {
        case .visible: nil
        case .prefetch: lookAhead ? nil : "its provider does not allow prefetching"
        case .download:
            offline == .denied || offline == .ask && isRedirected
                ? "its provider does not allow downloading areas" : nil
        }
    }
}
