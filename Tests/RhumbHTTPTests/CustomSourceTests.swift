import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests a program's own sources that return addresses.
struct CustomSourceTests {
    /// A source that knows only the addresses of its tiles.
    private struct Addresses: TileLayerDataSource {
        let server: LoopbackServer
        func url(for tile: TileID) -> String? { server.url("/\(tile)") }
    }

    private func fixture(
        _ change: (inout TileLayer) -> Void, _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws -> CachedFixture {
        try CachedFixture(
            { server in
                var layer = TileLayer(
                    id: "custom", source: Addresses(server: server),
                    info: TileSourceInfo(name: "Custom", zooms: 0...0))
                layer.cacheIdentifier = "my-tiles"
                change(&layer)
                return layer
            }, script)
    }

    private static func validated(_ request: LoopbackRequest, _ control: String) -> LoopbackReply {
        .validated(request, etag: "\"1\"", body: picture()).with {
            $0.headers.append(("Cache-Control", control))
        }
    }

    @Test(arguments: ["max-age=10", "max-age=99999", "no-cache", "max-age=0, must-revalidate"])
    func `tiles with plain addresses have the lifetime of their layer, whatever the server sends`(
        control: String
    ) async throws {
        let fixture = try fixture {
            $0.cacheTimeToLive = .seconds(100)
        } _: {
            Self.validated($0, control)
        }
        for asked in 1...3 {
            #expect(await fixture.showAnew() == 7)
            fixture.clock.advance(by: .seconds(90))
            #expect(await fixture.showAnew() == 7)
            #expect(fixture.server.requestCount == asked)
            fixture.clock.advance(by: .seconds(20))
        }
        #expect(fixture.server.record.requests.map { $0.header("If-None-Match") } == [nil, "\"1\"", "\"1\""])
    }

    @Test func `without a time to live they never expire`() async throws {
        let fixture = try fixture { _ in
        } _: {
            Self.validated($0, "max-age=1")
        }
        #expect(await fixture.showAnew() == 7)
        fixture.clock.advance(by: .seconds(86_400 * 300))
        #expect(await fixture.showAnew() == 7)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `a reload revalidates each tile once, even if it is fresh`() async throws {
        let fixture = try fixture { _ in
        } _: {
            Self.validated($0, "max-age=9999")
        }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 7)
        await harness.engine.reload(layer: fixture.layer.id)
        await harness.engine.settled()
        #expect(fixture.seed(harness) == 7 && fixture.mark(harness)?.standing.isStale == false)
        #expect(await fixture.showAnew() == 7)
        #expect(fixture.server.record.requests.map { $0.header("If-None-Match") } == [nil, "\"1\""])
    }

    @Test func `a reload also reaches the tiles out of view`() async throws {
        let fixture = try fixture { _ in
        } _: { request in
            LoopbackReply(
                200, picture(100, seed: UInt8(request.time)), headers: ["Cache-Control": "max-age=9999"])
        }
        // The tile would be prefetched for the view elsewhere.
        let harness = fixture.engine(prefetch: .none),
            other = TileLayer.test(ScriptedSource { _, _ in .answer(.absent) }, id: "other")
        #expect(await fixture.show(harness) == 1)
        var away = fixture.layer
        away.boundingBox = Bounds(west: 10, south: 10, east: 11, north: 11)
        await harness.show(.small(-120, -40, zoom: 3), [away, other])
        await harness.engine.reload(layer: fixture.layer.id)
        #expect(fixture.server.requestCount == 1)
        #expect(await fixture.show(harness) == 2)
    }

    @Test func `a reload shows the stored tile as stale if the server fails or the network is off`()
        async throws
    {
        let fixture = try fixture { _ in
        } _: { request in
            LoopbackReply(
                request.time == 1 ? 200 : 503, picture(), headers: ["Cache-Control": "max-age=9999"])
        }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 7)
        for (isOffline, isAsked) in [(true, false), (false, true)] {
            fixture.client.isOffline = isOffline
            await harness.engine.reload(layer: fixture.layer.id)
            await harness.engine.settled()
            #expect(fixture.seed(harness) == 7 && fixture.mark(harness)?.standing.isStale == true)
            #expect((fixture.server.requestCount > 1) == isAsked)
        }
    }

    @Test func `reading after a change of the cache sends no request`() async throws {
        let fixture = try fixture { _ in
        } _: {
            Self.validated($0, "max-age=9999")
        }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 7)
        await harness.engine.reread { $0 == "custom" }
        await harness.engine.settled()
        #expect(fixture.seed(harness) == 7 && fixture.server.requestCount == 1)
    }

    @Test func `without an identifier they are cached by their addresses, as the server allows`()
        async throws
    {
        let fixture = try fixture {
            $0.cacheIdentifier = nil
        } _: {
            Self.validated($0, "max-age=100")
        }
        for asked in 1...2 {
            #expect(await fixture.showAnew() == 7)
            #expect(await fixture.showAnew() == 7)
            #expect(fixture.server.requestCount == asked)
            fixture.clock.advance(by: .seconds(110))
        }
        #expect(fixture.server.record.requests.map { $0.header("If-None-Match") } == [nil, "\"1\""])
        fixture.store.flush()
        #expect(fixture.store.statistics().rows.count == 1)
    }

    @Test func `with no-store, nothing is cached`() async throws {
        for (name, control) in [(nil, "no-store"), ("x", "no-store")] as [(String?, String)] {
            let fixture = try fixture {
                $0.cacheIdentifier = name
            } _: {
                Self.validated($0, control)
            }
            for asked in 1...2 {
                #expect(await fixture.showAnew() == 7)
                #expect(fixture.server.requestCount == asked)
            }
            fixture.store.flush()
            #expect(fixture.store.statistics().rows.isEmpty)
        }
    }

    @Test func `they take no more space than their layer allows`() async throws {
        let fixture = try fixture {
            $0.cacheSizeLimit = 350; $0.info.zooms = 0...6
        } _: { _ in
            LoopbackReply(200, picture(), headers: ["Cache-Control": "max-age=9999"])
        }
        for tile in TileID.pyramid(2...2) {
            let want = WantedTile(layer: fixture.layer, tile: tile)
            _ = try await fixture.fetcher.fetch(want, holdsStored: false)
        }
        fixture.store.flush()
        let rows = fixture.store.statistics().rows
        #expect(rows.reduce(0) { $0 + $1.bytes } <= 350 && !rows.isEmpty, "\(rows)")
    }

    @Test func `an absent tile is remembered as long as the layer states`() async throws {
        let fixture = try fixture {
            $0.cacheTimeToLive = .seconds(100)
        } _: { _ in
            LoopbackReply(404)
        }
        for (wait, asked) in [(0, 1), (90, 1), (20, 2)] {
            fixture.clock.advance(by: .seconds(wait))
            #expect(await fixture.showAnew() == -1)
            #expect(fixture.server.requestCount == asked)
        }
    }

    @Test func `vector tiles are accepted only with a drawing`() async throws {
        let land = VectorTileFixture.Feature(.polygon, through: [(0, 0), (9, 0), (9, 9)])
        let body = VectorTileFixture([(name: "land", features: [land])]).bytes
        for isDrawn in [true, false] {
            let fixture = try fixture {
                if isDrawn { $0 = $0.drawn(by: CountingDrawing(content: .vectorTile)) }
            } _: { _ in
                LoopbackReply(200, body, headers: ["Content-Type": "application/x-protobuf"])
            }
            #expect(await fixture.showAnew() == (isDrawn ? body.count & 255 : nil))
            #expect(fixture.stored?.body == (isDrawn ? body : nil))
        }
    }

    @Test func `a drawing of images receives images, and no login page`() async throws {
        let login = Array("<html>log in".utf8)
        for (body, seed) in [(picture(), 100), (login, nil)] as [([UInt8], Int?)] {
            let fixture = try fixture {
                $0 = $0.drawn(by: CountingDrawing(content: .imageTile))
            } _: { _ in
                LoopbackReply(200, body)
            }
            #expect(await fixture.showAnew() == seed)
        }
    }
}

/// Draws pictures whose colour is the number of bytes of a tile.
private struct CountingDrawing: TileDrawing {
    let content: ExpectedContent
    var dataZooms: ClosedRange<Int> { 0...14 }

    func tile(_ data: TileID, from bytes: [UInt8]) -> any DrawnTile { CountedTile(count: bytes.count) }
}

private struct CountedTile: DrawnTile {
    let count: Int

    func picture(of tile: TileID, side: Int) -> Raster {
        let grey = UInt32(count & 255)
        return Raster(width: side, height: side, filledWith: RGB(grey << 16 | grey << 8 | grey))
    }
}
