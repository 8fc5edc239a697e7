import Glibc
import RhumbCore
import RhumbDemo
import RhumbEngine
import RhumbHTTP
import RhumbDrawing
import RhumbStore
import RhumbTestSupport
import Testing

struct DemoJourneyTests {
    @Test(arguments: [
        ("TOMTOM_API_KEY", TrafficSources.Product.classic), ("TOMTOM_API_KEY", .orbis),
        ("HERE_API_KEY", .classic),
    ])
    func `flow is displayed from a provider's response`(
        variable: String, product: TrafficSources.Product
    ) async throws {
        let fixture = try DemoFixture(variable, product: product)
        try await fixture.start(TrafficChoice(flow: .relative0))
        let scene = fixture.traffic.scene(of: fixture.view, over: [])
        #expect(scene.isComplete && scene.failedCount == 0 && scene.layers.count == 1)
        #expect(fixture.levels.isSuperset(of: [.free, .slow]))
        #expect(fixture.traffic.status?.description == "traffic 0 s old")
    }

    @Test func `incidents follow the provider's model, the whole set at once`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(incidents: .s0))
        let count = fixture.tilesAsked.count
        #expect(count > 0 && Set(fixture.tilesAsked).count == count)
        let first = fixture.traffic.layers.map(\.id)
        fixture.provider.renew()
        fixture.clock.advance(by: .seconds(30))
        #expect(await eventually { fixture.traffic.layers.map(\.id) != first })
        #expect(fixture.tilesAsked.count == 2 * count)
        #expect(fixture.traffic.scene(of: fixture.view, over: []).isComplete)
    }

    @Test func `incidents around a place are listed`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(incidents: .s0))
        let found = try await fixture.traffic.incidents(
            around: fixture.view.camera.coordinate, radius: 30_000)
        #expect(!found.isEmpty && found.allSatisfy { $0.places.count == 5 && !$0.events.isEmpty })
        #expect(found.contains { $0.category == .jam && $0.summary.contains("Exit") })
    }

    @Test(arguments: [
        (DemoFault.badKey, TrafficFailure.Reason.badKey, "Developer Inactive"),
        (.tooFast, .tooFast, "Developer Over Qps"), (.outage, .serverTrouble, ""),
        (.wrongVersion, .unknownService, "Service Not Found"),
    ])
    func `a provider's faults are reported by name`(
        fault: DemoFault, reason: TrafficFailure.Reason, words: String
    ) async throws {
        let fixture = try DemoFixture()
        fixture.provider.fault = fault
        fixture.traffic.show(fixture.view, over: [])
        try fixture.traffic.choose(TrafficChoice(incidents: .s0))
        #expect(await eventually { fixture.traffic.status?.problem != nil })
        let problem = try #require(fixture.traffic.status?.problem)
        #expect(problem.reason == reason && problem.detail == words && !"\(problem)".contains("demo-secret"))
    }

    @Test func `HERE's rejected key is reported by name`() async throws {
        let fixture = try DemoFixture("HERE_API_KEY", key: "bad")
        fixture.traffic.show(fixture.view, over: [])
        try fixture.traffic.choose(TrafficChoice(flow: .relative))
        #expect(await eventually { fixture.traffic.status?.problem?.reason == .badKey })
    }

    @Test func `models that are all too old end in tiles without one`() async throws {
        let fixture = try DemoFixture()
        fixture.provider.fault = .oldModel
        try await fixture.start(TrafficChoice(incidents: .s0))
        #expect(await eventually { fixture.traffic.scene(of: fixture.view, over: []).isComplete })
        #expect(fixture.provider.requests.count { $0.contains("incidentViewport") } == 2)
    }

    @Test func `HERE gets conditional requests, and sends only new tiles`() async throws {
        let fixture = try DemoFixture("HERE_API_KEY")
        try await fixture.start(TrafficChoice(flow: .relative))
        let first = fixture.traffic.layers.map(\.id)
        let before = fixture.levels
        fixture.clock.advance(by: .seconds(60))
        #expect(await eventually { fixture.traffic.layers.map(\.id) != first })
        #expect(fixture.levels == before && fixture.traffic.status?.age?.age == .zero)
    }

    @Test func `tiles that must not be stored are in no file, and others are`() async throws {
        let folder = TemporaryFolder()
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(flow: .relative, incidents: .s0))
        let path = folder.path + "/tiles.db"
        let client = try DemoFixture.client()
        let cache = try SharedCache.open(path)
        let fetcher = CachedTileFetcher(client, store: cache)
        for (id, template) in [
            ("never", "/traffic/map/4/tile/flow/relative/{z}/{x}/{y}.png?key=k&tileSize=256"),
            ("may", "/v3/flow/mc/{z}/{x}/{y}/png?apiKey=k&size=256"),
        ] {
            let source = try WebTileSource(
                SourceDefinition(id: id, name: id, addresses: [fixture.server.address + template]))
            let layer = TileLayer(id: id, source: source, info: source.definition.info)
            let tile = TileID(zoom: 12, containing: fixture.view.camera.center)
            _ = try await fetcher.fetch(
                WantedTile(layer: layer, tile: tile), holdsStored: false)
        }
        cache.flush()
        let stored = ["", "-wal"].flatMap { bytes(ofFile: path + $0) }
        #expect(stored.firstRange(of: Array(DemoTraffic.harmlessMarker.utf8)) != nil)
        #expect(stored.firstRange(of: Array(DemoTraffic.marker.utf8)) == nil)
    }

    private func bytes(ofFile path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
