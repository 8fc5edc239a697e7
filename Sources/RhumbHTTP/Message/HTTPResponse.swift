public import RhumbCore
internal import RhumbEngine

/// A complete response of a server.
public struct HTTPResponse: Equatable, Sendable {
    /// The status: 200, 203, 204, 206, 304, 404 or 410.
    public let status: Int
    /// The header fields of the response.
    public let headers: HTTPHeaders
    /// The body, decompressed if it had a content coding.
    public let body: [UInt8]
    /// The time just before the request was sent.
    public let requestedAt: UnixSeconds
    /// The time at which the last byte arrived.
    public let receivedAt: UnixSeconds
    /// The size of the body as transferred, in bytes.
    public let wireBytes: Int
    /// The headers of the redirects, in order. A response lives no longer than the shortest-lived of them.
    public let redirects: [HTTPHeaders]
    /// The body of a vector tile as it was transferred, if that is gzip; nil otherwise.
    package var packedBody: [UInt8]?

    /// True if the stored response is still valid.
    public var isNotModified: Bool { status == 304 }
    /// True if the resource does not exist.
    public var isAbsent: Bool { status == 204 || status == 404 || status == 410 }
    /// The validators for a later revalidation.
    public var validators: Validators { Validators(of: headers) }

    /// Returns true if a 304 is for the version that these validators were sent for (RFC 9111, 4.3.4). The
    /// ETag decides if both have one. A 304 without validators is for the requested version.
    func confirms(_ sent: Validators) -> Bool {
        if let tag = validators.etag, let sentTag = sent.etag {
            return HTTPResponse.opaque(tag) == HTTPResponse.opaque(sentTag)
        }
        guard let date = validators.lastModified, let sentDate = sent.lastModified else { return true }
        return date == sentDate
    }

    /// Returns an ETag without its mark as weak.
    private static func opaque(_ tag: String) -> Substring { tag.dropFirst(tag.hasPrefix("W/") ? 2 : 0) }

    /// Returns its freshness.
    /// - Parameters:
    ///   - stored: The stored headers that a 304 updates.
    ///   - status: The stored status that a 304 updates.
    public func freshness(
        _ policy: StoragePolicy, updating stored: HTTPHeaders? = nil, status storedStatus: Int? = nil
    ) -> Freshness {
        func freshness(_ headers: HTTPHeaders) -> Freshness {
            Freshness(
                headers: headers, status: storedStatus ?? status, requestedAt: requestedAt,
                receivedAt: receivedAt, policy: policy)
        }
        var result = freshness(stored?.updated(by: headers) ?? headers)
        for hop in redirects where CacheControl(of: hop).maxAge != nil || hop.first("Expires") != nil {
            result.lifetime = min(result.lifetime, freshness(hop).lifetime)
        }
        return result
    }

    /// Returns the response to a request for a part of the file that this response contains whole.
    package func part(_ body: [UInt8]) -> HTTPResponse {
        var headers = headers
        headers.removeAll("Accept-Ranges")
        headers.append("Accept-Ranges", "none")
        return HTTPResponse(
            status: 206, headers: headers, body: body, requestedAt: requestedAt, receivedAt: receivedAt,
            wireBytes: body.count, redirects: redirects)
    }
}

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
