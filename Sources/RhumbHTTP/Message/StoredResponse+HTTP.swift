package import RhumbCore
internal import RhumbEngine

/// The storage and update of responses, the same for tiles, documents and ranges.
extension StoredResponse {
    /// Creates the stored form of a complete response.
    package init(_ response: HTTPResponse, to request: HTTPRequest, _ policy: StoragePolicy) {
        self.init(
            body: response.isAbsent ? nil : response.body, freshness: response.freshness(policy),
            headers: response.headers)
        variant = Vary(of: response.headers).key(for: request.headers)
    }

    /// Returns the response after a server has confirmed it (RFC 9111, 4.3.4).
    package func confirmed(by response: HTTPResponse, _ policy: StoragePolicy) -> StoredResponse {
        var confirmed = self
        confirmed.freshness = response.freshness(policy, updating: headers, status: body == nil ? 404 : 200)
        confirmed.headers = StoredResponse.storable(headers.updated(by: response.headers))
        confirmed.omits = omits
        confirmed.isInvalidated = false
        return confirmed
    }

    /// Returns true if it matches a request with these header fields (RFC 9111, 4.1).
    package func answers(_ fields: HTTPHeaders) -> Bool {
        let vary = Vary(of: headers)
        return !vary.matchesNothing && vary.key(for: fields) == variant
    }
}
