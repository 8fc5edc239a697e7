import RhumbCore
@testable import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the cache while the network disappears and returns.
struct CachedOfflineTests {
    private func fixture(
        _ control: String, configuration: LayerConfiguration = LayerConfiguration(),
        change: (inout TileLayer) -> Void = { _ in }
    ) throws -> CachedFixture {
        try CachedFixture(configuration: configuration, change: change) { request in
            LoopbackReply(200, picture(100, seed: UInt8(request.time)), headers: ["Cache-Control": control])
        }
    }

    @Test(arguments: ["max-age=10", "no-cache", "max-age=0, must-revalidate"])
    func `while offline all cached tiles are shown and marked, whatever they demand`(
        control: String
    ) async throws {
        let fixture = try fixture(control)
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(5000))
        fixture.client.isOffline = true
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 1)
        #expect(fixture.mark(harness)?.standing.isStale == true)
        #expect(fixture.mark(harness)?.trouble?.reason == .offline)
        #expect(fixture.server.requestCount == 1)
        fixture.client.isOffline = false
        harness.engine.networkReturned()
        #expect(await fixture.asked(2, harness))
        #expect(fixture.seed(harness) == 2 && fixture.mark(harness)?.trouble == nil)
    }

    @Test func `while offline missing tiles fail with that reason, and arrive with the network`()
        async throws
    {
        let fixture = try fixture("max-age=10")
        fixture.client.isOffline = true
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness)?.reason == .offline && fixture.server.record.connections == 0)
        fixture.client.isOffline = false
        harness.engine.networkReturned()
        #expect(await fixture.asked(1, harness))
        #expect(fixture.seed(harness) == 1)
    }

    @Test func `pass-through tiles are fetched nevertheless`() async throws {
        var configuration = LayerConfiguration()
        configuration.passThroughFeatures = [.trafficFlow]
        let fixture = try fixture("max-age=10", configuration: configuration) { $0.feature = .trafficFlow }
        fixture.client.isOffline = true
        #expect(await fixture.showAnew() == 1)
        fixture.clock.advance(by: .seconds(100))
        #expect(await fixture.showAnew() == 2)
        fixture.fetcher.configuration.passThroughFeatures = []
        fixture.clock.advance(by: .seconds(100))
        #expect(await fixture.showAnew() == 2)
        #expect(fixture.server.requestCount == 2)
    }

    @Test(arguments: [Feature.offlineSearch, .offlineRouting])
    func `data for offline search and routing is never requested for display`(
        feature: Feature
    ) async throws {
        let fixture = try fixture("max-age=10") { $0.feature = feature }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness)?.message.contains("\(feature)") == true)
        #expect(fixture.server.requestCount == 0)
    }

    @Test func `tiles that are never fetched over the network are shown only from the cache`() async throws {
        let fixture = try fixture("no-cache")
        _ = await fixture.showAnew()
        fixture.fetcher.configuration.neverOverTheAir = [.rendering]
        #expect(await fixture.showAnew() == 1)
        fixture.store.forget(try #require(ResourceKey(fixture.want)))
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness)?.reason == .refused)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `a server may go down and come back`() async throws {
        let fixture = try CachedFixture { request in
            LoopbackReply(
                200, picture(100, seed: request.target.hasPrefix("/0") ? UInt8(request.time) : 99),
                headers: ["Cache-Control": "max-age=10, must-revalidate"])
        }
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(100))
        fixture.server.stop()
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 1)
        #expect(fixture.mark(harness)?.standing.isStale == true)
        let closer = Viewport.small(45, 40, zoom: 1), tile = TileID(zoom: 1, x: 1, y: 0)
        await harness.show(closer, [fixture.layer])
        guard let tile, case .failed(let failure)? = harness.state(fixture.layer, tile) else {
            Issue.record("the tile did not fail")
            return
        }
        #expect(!failure.message.isEmpty && fixture.stored?.body == picture(100, seed: 1))
        try fixture.server.start()
        harness.engine.networkReturned()
        await harness.engine.settled()
        guard case .ready(let raster)? = harness.state(fixture.layer, tile) else {
            Issue.record("the tile did not come")
            return
        }
        #expect(raster.pixels[0] == 99)
        #expect(await fixture.show(harness) == 2)
    }

    @Test func `a visible tile that expires is revalidated with its stored validators`() async throws {
        let fixture = try CachedFixture { request in
            .validated(request, etag: "\"1\"", body: picture()).with {
                $0.headers.append(("Cache-Control", "max-age=1000"))
            }
        }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 7)
        let clock = fixture.clock
        for asked in 2...4 {
            #expect(await eventually { clock.sleeperCount > 0 })
            fixture.clock.advance(by: .seconds(900))
            await harness.engine.settled()
            #expect(fixture.server.requestCount == asked - 1)
            fixture.clock.advance(by: .seconds(110))
            #expect(await fixture.asked(asked, harness))
            #expect(fixture.mark(harness)?.standing.isStale == false)
        }
        #expect(
            fixture.server.record.requests.map { $0.header("If-None-Match") } == [
                nil, "\"1\"", "\"1\"", "\"1\"",
            ])
    }

    @Test func `a server whose responses are already old is contacted less and less often`() async throws {
        let fixture = try fixture("max-age=0")
        let harness = fixture.engine()
        #expect(await fixture.show(harness) != nil)
        var gaps: [Int] = []
        for _ in 0..<5 {
            let before = fixture.server.requestCount
            var seconds = 0
            while fixture.server.requestCount == before && seconds < 200 {
                seconds += 1
                fixture.clock.advance(by: .seconds(1))
                // After this call, the engine has started all work that is due.
                await harness.engine.renew()
                await harness.engine.settled()
            }
            gaps.append(seconds)
        }
        #expect(gaps == gaps.sorted() && (gaps.last ?? 0) >= 16, "\(gaps)")
    }

    // MARK: Several processes

    @Test func `tiles that another process has just stored or renewed are not fetched again`() async throws {
        let fixture = try fixture("max-age=1000")
        let neighbour = CachedTileFetcher(
            fixture.client,
            store: try SharedCache(opening: fixture.folder.path + "/tiles.db", fixture.store.options),
            date: { [clock = fixture.clock] in clock.date })
        _ = try await neighbour.fetch(fixture.want, holdsStored: false)
        (neighbour.store as? SharedCache)?.flush()
        #expect(
            try await fixture.fetch()
                == .new(
                    .bitmap(.encoded(picture(100, seed: 1))),
                    .fresh(until: fixture.stored?.freshness.expiresAt ?? .now)))
        fixture.clock.advance(by: .seconds(2000))
        _ = try await neighbour.fetch(fixture.want, holdsStored: true)
        (neighbour.store as? SharedCache)?.flush()
        guard case .new(.bitmap(.encoded(let body)), .fresh) = try await fixture.fetch(holdsStored: true)
        else {
            Issue.record("not what the neighbour stored")
            return
        }
        #expect(body == picture(100, seed: 2))
        #expect(fixture.server.requestCount == 2)
    }

    // MARK: Tiles drawn by the program

    private func drawn(
        _ fixture: CachedFixture, life: Duration = .zero,
        _ script: @escaping @Sendable (TileID, Int) -> ScriptedSource.Step
    ) -> (TileLayer, ScriptedSource) {
        let source = ScriptedSource(script: script)
        var layer = TileLayer.test(source)
        layer.cacheIdentifier = "drawing"
        layer.cacheTimeToLive = life
        return (layer, source)
    }

    private func seeds(_ fixture: CachedFixture, _ layer: TileLayer, _ times: Int) async -> [Int?] {
        var seeds: [Int?] = []
        for _ in 0..<times {
            let harness = fixture.engine()
            await harness.show(fixture.view, [layer])
            if case .ready(let raster)? = harness.state(layer, .world) {
                seeds.append(Int(raster.pixels[0]))
            } else {
                seeds.append(nil)
            }
        }
        return seeds
    }

    @Test func `a program's drawings are cached if the layer has a cache identifier`() async throws {
        let fixture = try fixture("no-store")
        var (layer, source) = drawn(fixture) { _, time in
            .answer(.bitmap(.encoded(picture(100, seed: UInt8(time)))))
        }
        #expect(await seeds(fixture, layer, 3) == [1, 1, 1])
        #expect(source.asked.count == 1)
        fixture.clock.advance(by: .seconds(1_000_000))
        #expect(await seeds(fixture, layer, 1) == [1])
        layer.cacheIdentifier = nil
        #expect(await seeds(fixture, layer, 2) == [2, 3])
    }

    @Test func `they are drawn again when they expire, and the old ones are shown if that fails`()
        async throws
    {
        let fixture = try fixture("no-store")
        let (layer, source) = drawn(fixture, life: .seconds(100)) { _, time in
            time == 3
                ? .fail(TileFailure(.sourceFailed, "no ink"))
                : .answer(.bitmap(.encoded(picture(100, seed: UInt8(time)))))
        }
        #expect(await seeds(fixture, layer, 2) == [1, 1])
        fixture.clock.advance(by: .seconds(101))
        #expect(await seeds(fixture, layer, 2) == [2, 2])
        fixture.clock.advance(by: .seconds(101))
        #expect(await seeds(fixture, layer, 2) == [2, 4])
        #expect(source.asked.count == 4)
    }

    @Test func `a reload draws stored tiles again, and shows the stored ones if that fails`()
        async throws
    {
        let fixture = try fixture("no-store")
        let (layer, _) = drawn(fixture) { _, time in
            time == 3
                ? .fail(TileFailure(.sourceFailed, "no ink"))
                : .answer(.bitmap(.encoded(picture(100, seed: UInt8(time)))))
        }
        let harness = fixture.engine()
        var seeds: [Int?] = []
        for _ in 1...3 {
            await harness.show(fixture.view, [layer])
            if case .ready(let raster)? = harness.state(layer, .world) {
                seeds.append(Int(raster.pixels[0]))
            } else {
                seeds.append(nil)
            }
            await harness.engine.reload(layer: layer.id)
        }
        #expect(seeds == [1, 2, 2])
    }

    @Test func `drawings delivered later are also cached, and absent ones are remembered`() async throws {
        let fixture = try fixture("no-store")
        let (layer, source) = drawn(fixture) { tile, _ in .promise }
        let harness = fixture.engine()
        harness.engine.show(fixture.view, layers: [layer])
        #expect(await eventually { source.promised.count == 1 })
        source.promised.first?.complete(.absent)
        await harness.engine.settled()
        #expect(await seeds(fixture, layer, 2) == [nil, nil])
        #expect(source.promised.count == 1)
    }

    @Test func `a layer's own limit applies`() async throws {
        let fixture = try fixture("max-age=9999") { $0.cacheSizeLimit = 350 }
        for tile in [TileID.world] + TileID.world.children {
            let want = WantedTile(layer: fixture.layer, tile: tile)
            _ = try await fixture.fetcher.fetch(want, holdsStored: false)
            fixture.store.flush()
            fixture.clock.advance(by: .seconds(1))
        }
        let held = ([TileID.world] + TileID.world.children).map { tile in
            fixture.fetcher.stored(WantedTile(layer: fixture.layer, tile: tile)) != nil
        }
        #expect(held == [false, false, true, true, true])
    }
}
