package import RhumbCore
package import RhumbEngine
package import RhumbHTTP

/// By which rules a service on the web is asked, be it for routes or for places.
package struct ServiceAccess: Sendable {
    /// Requests of the same id keep a pace together.
    package let rules: SourceRules
    /// The source whose rules a person must agree to first; nil: none.
    package let agreement: (source: String, rules: String)?

    /// A service that asks for no agreement.
    package init(_ rules: SourceRules) { (self.rules, agreement) = (rules, nil) }

    /// A service of the list of sources.
    package init(_ source: SourceDefinition, _ rules: SourceRules) {
        self.rules = rules
        agreement = source.policy.needsAgreement ? (source.id, source.policy.policyURL ?? "") : nil
    }

    /// Puts one question.
    /// - Parameters:
    ///   - passes: whether the network may be used although Rhumb is offline.
    ///   - timeout: how long the service may think.
    /// - Returns: the answer; nil where there is no such service at the address.
    package func answer(
        _ address: HTTPAddress, by client: HTTPClient, passes: Bool, within timeout: Duration
    ) async throws(HTTPFailure) -> [UInt8]? {
        let answer = try await client.send(
            HTTPRequest(service: address, rules: rules, passes: passes, within: timeout))
        return answer.isAbsent ? nil : answer.body
    }
}

extension HTTPRequest {
    /// A question to a service, for whose answer a person waits.
    /// - Parameter rules: nil: those of its host.
    package init(
        service address: HTTPAddress, rules: SourceRules? = nil, passes: Bool, within timeout: Duration
    ) {
        self.init(address, expecting: .document, priority: .visible(view: .max), rules: rules)
        passesThrough = passes
        self.timeout = timeout
    }
}
