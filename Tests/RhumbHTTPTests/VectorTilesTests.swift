import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests vector tiles from a server, which are stored unchanged and drawn when they are shown.
struct VectorTilesTests {
    private static let red: Set = [RGB(0xFF0000)], blue: Set = [RGB(0x0000FF)]

    @Test(arguments: VectorFixture.Packing.allCases)
    func `beyond the deepest zoom everything is drawn from one fetch, and one row is stored`(
        packing: VectorFixture.Packing
    ) async throws {
        let fixture = try VectorFixture(packing)
        let start = fixture.engine()
        #expect(await fixture.show(fixture.layer, start).isSubset(of: Self.red.union(Self.blue)))
        #expect(
            start.engine.board.scene(of: fixture.view, layers: [fixture.layer]).layers[0].pictures.count == 4)
        #expect(fixture.server.record.requests.map(\.target) == ["/2/2/1.pbf"])
        #expect(fixture.stored == (packing == .gzip ? Gzip.packed(VectorFixture.tile) : VectorFixture.tile))
    }

    @Test func `MapLibre Tiles are requested, and drawn like others`() async throws {
        typealias Tile = MapLibreTileFixture
        let square = [0, 0, 2048, 0, 2048, 4096, 0, 4096].map(Tile.zigzag)
        let streams = [
            Tile.numbers(0x10, [2]), Tile.numbers(0x32, [1]), Tile.numbers(0x33, [4]),
            Tile.numbers(0x13, square),
        ]
        let tile = Tile.layer("land", [Tile.geometry(streams)])
        let fixture = try VectorFixture { _ in
            LoopbackReply(
                200, tile,
                headers: ["Cache-Control": "max-age=600", "Content-Type": "application/vnd.maplibre-tile"])
        }
        let other = try VectorFixture()
        let colours = await fixture.show(fixture.layer), others = await other.show(other.layer)
        #expect(colours == others && !colours.isDisjoint(with: Self.red.union(Self.blue)))
        let accepted = fixture.server.record.requests.first?.header("Accept")
        #expect(accepted?.hasPrefix("application/vnd.maplibre-tile, ") == true)
        #expect(fixture.stored == tile)
    }

    @Test func `an unstorable tile is still fetched once for all its pictures`() async throws {
        let fixture = try VectorFixture { _ in
            LoopbackReply(200, VectorFixture.tile, headers: ["Cache-Control": "no-store"])
        }
        #expect(!(await fixture.show(fixture.layer)).isEmpty)
        #expect(fixture.server.requestCount == 1 && fixture.stored == nil)
    }

    @Test func `a tile whose last picture left the view is not awaited`() async throws {
        let gate = LoopbackGate()
        let fixture = try VectorFixture { _ in VectorFixture.reply(.none).with { $0.gate = gate } }
        let start = fixture.engine()
        start.engine.show(fixture.view, layers: [fixture.layer])
        #expect(await eventually { fixture.server.requestCount == 1 })
        await start.show(fixture.view, [])
        gate.open()
        #expect(!(await fixture.show(fixture.layer, start)).isEmpty)
        #expect(start.engine.board.scene(of: fixture.view, layers: [fixture.layer]).failedCount == 0)
    }

    @Test func `a second start without a server draws the stored tiles`() async throws {
        let fixture = try VectorFixture(.gzip)
        let seen = await fixture.show(fixture.layer)
        fixture.server.stop()
        #expect(await fixture.show(fixture.layer) == seen && !seen.isEmpty)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `another style redraws without fetching`() async throws {
        let fixture = try VectorFixture()
        _ = await fixture.show(fixture.layer)
        var green = fixture.layer.named("web.green")
        green.drawing = fixture.drawing.restyled(try VectorFixture.painters("#00FF00"))
        let deep = await fixture.show(green)
        #expect(deep.isDisjoint(with: Self.red) && !deep.isEmpty)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `a missing tile is absent, and its ancestors replace it`() async throws {
        let fixture = try VectorFixture { request in
            request.target == "/0/0/0.pbf" ? VectorFixture.reply(.none) : LoopbackReply(404)
        }
        let start = fixture.engine()
        #expect(!(await fixture.show(fixture.layer, start)).isEmpty)
        #expect(fixture.failures(start).isEmpty)
        #expect(
            Set(fixture.server.record.requests.map(\.target)) == ["/2/2/1.pbf", "/1/1/0.pbf", "/0/0/0.pbf"])
    }

    @Test(arguments: [
        Array("<html><body>Log in".utf8), Array("{\"message\":\"no\"}".utf8), [0x89, 0x50, 0x4E, 0x47, 1, 2],
        [0x1A, 200, 3], Gzip.packed(Array("<html>".utf8)), Array(Gzip.packed(VectorFixture.tile).dropLast(9)),
    ])
    func `invalid bodies are not tiles, and are not stored`(body: [UInt8]) async throws {
        let fixture = try VectorFixture { _ in
            LoopbackReply(200, body, headers: ["Content-Type": "application/x-protobuf"])
        }
        let start = fixture.engine()
        #expect(await fixture.show(fixture.layer, start).isEmpty)
        #expect(
            fixture.failures(start).allSatisfy { $0.reason == .badContent }
                && fixture.failures(start).count == 4)
        #expect(fixture.stored == nil)
    }

    @Test func `an empty response is a tile without content`() async throws {
        let fixture = try VectorFixture { _ in LoopbackReply(200) }
        #expect(await fixture.show(fixture.layer) == Self.blue)
    }

    @Test func `a source's entry in a list survives being stored with a region`() throws {
        let list: JSON = [
            "sources": [
                ["id": "v", "url": "https://x.example/{z}/{x}/{y}", "vector": true, "vectorLayers": ["a"]]
            ]
        ]
        let source = try #require(try SourceList.read(list).first)
        #expect(source.holdsVectorTiles && source.zooms == 0...14)
        let again = try #require(try SourceList.read(["sources": [source.json]]).first)
        #expect(again.isVector && again.vectorLayers == ["a"] && again.zooms == 0...14)
    }

    @Test func `an archive's tiles are drawn, too, and are available offline`() async throws {
        var archive = PMTilesFixture([(tile: .world, body: VectorFixture.tile)])
        archive.patches = [(99, 1)]
        let remote = try RemoteArchiveFixture(archive)
        let opener = WebSourceOpener(
            loader: DocumentLoader(remote.http.client, store: remote.store), environment: { _ in nil })
        let definition = try SourceDefinition(address: remote.http.server.url("/town.pmtiles"))
        let bare = try await opener.layer(of: definition, id: "x")
        let names = try #require(bare.vectorLayerNames)
        let layer = bare.drawn(
            by: VectorDrawing.unpacking(
                bare.info, layerNames: names, painters: try VectorFixture.painters("#FF0000")))
        let fetcher = CachedTileFetcher(remote.http.client, store: remote.store)
        for _ in 0..<2 {
            let start = EngineHarness(fetcher: fetcher)
            await start.show(.small(-45, 41, zoom: 5), [layer])
            let scene = start.engine.board.scene(of: .small(-45, 41, zoom: 5), layers: [layer]).layers[0]
            #expect(!scene.pictures.isEmpty && scene.gaps.isEmpty)
            #expect(scene.pictures.allSatisfy { $0.raster.pixels[0] == 255 })
            remote.http.server.stop()
        }
        let told = try #require(LayerFeatures(layer, fetcher))
        #expect(throws: Never.self) {
            _ = try told.features(at: WorldPoint(x: 0.3, y: 0.4), zoom: 5, reach: 0)
        }
    }
}
