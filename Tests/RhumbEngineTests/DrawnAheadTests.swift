import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// Tests the tiles and parts that are drawn before they come into view.
struct DrawnAheadTests {
    /// A view whose quarter is as wide as a tile. The tiles at its edges are partly visible.
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 50, longitude: 10), zoom: 8), columns: 512, rows: 64)

    /// A drawing that records the pictures in order, with their visible parts; nil for whole pictures.
    private final class Drawing: TileDrawing, DrawnTile {
        let dataZooms = 0...20
        private let drawn = Mutex<[(tile: TileID, seen: PixelBox?)]>([])

        var pictures: [(tile: TileID, seen: PixelBox?)] { drawn.withLock { $0 } }
        var wholes: Set<TileID> { Set(pictures.filter { $0.seen == nil }.map(\.tile)) }

        func tile(_ data: TileID, from bytes: [UInt8]) -> any DrawnTile { self }

        func picture(of tile: TileID, side: Int) -> Raster { draw(tile, side, nil) }
        func picture(of tile: TileID, side: Int, seen: PixelBox) -> Raster? { draw(tile, side, seen) }

        private func draw(_ tile: TileID, _ side: Int, _ seen: PixelBox?) -> Raster {
            drawn.withLock { $0.append((tile, seen)) }
            return Raster(width: side, height: side, filledWith: RGB(seen == nil ? 0xFFFFFF : 0x808080))
        }
    }

    private struct Fetcher: TileFetcher {
        func fetch(_ want: WantedTile, holdsStored: Bool) -> FetchedTile {
            .new(.bitmap(.encoded([1, 2, 3])), .current)
        }
    }

    private struct Map {
        let harness: EngineHarness
        let drawing = Drawing()
        let layer: TileLayer

        init(
            isDrawn: Bool = true, from step: ScriptedSource.Step = .answer(.bitmap(.encoded([1, 2, 3]))),
            roomFor tiles: Int = 96,
            _ limits: PrefetchLimits = PrefetchLimits()
        ) {
            harness = EngineHarness(fetcher: Fetcher(), boardBytes: tiles << 18, prefetch: limits)
            let bare = TileLayer.test(ScriptedSource { _, _ in step })
            layer = isDrawn ? bare.drawn(by: drawing, size: .pixels256) : bare
        }

        func isReady(_ view: Viewport) -> Bool {
            layer.cover(of: view).allSatisfy {
                let mark = harness.engine.board.mark(of: TileKey(layer: layer.id, tile: $0.tile))
                return mark != nil && mark?.drawnPart == nil
            }
        }
    }

    @Test func `the part of a picture in view is drawn first, then the rest`() async {
        let map = Map(), tiles = Set(map.layer.cover(of: view).map(\.tile))
        await map.harness.show(view, [map.layer])
        #expect(map.harness.engine.board.scene(of: view, layers: [map.layer]).isComplete)
        #expect(await eventually { map.isReady(view) })
        let first = map.drawing.pictures.prefix(tiles.count)
        #expect(Set(first.map(\.tile)) == tiles && first.contains { $0.seen != nil })
        #expect(map.drawing.wholes.isSuperset(of: tiles))
    }

    @Test func `a drawn part contains all pixels that the view shows`() async throws {
        let map = Map(.none)
        await map.harness.show(view, [map.layer])
        for placed in map.layer.cover(of: view) {
            let mark = try #require(
                map.harness.engine.board.mark(of: TileKey(layer: map.layer.id, tile: placed.tile)))
            #expect(map.layer.isDrawn(mark.drawnPart, where: placed, isSeenIn: view))
        }
    }

    @Test
    func `a view that shows more of a picture than is drawn shows the drawn part, and waits for the rest`()
        async
    {
        let map = Map(.none), moved = view.panned(columns: 100, rows: 10)
        await map.harness.show(view, [map.layer])
        let scene = map.harness.engine.board.scene(of: moved, layers: [map.layer])
        #expect(!scene.isComplete && scene.layers[0].pictures.count >= 2)
        await map.harness.show(moved, [map.layer])
        #expect(map.harness.engine.board.scene(of: moved, layers: [map.layer]).isComplete)
    }

    @Test func `nothing is drawn ahead if this is turned off`() async {
        let map = Map(.none)
        await map.harness.show(view, [map.layer])
        await map.harness.show(view.panned(columns: 8, rows: 0), [map.layer])
        #expect(!map.isReady(view.panned(columns: 128, rows: 0)))
        #expect(
            Set(map.drawing.pictures.map(\.tile)).isSubset(
                of: map.layer.cover(of: view.resized(columns: 540, rows: 64)).map(\.tile)))
    }

    @Test func `the next view is drawn before it is shown`() async {
        let map = Map()
        await map.harness.show(view, [map.layer])
        #expect(
            await eventually {
                map.isReady(view.panned(columns: 128, rows: 0))
                    && map.isReady(view.panned(columns: -128, rows: 0))
            })
    }

    @Test func `all layers together draw no more ahead than the memory allows`() async {
        let bare = Map(.none).layer, seen = bare.cover(of: view).count,
            around = bare.cover(of: view.resized(columns: 768, rows: 96)).count
        // Drawn pictures are packed, and count half.
        let room = seen + around, map = Map(roomFor: room / 2), other = map.layer.named("other")
        #expect(seen < around)
        await map.harness.show(view, [map.layer, other])
        let ahead = await map.harness.engine.drawnAhead(
            of: TileEngine.View(viewport: view, layers: [map.layer, other]))
        #expect(!ahead.isEmpty && ahead.count + seen * 2 <= room)
    }

    @Test
    func `a view that turns keeps the pictures drawn ahead, and one that continues gets those ahead first`()
        async
    {
        let map = Map(.none), engine = map.harness.engine
        var view = view
        func ahead() async -> [Bool] {
            await map.harness.show(view, [map.layer])
            await engine.limitPrefetch(to: PrefetchLimits())
            let keys = await engine.drawnAhead(of: TileEngine.View(viewport: view, layers: [map.layer]))
            await engine.limitPrefetch(to: .none)
            return keys.map { engine.board.state(of: $0) != nil }
        }
        // Far enough that tiles which were visible are left behind.
        for columns in [0, 128] {
            view = view.panned(columns: columns, rows: 0)
            _ = await ahead()
        }
        view = view.panned(columns: 32, rows: 0)
        let steady = await ahead()
        #expect(steady.first == false && steady.contains(true))
        view = view.panned(columns: 0, rows: 1)
        let turned = await ahead()
        #expect(turned.first == true && turned.contains(false) && turned == turned.sorted { $0 && !$1 })
    }

    /// Returns the shading of heights from a source.
    private func shading(from step: ScriptedSource.Step) throws -> TileLayer {
        let bare = TileLayer.test(ScriptedSource { _, _ in step })
        let drawing = HillshadeDrawing(bare.info, .terrarium, Hillshade(), decoder: ThreeByteDecoder())
        let heights = bare.drawn(by: drawing, size: .pixels256)
        return try #require(ElevationModel(heights, Fetcher())).shading
    }

    @Test func `hills of a local source are drawn before they come into view, those of a server are not`()
        async throws
    {
        let heights = TileAnswer.bitmap(.encoded([16, 16, 128]))
        for isLocal in [true, false] {
            let layer = try shading(from: isLocal ? .answer(heights) : .url("http://test/"))
            let engine = TileEngine(decoder: ThreeByteDecoder(), fetcher: Fetcher())
            let ahead = await engine.drawnAhead(of: TileEngine.View(viewport: view, layers: [layer]))
            let next = Set(layer.cover(of: view.panned(columns: 128, rows: 0)).map(\.tile))
            #expect(ahead.isEmpty != isLocal)
            #expect(
                !isLocal
                    || next.subtracting(layer.cover(of: view).map(\.tile)).isSubset(of: ahead.map(\.tile)))
        }
    }

    @Test func `layers over a map leave the map its memory`() async {
        let bare = Map(.none).layer, seen = bare.cover(of: view).count,
            around = bare.cover(of: view.resized(columns: 768, rows: 96)).count
        let map = Map(roomFor: around)
        var lines = map.layer.named("lines")
        lines.isTransparent = true
        let ahead = await map.harness.engine.drawnAhead(
            of: TileEngine.View(viewport: view, layers: [map.layer, lines]))
        #expect(ahead.count { $0.layer == map.layer.id } == around - seen)
    }

    @Test func `pictures over a map and the map don't evict each other`() throws {
        let board = TileBoard(byteLimit: 30 << 10)
        let side = 32, whole = Raster(width: side, height: side, filledWith: RGB(0x808080))
        let half = try #require(
            Raster(width: side, height: side, pixels: (0..<side * side * 4).map { UInt8($0 % 128) }))
        var gone: [TileKey] = []
        for (layer, raster) in [("map", whole), ("hills", half)] {
            for tile in TileID.world.children + TileID.world.children[0].children {
                board.read { _ in }
                gone += board.store(.ready(raster), for: TileKey(layer: layer, tile: tile))
            }
        }
        // Seven pictures of 4 KB fit into the memory for maps, and five into that for pictures over them.
        #expect(gone.count { $0.layer == "map" } == 1 && gone.count { $0.layer == "hills" } == 3)
        #expect(board.byteCount == 12 << 12)
    }

    @Test func `an empty picture takes one pixel of memory`() async throws {
        let nothing = try #require(
            Raster(width: 256, height: 256, pixels: [UInt8](repeating: 0, count: 1 << 18)))
        let harness = EngineHarness()
        var layer = TileLayer.test(ScriptedSource { _, _ in .answer(.bitmap(.raster(nothing))) })
        layer.isTransparent = true
        await harness.show(view, [layer])
        #expect(harness.engine.board.byteCount == 4 * layer.cover(of: view).count)
        #expect(harness.engine.board.scene(of: view, layers: [layer]).isComplete)
    }

    @Test func `layers that are not drawn locally are not drawn ahead`() async {
        let map = Map(isDrawn: false)
        await map.harness.show(view, [map.layer])
        await map.harness.show(view.panned(columns: 8, rows: 0), [map.layer])
        #expect(!map.isReady(view.panned(columns: 128, rows: 0)))
    }

    @Test func `fetched tiles are drawn completely at once`() async {
        let map = Map(from: .url("http://test/"))
        await map.harness.show(view, [map.layer])
        #expect(!map.drawing.pictures.isEmpty && map.drawing.pictures.allSatisfy { $0.seen == nil })
    }
}
