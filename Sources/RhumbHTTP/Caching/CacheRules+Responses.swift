package import RhumbCore
package import RhumbEngine

/// The action of a store after a request.
package enum StoreAction: Equatable, Sendable {
    case store(StoredResponse)
    /// Replace the freshness and the header fields of the copy; its body stays.
    case freshen(StoredResponse)
    case remove
    case none
}

extension CacheRules {
    /// The effects of a request's outcome.
    package struct Resolution: Sendable {
        /// The response for the caller.
        package let result: Result<CachedResponse, HTTPFailure>
        /// The change of the store.
        package let action: StoreAction
        package let events: [CacheCounter: Int]

        static func failed(_ failure: HTTPFailure, _ events: [CacheCounter: Int] = [:]) -> Resolution {
            Resolution(result: .failure(failure), action: .none, events: events)
        }
    }

    /// Returns the response for the caller and the action of the store after a request.
    /// - Parameter match: The copy whose validators were sent, or that may stand in for the response.
    package static func resolve(
        _ outcome: Result<HTTPResponse, HTTPFailure>, of request: HTTPRequest, for resource: WebResource,
        _ match: StoreMatch?, _ mode: FetchMode, at now: UnixSeconds
    ) -> Resolution {
        switch outcome {
        case .failure(let failure): return resolve(failure, resource, match, at: now)
        case .success(let response):
            if response.isNotModified, let match {
                return confirm(match, by: response, resource, mode, at: now)
            }
            if response.isAbsent, !resource.expected.isTile {
                return withoutDocument(response, request, resource, match, at: now)
            }
            if resource.expected == .archiveStart,
                let found = resource.expected.misfit(response.body, contentType: nil)
            {
                return resolve(.noArchive(found, resource.address, response), resource, match, at: now)
            }
            return take(response, request, resource, match, mode, at: now)
        }
    }

    private static func take(
        _ response: HTTPResponse, _ request: HTTPRequest, _ resource: WebResource, _ match: StoreMatch?,
        _ mode: FetchMode, at now: UnixSeconds
    ) -> Resolution {
        var new = StoredResponse(response, to: request, resource.storage)
        new.body = new.body.map(resource.secretMask.hidden)
        let events = [mode == .prefetch ? CacheCounter.prefetch : .download: 1, .bytes: response.wireBytes]
        guard response.verdict(for: request).isStorable else {
            let result = CachedResponse(
                new, of: resource, .unstorable, .server, received: response)
            return Resolution(result: .success(result), action: removal(match, mode), events: events)
        }
        // A user who downloaded a tile keeps it until the region is refreshed.
        if case .fill = mode, new.body == nil, let match, match.response.body != nil {
            let result = CachedResponse(
                match.response, of: resource, match.validity(at: now), .stored(match.location))
            return Resolution(result: .success(result), action: .none, events: events)
        }
        let result = CachedResponse(
            new, of: resource, StoreMatch(new, .cache).validity(at: now), .server, received: response)
        return Resolution(result: .success(result), action: .store(new), events: events)
    }

    /// Handles a 304. With `no-store` the copy is removed from the cache; regions keep theirs.
    private static func confirm(
        _ match: StoreMatch, by response: HTTPResponse, _ resource: WebResource, _ mode: FetchMode,
        at now: UnixSeconds
    ) -> Resolution {
        let confirmed = match.response.confirmed(by: response, resource.storage)
        let isOfOther = match.location == .otherEdition
        let origin: CachedResponse.Origin = isOfOther ? .carriedOver : .revalidated
        guard !response.forbidsStoring else {
            let result = CachedResponse(confirmed, of: resource, .unstorable, origin)
            return Resolution(
                result: .success(result), action: removal(match, mode), events: [.revalidation: 1])
        }
        let result = CachedResponse(
            confirmed, of: resource, StoreMatch(confirmed, .cache).validity(at: now), origin)
        // Only the cache's own copy has a body there.
        return Resolution(
            result: .success(result),
            action: match.location == .cache ? .freshen(confirmed) : .store(confirmed),
            events: [.revalidation: 1])
    }

    private static func removal(_ match: StoreMatch?, _ mode: FetchMode) -> StoreAction {
        match?.location == .cache && !mode.isDownload ? .remove : .none
    }

    /// Handles a document that the server doesn't have. A copy remains usable.
    private static func withoutDocument(
        _ response: HTTPResponse, _ request: HTTPRequest, _ resource: WebResource, _ match: StoreMatch?,
        at now: UnixSeconds
    ) -> Resolution {
        let result =
            if let match {
                CachedResponse(
                    match.response, of: resource, match.staleness(at: now), .stored(match.location),
                    failure: .gone(resource.address))
            } else {
                CachedResponse(
                    StoredResponse(response, to: request, resource.storage), of: resource, .unstorable,
                    .server)
            }
        return Resolution(result: .success(result), action: .none, events: [:])
    }

    private static func resolve(
        _ failure: HTTPFailure, _ resource: WebResource, _ match: StoreMatch?, at now: UnixSeconds
    ) -> Resolution {
        guard failure.kind != .cancelled else { return .failed(failure) }
        guard let match, standsIn(match, for: failure, resource, at: now) else {
            return .failed(failure, [.failure: 1])
        }
        let result = CachedResponse(
            match.response, of: resource, match.staleness(at: now), .stored(match.location), failure: failure)
        return Resolution(result: .success(result), action: .none, events: [.failure: 1])
    }

    /// Returns true if the copy is used because the request failed. Without a connection to the server every
    /// copy is used. After an error of the server a document is used, and a tile if `survivesErrors` is true.
    private static func standsIn(
        _ match: StoreMatch, for failure: HTTPFailure, _ resource: WebResource, at now: UnixSeconds
    ) -> Bool {
        guard match.location != .otherEdition else { return false }
        guard resource.expected.isTile else { return true }
        if failure.fault?.meansNoServer == true { return true }
        return survivesErrors(match, status: failure.status, at: now)
    }
}

extension HTTPResponse {
    /// True if the response or a redirect to it has the directive `no-store`.
    public var forbidsStoring: Bool { ([headers] + redirects).contains(where: CacheRules.forbidsStoring) }

    /// Returns the decision whether the response may be stored. A requested range counts as complete.
    package func verdict(for request: HTTPRequest) -> StorageVerdict {
        let status = status == 206 && request.range != nil ? 200 : status
        return forbidsStoring
            ? .no(.noStore) : .verdict(status: status, headers: headers, request: request.headers)
    }
}

extension StorageVerdict {
    /// True if the response or its absence may be stored.
    package var isStorable: Bool { if case .no = self { false } else { true } }
}

extension HTTPFailure {
    /// Returns the failure for a stored document that the server no longer has.
    static func gone(_ address: HTTPAddress) -> HTTPFailure {
        HTTPFailure(
            .failed(.permanent), status: 404,
            "\(address): the server no longer has this document; using the cached "
                + "copy")
    }

    /// True for `gone`.
    package var isGone: Bool { status == 404 }

    /// Returns the failure for a response that is neither an archive nor a GeoTIFF.
    /// - Parameter found: The content, as returned by `ExpectedContent.misfit`.
    fileprivate static func noArchive(
        _ found: String, _ address: HTTPAddress, _ response: HTTPResponse
    ) -> HTTPFailure {
        let isPage = found == ContentKind.html.rawValue
        return HTTPFailure(
            .failed(.badContent), fault: isPage ? .webPage : .badAnswer,
            "\(address): the server sends \(isPage ? "a web page" : found) instead of an archive; check the URL"
        )
    }
}

extension ExpectedContent {
    /// True for the content of map tiles.
    var isTile: Bool { self == .imageTile || self == .vectorTile }
}
