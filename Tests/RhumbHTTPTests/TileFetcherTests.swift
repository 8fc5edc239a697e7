import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

/// A store whose disk is slower than the network, until `widen` is called.
private final class CrowdedStore: ResponseStore {
    private let room = AsyncStream<Never>.makeStream()
    private let hasWaiter = Atomic(false)

    var isWaitedFor: Bool { hasWaiter.load(ordering: .acquiring) }
    func widen() { room.continuation.finish() }
    func waitForRoom() async {
        hasWaiter.store(true, ordering: .releasing)
        for await _ in room.stream {}
    }
    func response(for key: ResourceKey) -> StoredResponse? { nil }
    func store(_ response: StoredResponse, for key: ResourceKey) {}
    func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders) {}
    func forget(_ key: ResourceKey) {}
    func count(_ event: CacheCounter, _ number: Int) {}
}

struct CrowdedStoreTests {
    @Test func `visible tiles arrive while the store has no room, and prefetched ones wait`()
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackReply(200, picture()) }, store = CrowdedStore()
        let fetcher = CachedTileFetcher(try HTTPClient.forTests(), store: store)
        let layer = try CachedFixture.source(server).layer(id: "web")
        async let ahead = fetcher.fetch(
            WantedTile(layer: layer, tile: .world, urgency: .prefetch), holdsStored: false)
        #expect(await eventually { store.isWaitedFor })
        _ = try await fetcher.fetch(
            WantedTile(layer: layer, tile: .world, urgency: .visible(view: 1)), holdsStored: false)
        #expect(server.requestCount == 1)
        store.widen()
        _ = try await ahead
        #expect(server.requestCount == 2)
    }
}

struct TileFetcherTests {
    private func source(_ server: LoopbackServer, key: String = "MARKER") throws -> WebTileSource {
        var definition = SourceDefinition(
            id: "web", name: "Web", addresses: [server.url("/{z}/{x}/{y}.png?key={key}&a=1")])
        definition.zooms = 0...3
        definition.policy.connections = 2
        definition.headers = ["X-Key": "MARKER"]
        let list = try SourceList.parse(
            Array(
                #"{"sources":[{"id":"k","url":"https://h/{z}/{x}/{y}","keys":{"key":{"environment":"K"}}}]}"#
                    .utf8))
        definition.keys = list[0].keys
        definition.bindKeys()
        return try WebTileSource(definition, environment: { $0 == "K" ? key : nil })
    }

    @Test func `the engine shows the tiles that a server sends`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(200, picture()) }
        let source = try source(server)
        let harness = EngineHarness(fetcher: CachedTileFetcher(try HTTPClient.forTests()))
        let layer = TileLayer(id: "web", source: source, info: source.definition.info)
        await harness.show(.small(0.1, 0.1, zoom: 0), [layer])
        guard case .failed(let failure)? = harness.state(layer, .world) else {
            Issue.record("a picture of four bytes was decoded")
            return
        }
        #expect(failure.reason == .badContent)
        let request = try #require(server.record.requests.first)
        #expect(request.target == "/0/0/0.png?key=MARKER&a=1" && request.header("X-Key") == "MARKER")
    }

    @Test func `a tile that the server doesn't have is absent`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(404, picture()) }
        let source = try source(server)
        let fetcher = CachedTileFetcher(try HTTPClient.forTests())
        let fetched = try await fetcher.fetch(source.world, holdsStored: false)
        guard case .new(.absent, _) = fetched else {
            Issue.record("\(fetched)")
            return
        }
    }

    @Test func `an expired tile of a source that only regions request is shown, without a request`()
        async throws
    {
        let server = try LoopbackServer { _ in
            LoopbackReply(200, picture(), headers: ["Cache-Control": "max-age=0"])
        }
        let store = MemoryStore(), fetcher = CachedTileFetcher(try HTTPClient.forTests(), store: store)
        let browsed = try source(server).world
        _ = try await fetcher.fetch(browsed, holdsStored: false)
        var layer = browsed.layer
        layer.policy.viewing = false
        let stored = WantedTile(layer: layer, tile: .world)
        let first = try await fetcher.fetch(stored, holdsStored: false)
        let again = try await fetcher.fetch(stored, holdsStored: true)
        guard case .new(.bitmap, .stale) = first, case .unchanged(.stale) = again else {
            Issue.record("\(first), \(again)")
            return
        }
        for key in store.responses.keys { store.forget(key) }
        guard case .new(.absent, _) = try await fetcher.fetch(stored, holdsStored: false) else {
            Issue.record("a tile that no region stores isn't absent")
            return
        }
        #expect(server.requestCount == 1)
    }

    @Test(
        arguments: [
            (403, .refused), (429, .refused), (400, .sourceFailed), (200, .badContent),
        ] as [(Int, TileFailure.Reason)])
    func `a failure is reported without the key`(status: Int, reason: TileFailure.Reason) async throws {
        let server = try LoopbackServer { _ in LoopbackReply(status, Array("<html>".utf8)) }
        let source = try source(server)
        let fetcher = CachedTileFetcher(try HTTPClient.forTests())
        do throws(TileFailure) {
            _ = try await fetcher.fetch(source.world, holdsStored: false)
            Issue.record("no failure")
        } catch {
            #expect(error.reason == reason)
            #expect(!error.message.contains("MARKER"))
        }
    }

    @Test func `a web source has no tiles outside its zooms and bounds`() throws {
        let server = try LoopbackServer { _ in LoopbackReply() }
        var definition = try source(server).definition
        definition.bounds = Bounds(west: 0, south: 0, east: 90, north: 60)
        let source = try WebTileSource(definition, environment: { _ in "x" })
        #expect(source.hasTile(.world))
        #expect(!source.hasTile(try #require(TileID(zoom: 1, x: 0, y: 1))))
        #expect(!source.hasTile(try #require(TileID(zoom: 4, x: 8, y: 7))))
    }

    @Test func `the key in a cache doesn't depend on the secret`() throws {
        let server = try LoopbackServer { _ in LoopbackReply() }
        let old = try source(server, key: "MARKER"), new = try source(server, key: "OTHER")
        #expect(old.origin == new.origin)
        #expect(!old.origin.key.contains("MARKER") && old.origin.key.contains("a=1"))
    }

    @Test func `a missing key states where to set it`() throws {
        let server = try LoopbackServer { _ in LoopbackReply() }
        let definition = try source(server).definition
        #expect(throws: SourceFailure.missingKey(source: "web", environment: "K", configuration: "k")) {
            try WebTileSource(definition)
        }
    }
}

extension WebTileSource {
    /// The world tile of a layer with this source.
    var world: WantedTile {
        WantedTile(layer: TileLayer(id: definition.id, source: self, info: definition.info), tile: .world)
    }
}
