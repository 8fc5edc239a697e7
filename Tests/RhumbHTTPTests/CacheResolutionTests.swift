import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbTestSupport
import Testing

/// Tests the table that determines how an outcome is stored and returned. Needs no server, clock or store.
struct CacheResolutionTests {
    private static let now = UnixSeconds(1_000_000)
    private static let key = ResourceKey.document("tile")

    enum Content: Sendable { case tile, document }

    private static func resource(_ content: Content) -> WebResource {
        let address = HTTPAddress("http://h.example/a?token=KEYMARKER")
        return content == .tile ? WebResource(tile: address, key: key) : WebResource(document: address)
    }

    private static func response(
        _ status: Int = 200, _ headers: HTTPHeaders = ["Cache-Control": "max-age=1000"],
        _ body: [UInt8] = [2],
        redirects: [HTTPHeaders] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers, body: [204, 304, 404, 410].contains(status) ? [] : body,
            requestedAt: now,
            receivedAt: now, wireBytes: body.count, redirects: redirects)
    }

    private static func copy(
        _ place: StoreMatch.Location, body: [UInt8]? = [1], control: String = "max-age=10"
    ) -> StoreMatch {
        let received = now.adding(-100), headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"1\""]
        let freshness = Freshness(
            headers: headers, requestedAt: received, receivedAt: received, policy: .tiles())
        return StoreMatch(StoredResponse(body: body, freshness: freshness, headers: headers), place)
    }

    private static func resolve(
        _ outcome: Result<HTTPResponse, HTTPFailure>, _ content: Content, _ match: StoreMatch?,
        _ mode: FetchMode = .show,
        request headers: HTTPHeaders = [:]
    ) -> CacheRules.Resolution {
        let resource = resource(content)
        var request = HTTPRequest(resource)
        request.headers = headers
        return CacheRules.resolve(outcome, of: request, for: resource, match, mode, at: now)
    }

    private static let noStore: HTTPHeaders = ["Cache-Control": "no-store, max-age=1000"]
    private static let downloads: [FetchMode] = [.fill(acceptsExpired: false), .refresh(olderThan: nil)]

    @Test(arguments: [200, 203], [Content.tile, .document])
    func `a complete response is stored and returned`(status: Int, content: Content) throws {
        for mode in [.show, .prefetch, .reload] + Self.downloads {
            let resolution = Self.resolve(.success(Self.response(status)), content, Self.copy(.cache), mode)
            let result = try resolution.result.get()
            #expect(
                result.body == [2] && result.origin == .server
                    && result.validity == .fresh(until: Self.now.adding(1000)))
            #expect(resolution.action == .store(result.stored))
            #expect(resolution.events == [mode == .prefetch ? .prefetch : .download: 1, .bytes: 1])
        }
    }

    @Test func `a requested range counts as complete, and an unrequested one doesn't`() throws {
        var resource = Self.resource(.document)
        for (range, isStored) in [(ByteRange(offset: 3, count: 1), true), (nil, false)] {
            resource.range = range
            let resolution = CacheRules.resolve(
                .success(Self.response(206)), of: HTTPRequest(resource), for: resource, nil, .show,
                at: Self.now)
            #expect(try resolution.result.get().isStorable == isStored)
            #expect((resolution.action != .none) == isStored)
        }
    }

    /// The directive is in the response, in a redirect to it, or in the request.
    private static let forbidden: [(HTTPResponse, HTTPHeaders)] = [
        (response(200, noStore), [:]), (response(redirects: [noStore]), [:]), (response(), noStore),
        (response(404, noStore), [:]),
    ]

    @Test(arguments: forbidden)
    func `a response that must not be stored removes the copy from the cache and preserves that of a region`(
        response: HTTPResponse, request: HTTPHeaders
    ) throws {
        let cache = Self.resolve(.success(response), .tile, Self.copy(.cache), request: request)
        #expect(cache.action == .remove)
        #expect(try cache.result.get().validity == .unstorable && cache.result.get().origin == .server)
        #expect(Self.resolve(.success(response), .tile, nil, request: request).action == .none)
        for mode in Self.downloads {
            let region = Self.resolve(.success(response), .tile, Self.copy(.region), mode, request: request)
            #expect(try region.action == .none && !region.result.get().isStorable)
        }
    }

    @Test func `documents are stored without secrets, and returned with them`() throws {
        let body = Array(#"{"tiles":["/{z}?token=KEYMARKER"]}"#.utf8)
        let result = try Self.resolve(.success(Self.response(200, [:], body)), .document, nil).result.get()
        #expect(result.body == body)
        #expect(!String(decoding: result.stored.body ?? [], as: UTF8.self).contains("KEYMARKER"))
    }

    @Test(arguments: [204, 404, 410]) func `an absent tile is stored as absent`(status: Int) throws {
        for mode in [.show, .refresh(olderThan: nil)] as [FetchMode] {
            let resolution = Self.resolve(.success(Self.response(status)), .tile, Self.copy(.region), mode)
            #expect(
                try resolution.result.get().body == nil
                    && resolution.action == .store(resolution.result.get().stored))
        }
    }

    @Test(arguments: [204, 404, 410]) func `a body that a region has stays until a refresh`(
        status: Int
    ) throws {
        let mode = FetchMode.fill(acceptsExpired: false)
        let kept = Self.resolve(.success(Self.response(status)), .tile, Self.copy(.region), mode)
        #expect(try kept.action == .none && kept.result.get().body == [1])
        let new = Self.resolve(.success(Self.response(status)), .tile, Self.copy(.region, body: nil), mode)
        #expect(try new.action == .store(new.result.get().stored))
    }

    @Test(arguments: [204, 404, 410]) func `an absent document is not stored, and its copy is used`(
        status: Int
    ) throws {
        let kept = Self.resolve(.success(Self.response(status)), .document, Self.copy(.cache))
        let result = try kept.result.get()
        #expect(
            kept.action == .none && kept.events.isEmpty && result.body == [1]
                && result.failure?.isGone == true)
        let none = Self.resolve(.success(Self.response(status)), .document, nil)
        #expect(try none.action == .none && none.result.get().body == nil)
    }

    @Test(arguments: [Content.tile, .document]) func `a 304 freshens the copy`(content: Content) throws {
        let response = Self.response(304, ["Cache-Control": "max-age=50"])
        for (match, mode) in [(Self.copy(.cache), .show), (Self.copy(.region), .refresh(olderThan: nil))]
            as [(StoreMatch, FetchMode)]
        {
            let resolution = Self.resolve(.success(response), content, match, mode)
            let result = try resolution.result.get()
            #expect(
                result.body == [1] && result.origin == .revalidated
                    && result.validity == .fresh(until: Self.now.adding(50)))
            // The cache has no body of a region's copy to freshen.
            #expect(
                resolution.action
                    == (match.location == .cache ? .freshen(result.stored) : .store(result.stored))
                    && resolution.events == [.revalidation: 1])
            #expect(result.headers["ETag"] == "\"1\"" && result.headers["Cache-Control"] == "max-age=50")
        }
    }

    @Test(
        arguments: [response(304, noStore), response(304, redirects: [noStore])], [Content.tile, .document])
    func `a 304 with no-store removes the copy from the cache and preserves that of a region`(
        response: HTTPResponse, content: Content
    ) throws {
        let cache = Self.resolve(.success(response), content, Self.copy(.cache))
        #expect(
            try cache.action == .remove && cache.result.get().body == [1] && !cache.result.get().isStorable)
        for mode in Self.downloads {
            let region = Self.resolve(.success(response), content, Self.copy(.region), mode)
            #expect(try region.action == .none && !region.result.get().isStorable)
        }
    }

    @Test func `a 304 for another edition's validators stores the copy for this one`() throws {
        let resolution = Self.resolve(.success(Self.response(304)), .tile, Self.copy(.otherEdition))
        let result = try resolution.result.get()
        #expect(
            result.origin == .carriedOver && result.body == [1] && resolution.action == .store(result.stored))
        let forbidden = Self.resolve(
            .success(Self.response(304, Self.noStore)), .tile, Self.copy(.otherEdition))
        #expect(forbidden.action == .none)
    }

    // MARK: Failures

    private static let address = HTTPAddress("http://h.example/a")
    private static let refusal = HTTPFailure(.failed(.refused), status: 403, "refused")
    private static let unreachable: [HTTPFailure] = [
        .offline(address), .fault(.nameNotFound, address), .fault(.connectionRefused, address),
        .fault(.connectionLost, address),
        .fault(.timedOut, address),
    ]
    private static let errors = [
        refusal, .fault(.badAnswer, address), HTTPFailure(.failed(.transient), status: 503, "busy"),
    ]

    @Test(arguments: unreachable, [StoreMatch.Location.cache, .region])
    func `without a server a copy is used, whatever it demands`(
        failure: HTTPFailure, place: StoreMatch.Location
    ) throws {
        for content in [Content.tile, .document] {
            let match = Self.copy(place, control: "max-age=10, must-revalidate")
            let resolution = Self.resolve(.failure(failure), content, match)
            let result = try resolution.result.get()
            #expect(
                result.body == [1] && result.failure == failure
                    && result.validity == .stale(since: Self.now.adding(-90)))
            #expect(resolution.action == .none && resolution.events == [.failure: 1])
        }
    }

    @Test(arguments: errors) func `a server error counts for a tile, and not for a document`(
        failure: HTTPFailure
    ) throws {
        #expect(Self.resolve(.failure(failure), .tile, Self.copy(.cache)).result == .failure(failure))
        let resolution = Self.resolve(.failure(failure), .document, Self.copy(.cache))
        #expect(try resolution.result.get().failure == failure && resolution.result.get().body == [1])
        #expect(resolution.action == .none && resolution.events == [.failure: 1])
    }

    @Test(arguments: errors)
    func `a tile that only the user marked as outdated is used when the server fails`(
        failure: HTTPFailure
    ) {
        for (control, isUsed) in [("max-age=1000", true), ("max-age=10", true), ("no-cache", false)] {
            var reloaded = Self.copy(.region, control: control),
                invalidated = Self.copy(.cache, control: control)
            reloaded.isReloaded = true
            invalidated.response.isInvalidated = true
            for match in [reloaded, invalidated] {
                let result = Self.resolve(.failure(failure), .tile, match).result
                #expect((result != .failure(failure)) == isUsed, "\(control)")
            }
        }
    }

    @Test(arguments: unreachable + errors)
    func `without a copy, or with another edition's, the request fails`(failure: HTTPFailure) {
        for match in [nil, Self.copy(.otherEdition)] {
            let resolution = Self.resolve(.failure(failure), .tile, match)
            #expect(
                resolution.result == .failure(failure) && resolution.action == .none
                    && resolution.events == [.failure: 1])
        }
    }

    @Test(arguments: [Content.tile, .document]) func `a cancelled request fails and is not counted`(
        content: Content
    ) {
        let resolution = Self.resolve(.failure(.cancelled), content, Self.copy(.cache))
        #expect(
            resolution.result == .failure(.cancelled) && resolution.action == .none
                && resolution.events.isEmpty)
    }
}
