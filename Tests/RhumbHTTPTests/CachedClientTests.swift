import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbTestSupport
import Testing

/// Tests the client between stores and transport, both in memory.
struct CachedClientTests {
    private let clock = ManualClock()
    private let store = MemoryStore()
    private let resource = WebResource(document: HTTPAddress("http://h.example/a?token=KEYMARKER"))

    private func client(
        _ control: String = "max-age=60", pinned: (any PinnedResponses)? = nil
    ) -> (CachedClient, ScriptedTransport) {
        let transport = ScriptedTransport { [clock] request, number in
            let headers: HTTPHeaders = ["Cache-Control": control, "ETag": "\"1\""],
                isKnown = request.validators.etag == "\"1\""
            return .success(
                .scripted(
                    isKnown ? 304 : 200, isKnown ? [] : [UInt8(number)], headers: headers, at: clock.date))
        }
        return (
            CachedClient(transport, stores: { [store] in (store, pinned) }, date: { [clock] in clock.date }),
            transport
        )
    }

    @Test func `a fresh response is requested once`() async throws {
        let (client, transport) = client()
        #expect(try await client.load(resource).origin == .server)
        let again = try await client.load(resource)
        #expect(again.origin == .stored(.cache) && again.body == [1] && again.failure == nil)
        #expect(transport.requests.count == 1 && store.counted(.download) == 1 && store.counted(.bytes) == 1)
    }

    @Test func `a stale response is revalidated, and then fresh again`() async throws {
        let (client, transport) = client()
        _ = try await client.load(resource)
        clock.advance(by: .seconds(100))
        #expect(try await client.load(resource).origin == .revalidated)
        #expect(try await client.load(resource).origin == .stored(.cache))
        #expect(
            transport.requests.map(\.validators.etag) == [nil, "\"1\""] && store.counted(.revalidation) == 1)
    }

    @Test(
        arguments: [
            (["ETag": "\"2\""], 2), (["ETag": "W/\"1\""], 1), ([:], 1),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], 2),
        ] as [(HTTPHeaders, UInt8)])
    func `a 304 for another version confirms nothing, and the resource is requested again`(
        validators: HTTPHeaders, version: UInt8
    ) async throws {
        let transport = ScriptedTransport { [clock] request, number in
            let isConditional = !request.validators.isEmpty
            var headers: HTTPHeaders =
                isConditional
                ? validators : ["ETag": "\"1\"", "Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"]
            headers.append("Cache-Control", "max-age=60")
            let body = isConditional ? [] : [number == 1 ? 1 : 2 as UInt8]
            return .success(.scripted(isConditional ? 304 : 200, body, headers: headers, at: clock.date))
        }
        let client = CachedClient(
            transport, stores: { [store] in (store, nil) }, date: { [clock] in clock.date })
        _ = try await client.load(resource)
        clock.advance(by: .seconds(100))
        let again = try await client.load(resource)
        #expect(again.body == [version] && again.origin == (version == 1 ? .revalidated : .server))
        #expect(transport.requests.count == (version == 1 ? 2 : 3))
    }

    @Test func `while offline nothing is sent, and a stale response is returned with the reason`()
        async throws
    {
        let (client, transport) = client()
        _ = try await client.load(resource)
        clock.advance(by: .seconds(100))
        transport.isOffline = true
        let kept = try await client.load(resource)
        #expect(kept.body == [1] && kept.failure?.failureClass == .offline && transport.requests.count == 1)
        let other = WebResource(document: HTTPAddress("http://h.example/b"))
        await #expect(throws: HTTPFailure.self) { try await client.load(other) }
        #expect(transport.requests.count == 1)
    }

    @Test func `pass-through resources are also requested while offline`() async throws {
        let (client, transport) = client()
        transport.isOffline = true
        var resource = resource
        resource.passesThrough = { true }
        #expect(try await client.load(resource).body == [1])
        #expect(transport.requests.map(\.passesThrough) == [true])
    }

    @Test func `a resource without a key is not stored`() async throws {
        let (client, transport) = client()
        var traffic = resource
        traffic.key = nil
        #expect(try await client.load(traffic).body == [1])
        #expect(try await client.load(traffic).body == [2])
        #expect(store.responses.isEmpty && transport.requests.count == 2)
        await #expect(throws: HTTPFailure.self) { try await client.load(traffic, .prefetch) }
        #expect(transport.requests.count == 2)
    }

    @Test func `a response that must not be stored is removed from the store`() async throws {
        let (first, _) = client(), (second, _) = client("no-store")
        _ = try await first.load(resource)
        #expect(store.responses.count == 1)
        let forbidden = try await second.load(resource, .reload)
        #expect(forbidden.origin == .revalidated && !forbidden.isStorable && store.responses.isEmpty)
    }

    @Test func `a region's copy is used where the cache has none`() async throws {
        let freshness = Freshness(receivedAt: clock.date, initialAge: 0, lifetime: 60)
        let (client, transport) = client(
            pinned: PinnedCopy(response: StoredResponse(body: [9], freshness: freshness)))
        let kept = try await client.load(resource)
        #expect(kept.body == [9] && kept.origin == .stored(.region) && transport.requests.isEmpty)
    }

    @Test func `stores are read off the shared threads`() async throws {
        let (client, _) = client()
        for _ in 0..<3 { _ = try await client.load(resource) }
        #expect(store.readsOnSharedThreads == 0)
    }

    // MARK: Ranges

    /// Returns a client for version 1 of a file whose bytes are 0, 1, 2, ….
    private func fileClient(_ control: String = "max-age=60") -> (CachedClient, ScriptedTransport) {
        let transport = ScriptedTransport { [clock] request, _ in
            guard let range = request.range else { return .failure(.cancelled) }
            let body = (range.offset..<range.offset + range.count).map { UInt8($0) }
            let headers: HTTPHeaders = ["ETag": "W/\"1\"", "Cache-Control": control]
            return .success(.scripted(206, body, headers: headers, at: clock.date))
        }
        return (
            CachedClient(transport, stores: { [store] in (store, nil) }, date: { [clock] in clock.date }),
            transport
        )
    }

    /// Loads two nearby sections.
    private func sections(
        _ client: CachedClient, version etag: String? = "\"1\""
    ) async throws(RangeFailure) -> [String: LoadedRange] {
        var batch = RangeBatch([
            (item: "b", section: FileSection(offset: 20, length: 5)),
            (item: "a", section: FileSection(offset: 10, length: 2)),
        ])
        let version = FileVersion(
            StoredResponse(
                body: [], freshness: Freshness(receivedAt: clock.date, initialAge: 0, lifetime: 0),
                headers: etag.map { ["ETag": $0] } ?? [:]), hash: "unstated")
        var found: [String: LoadedRange] = [:]
        try await client.load(
            &batch, of: version, limit: RangeLimit(), priority: .prefetch,
            range: { [resource] section in
                WebResource(
                    document: resource.address,
                    range: ByteRange(offset: section.offset, count: section.length))
            }
        ) { found[$0] = $1 }
        return found
    }

    @Test func `nearby sections are cut out of one response`() async throws {
        let (client, transport) = fileClient(), found = try await sections(client)
        #expect(found["a"]?.bytes == [10, 11] && found["b"]?.bytes == [20, 21, 22, 23, 24])
        #expect(transport.requests.map(\.range?.header) == ["bytes=10-24"])
        #expect(store.counted(.download) == 1)
    }

    @Test func `a section is used without a version only if the server never states one`() async throws {
        let transport = ScriptedTransport { [clock] _, _ in
            .success(.scripted(206, [UInt8](repeating: 7, count: 15), at: clock.date))
        }
        let client = CachedClient(transport, stores: { (nil, nil) }, date: { [clock] in clock.date })
        #expect(try await sections(client, version: nil).count == 2)
        await #expect {
            _ = try await sections(client)
        } throws: {
            if case .differs? = $0 as? RangeFailure { true } else { false }
        }
    }

    @Test func `a section of another version is never used`() async throws {
        let (client, _) = fileClient()
        await #expect {
            _ = try await sections(client, version: "\"2\"")
        } throws: {
            if case .differs? = $0 as? RangeFailure { true } else { false }
        }
    }

    @Test(arguments: [("max-age=60", true), ("no-store", false)])
    func `a body from a section is stored unless the server forbids it`(
        control: String, isStorable: Bool
    ) async throws {
        let (client, _) = fileClient(control), found = try await sections(client)
        let response = try #require(found["a"]).response([7], .tiles())
        #expect(response.isStorable == isStorable)
        #expect(response.stored.body == [7] && response.stored.dataVersion == "\"1\"")
    }
}

/// A store with the same copy for all resources.
private struct PinnedCopy: PinnedResponses {
    let response: StoredResponse

    func response(for key: ResourceKey) -> StoredResponse? { response }
    func editions(of origin: TileOrigin) -> [TileEdition] { [] }
    func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds) {}
}
