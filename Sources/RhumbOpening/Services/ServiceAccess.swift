package import RhumbCore
package import RhumbEngine
package import RhumbHTTP

/// The rules for requests to a web service, for routes or places.
package struct ServiceAccess: Sendable {
    /// The rules of the service. Requests with rules of the same id share a rate limit.
    package let rules: SourceRules
    /// The source whose rules the user must accept first, and the address of the rules; nil for none.
    package let agreement: (source: String, rules: String)?

    /// Creates the rules of a service that needs no agreement.
    package init(_ rules: SourceRules) {
        self.rules = ServiceAccess.personal(rules)
        agreement = nil
    }

    /// Creates the rules of a service from the list of sources.
    package init(_ source: SourceDefinition, _ rules: SourceRules) {
        self.rules = ServiceAccess.personal(rules)
        agreement = source.policy.needsAgreement ? (source.id, source.policy.policyURL ?? "") : nil
    }

    /// Returns the rules for personal queries, which no shared cache may see.
    private static func personal(_ rules: SourceRules) -> SourceRules {
        var rules = rules
        rules.allowsSharedCache = false
        return rules
    }

    /// Sends one request.
    /// - Parameters:
    ///   - passes: True to use the network even if Rhumb is offline.
    ///   - timeout: The time limit for the response.
    /// - Returns: The response's body; nil if there is no such service at the address.
    package func answer(
        _ address: HTTPAddress, by client: HTTPClient, passes: Bool, within timeout: Duration
    ) async throws(HTTPFailure) -> [UInt8]? {
        let answer = try await client.send(
            HTTPRequest(service: address, rules: rules, passes: passes, within: timeout))
        return answer.isAbsent ? nil : answer.body
    }
}

extension HTTPRequest {
    /// Creates a request to a service, for a user who waits for the response.
    /// - Parameter rules: The service's rules; nil for those of its host.
    package init(
        service address: HTTPAddress, rules: SourceRules? = nil, passes: Bool, within timeout: Duration
    ) {
        self.init(address, expecting: .document, priority: .visible(view: .max), rules: rules)
        passesThrough = passes
        self.timeout = timeout
    }
}
