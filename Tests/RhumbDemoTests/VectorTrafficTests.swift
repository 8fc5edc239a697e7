@testable import Rhumb
import RhumbCore
import RhumbDemo
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests vector tiles of traffic, from the simulated provider to the map.
struct VectorTrafficTests {
    private static let all = TrafficChoice(flow: .relative, incidents: .s0, isVector: true)

    @Test(arguments: FlowMode.allCases)
    func `every mode of flow is drawn from vector tiles, in the colours of its levels`(
        mode: FlowMode
    ) async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(flow: mode, isVector: true))
        #expect(
            fixture.tilesAsked.allSatisfy {
                $0.contains("/flow/\(mode.measure.rawValue)/") && $0.hasSuffix(".pbf")
            })
        #expect(!fixture.tilesAsked.isEmpty && fixture.traffic.status?.leftOut == nil)
        let shown: Set<TrafficLevel> =
            mode == .relativeDelay ? [.slow, .jam] : mode == .absolute ? [.slow, .jam] : [.free, .slow]
        #expect(fixture.levels.isSuperset(of: shown))
        #expect(fixture.traffic.status?.legend == FlowLegend(mode))
    }

    @Test
    func
        `closer views are sharp: one tile of the deepest zoom is requested once for all pictures drawn from it`()
        async throws
    {
        let fixture = try DemoFixture(zooms: 0...10)
        try await fixture.start(TrafficChoice(flow: .relative0, isVector: true))
        let scene = fixture.traffic.scene(of: fixture.view, over: [])
        let zooms = Set(scene.layers.flatMap(\.pictures).map(\.tile.tile.zoom))
        #expect(zooms == [12] && scene.isComplete && fixture.levels.contains(.free))
        #expect(fixture.tilesAsked.allSatisfy { $0.contains("/relative/10/") })
        #expect(Set(fixture.tilesAsked).count == fixture.tilesAsked.count)
    }

    @Test func `incidents are marked by kind, and follow the provider's model, the whole set at once`()
        async throws
    {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(incidents: .s0, isVector: true))
        let count = fixture.tilesAsked.count
        let first = fixture.traffic.layers.map(\.id)
        let signs = fixture.traffic.scene(of: fixture.view, over: []).layers.flatMap(\.signs)
        #expect(signs.contains { $0.category == .jam } && signs.allSatisfy { $0.magnitude != .unknown })
        let box = fixture.view.box
        let seen = signs.filter {
            (box.minX...box.maxX).contains($0.place.x) && (box.minY...box.maxY).contains($0.place.y)
        }
        #expect(!seen.isEmpty && Set(fixture.traffic.status?.categories ?? []) == Set(seen.map(\.category)))
        #expect(fixture.tilesAsked.allSatisfy { $0.hasPrefix("/traffic/map/4/tile/incidents/12/") })
        fixture.provider.renew()
        fixture.clock.advance(by: .seconds(30))
        #expect(await eventually { fixture.traffic.layers.map(\.id) != first })
        #expect(fixture.tilesAsked.count == 2 * count)
        #expect(fixture.traffic.scene(of: fixture.view, over: []).isComplete)
    }

    @Test func `flow is renewed by its timer`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(flow: .relative, isVector: true))
        let first = fixture.traffic.layers.map(\.id)
        fixture.clock.advance(by: .seconds(180))
        #expect(await eventually { fixture.traffic.layers.map(\.id) != first })
        #expect(
            fixture.traffic.scene(of: fixture.view, over: []).isComplete
                && fixture.traffic.status?.age?.age == .zero)
    }

    @Test func `offline nothing is requested`() async throws {
        let fixture = try DemoFixture()
        fixture.traffic.setOnline(false)
        try await fixture.start(Self.all)
        #expect(fixture.provider.requests.isEmpty)
    }

    @Test func `when switching between images and vector tiles, the old ones stay until the new arrive`()
        async throws
    {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(flow: .relative))
        let pictures = fixture.traffic.layers.map(\.id)
        try fixture.traffic.choose(TrafficChoice(flow: .relative, isVector: true))
        #expect(fixture.traffic.layers.map(\.id) == pictures)
        #expect(await eventually { fixture.traffic.layers.map(\.id) != pictures })
        #expect(fixture.traffic.layers.allSatisfy(\.isDescribed) && fixture.levels.contains(.free))
        try fixture.traffic.choose(TrafficChoice(flow: .relative))
        #expect(await eventually { fixture.traffic.layers.allSatisfy { !$0.isDescribed } })
    }

    @Test(arguments: [("HERE_API_KEY", TrafficSources.Product.classic), ("TOMTOM_API_KEY", .orbis)])
    func `images are shown where there are no vector tiles`(
        variable: String, product: TrafficSources.Product
    ) async throws {
        let fixture = try DemoFixture(variable, product: product)
        try await fixture.start(TrafficChoice(flow: .relative, isVector: true))
        #expect(fixture.tilesAsked.allSatisfy { $0.hasSuffix("png") } && fixture.levels.contains(.free))
    }

    // MARK: Features at a point

    @Test func `incidents at a point are described from the tiles in plain words`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(Self.all)
        let jam = try #require(
            fixture.traffic.scene(of: fixture.view, over: []).layers.flatMap(\.signs).first {
                $0.category == .jam
            })
        let told = try fixture.traffic.layers.flatMap { layer in
            try #require(LayerFeatures(layer, NoFetcher())).features(at: jam.place, zoom: 12, reach: 3e-7)
        }
        let incident = try #require(told.first { $0.kind == .point })
        #expect(incident.attributes.first?.value == "jam" && incident.styleLayers == ["incident"])
        #expect(incident.attributes.contains { $0.name == "reason" && $0.value.contains("traffic") })
        #expect(incident.attributes.contains { $0.name == "delay" && $0.value.contains(" min, ") })
        let road = try #require(told.first { $0.layer == "Traffic flow" })
        #expect(
            road.attributes.first?.value.hasSuffix("road") == true
                || road.attributes.first?.value == "Motorway")
        #expect(
            road.attributes.contains {
                $0.name == "traffic" && ($0.value.contains("% of free flow, ") || $0.value == "closed")
            })
        #expect(!told.flatMap(\.attributes).contains { $0.value.contains(DemoTraffic.marker) })
    }

    // MARK: Styles

    @Test func `a style that draws traffic is applied without a request`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(flow: .relative, isVector: true))
        let count = fixture.provider.requests.count
        fixture.traffic.setStyle(
            try Style([
                "version": 8, "sources": ["t": ["type": "vector", "url": "https://t.example"]],
                "layers": [
                    [
                        "id": "mine", "type": "line", "source": "t", "source-layer": "Traffic flow",
                        "paint": ["line-color": "#FF00FF", "line-width": 3],
                    ]
                ],
            ]))
        #expect(await eventually { fixture.opaqueColours == [RGB(0xFF00FF)] })
        #expect(fixture.traffic.status?.legend == nil)
        fixture.traffic.setStyle(nil)
        #expect(
            await eventually {
                fixture.levels.contains(.free) && !fixture.opaqueColours.contains(RGB(0xFF00FF))
            })
        #expect(fixture.provider.requests.count == count)
    }

    @Test func `a style that is selected or opened as a map draws traffic with its own layers`()
        async throws
    {
        let folder = TemporaryFolder()
        let text = #"""
            {"version":8,"sources":{"g":{"type":"geojson","data":{"type":"Point","coordinates":[3,4]}},
             "t":{"type":"vector","url":"https://t.example"}},"layers":[{"id":"p","type":"circle","source":"g"}EXTRA]}
            """#
        let flow = #",{"id":"f","type":"line","source":"t","source-layer":"Traffic flow"}"#
        let busy = folder.write(Array(text.replacing("EXTRA", with: flow).utf8), to: "busy.json")
        let calm = folder.write(Array(text.replacing("EXTRA", with: "").utf8), to: "calm.json")
        let session = await MapSession.open(
            .init(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        defer { session.close() }
        #expect(await session.opener.trafficStyle(.night) == nil)
        #expect(try await session.opener.open(calm).count == 1)
        #expect(await session.opener.trafficStyle(.night) == nil)
        #expect(try await session.opener.open(busy).count == 1)
        #expect(await session.opener.trafficStyle(.night)?.source(ofTraffic: .flow) == "t")
        session.opener.styles.choice = StyleChoice(busy)
        #expect(try await session.opener.open(calm).count == 1)
        #expect(await session.opener.trafficStyle(.day)?.source(ofTraffic: .flow) == "t")
    }

    // MARK: Faults

    @Test func `damaged tiles are counted and reported, and the map stays`() async throws {
        let fixture = try DemoFixture()
        fixture.provider.fault = .damage
        try await fixture.start(Self.all)
        #expect(await eventually { fixture.traffic.status?.leftOut != nil })
        let said = try #require(fixture.traffic.status?.leftOut)
        #expect(said.hasPrefix("traffic skipped: ") && said.contains("damaged"))
        #expect(fixture.traffic.scene(of: fixture.view, over: []).failedCount == 0)
    }

    @Test func `the old set stays, with a report, when a new one is damaged`() async throws {
        let fixture = try DemoFixture()
        try await fixture.start(TrafficChoice(incidents: .s0, isVector: true))
        let first = fixture.traffic.layers.map(\.id)
        fixture.provider.fault = .damage
        fixture.provider.renew()
        fixture.clock.advance(by: .seconds(30))
        #expect(await eventually { fixture.traffic.status?.leftOut != nil })
        #expect(fixture.traffic.layers.map(\.id) == first)
        #expect(fixture.traffic.scene(of: fixture.view, over: []).layers.contains { !$0.signs.isEmpty })
    }
}

private struct NoFetcher: TileFetcher {
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        throw TileFailure(.offline, "not here")
    }
}

extension DemoFixture {
    /// The colours of fully opaque pixels.
    fileprivate var opaqueColours: Set<RGB> {
        let pixels = traffic.scene(of: view, over: []).layers.flatMap(\.pictures).flatMap(\.raster.pixels)
        return Set(
            stride(from: 0, to: pixels.count, by: 4).filter { pixels[$0 + 3] == 255 }.map { at in
                RGB(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2])
            })
    }
}
