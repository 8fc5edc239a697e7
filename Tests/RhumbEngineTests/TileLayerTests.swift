import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TileLayerTests {
    private let source = ScriptedSource { tile, _ in .answer(.flat(tile)) }

    @Test(arguments: [
        (64, 2, 26), (128, 1, 25), (256, 0, 24), (512, -1, 23), (1024, -2, 22), (2048, -3, 21),
        (4096, -4, 20),
    ])
    func `the tile size shifts the zoom and bounds it`(pixels: Int, offset: Int, deepest: Int) throws {
        let size = try #require(TileSize(rawValue: pixels))
        #expect(size.rawValue == pixels)
        let layer = TileLayer.test(source, zooms: 0...30, size: size)
        #expect(layer.tileZoom(at: 10) == 10 + offset)
        #expect(layer.tileZoom(at: 24) == deepest)
        #expect(layer.tileZoom(at: 0) == max(offset, 0))
    }

    @Test(arguments: [Int.min, -256, 0, 1, 32, 63, 65, 255, 300, 384, 4095, 4097, 8192, Int.max])
    func `a tile size that isn't a power of two from 64 to 4096 is rejected`(pixels: Int) {
        #expect(TileSize(rawValue: pixels) == nil)
    }

    @Test(arguments: [
        ("my-Tiles_2", true), ("", false), ("a b", false), ("a/b", false), ("å", false), ("a\n", false),
    ])
    func `a cache identifier contains only letters, digits, _ and -, or is rejected`(
        name: String, isOne: Bool
    ) {
        var layer = TileLayer.test(source)
        layer.cacheIdentifier = name
        #expect(layer.cacheIdentifier == (isOne ? name : nil))
    }

    @Test func `the tile zoom is the map's rounded, with the detail added`() {
        var layer = TileLayer.test(source)
        #expect(layer.tileZoom(at: 7.4) == 7)
        #expect(layer.tileZoom(at: 7.6) == 8)
        layer.detail = 1
        #expect(layer.tileZoom(at: 7.4) == 8)
    }

    @Test(arguments: [
        (12.9, 14, 13), (13, 14, 14), (13.4, 14, 14), (12, 14, 12), (13, 15, 13), (6, 7, 6), (16, 14, 14),
    ])
    func `small streets at a source's last zoom are shown one zoom earlier`(
        zoom: Double, deepest: Int, tile: Int
    ) {
        var layer = TileLayer.test(source, zooms: 0...deepest)
        #expect(layer.tileZoom(at: 13) == min(13, deepest))
        layer.prefersLastZoom = true
        #expect(layer.tileZoom(at: zoom) == tile)
        #expect(layer.nearestTileZoom(at: zoom) == min(Int(zoom.rounded()), deepest))
    }

    @Test func `a hidden layer, or one outside its zooms, shows no tile`() {
        let view = Viewport.small(10, 50, zoom: 5.9)
        var layer = TileLayer.test(source)
        layer.visibleZooms = ZoomSet(0...4)
        #expect(layer.cover(of: view).isEmpty)
        layer.visibleZooms.insert(5...5)
        #expect(!layer.cover(of: view).isEmpty)
        layer.isVisible = false
        #expect(layer.cover(of: view).isEmpty)
    }

    @Test func `tiles outside the bounding box are not requested`() {
        var layer = TileLayer.test(source)
        layer.boundingBox = Bounds(west: -20, south: -10, east: -10, north: 10)
        #expect(layer.cover(of: .small(10, 50, zoom: 5)).isEmpty)
    }

    @Test func `far below its lowest zoom a layer is omitted`() {
        let layer = TileLayer.test(source, zooms: 12...15)
        #expect(layer.cover(of: .small(10, 50, zoom: 8)).isEmpty)
        #expect(!layer.cover(of: .small(10, 50, zoom: 9)).isEmpty)
    }

    @Test func `descendants replace a missing tile, or else an ancestor`() async {
        let blocked = ScriptedSource { tile, _ in tile.zoom == 4 ? .block(.absent) : .answer(.flat(tile)) }
        let layer = TileLayer.test(blocked)
        let harness = EngineHarness()
        await harness.show(.small(10, 50, zoom: 2), [layer])
        await harness.show(.small(10, 50, zoom: 5), [layer])
        let view = Viewport.small(10, 50, zoom: 4).resized(columns: 200, rows: 80)
        harness.engine.show(view, layers: [layer])
        let scene = harness.engine.board.scene(of: view, layers: [layer])
        let zooms = scene.layers[0].pictures.map(\.tile.tile.zoom)
        #expect(zooms.contains(2) && zooms.contains(5))
        let areas = scene.layers[0].pictures.map(\.area)
        for (at, area) in areas.enumerated() {
            #expect(!areas[(at + 1)...].contains { $0.box.overlaps(area.box) })
        }
        #expect(scene.loadingCount == layer.cover(of: view).count)
        blocked.release(100)
    }

    @Test(arguments: [TileSize.pixels256, .pixels512], [(24, 3), (20, 5), (80, 22)])
    func `a world map is drawn at the lowest zoom on every screen`(
        size: TileSize, screen: (columns: Int, rows: Int)
    ) {
        let whole = TileLayer.test(source, zooms: 0...8, size: size)
        let near = Viewport(
            camera: Camera(center: WorldPoint(x: 0.5, y: 0.5), zoom: 2), columns: screen.columns,
            rows: screen.rows)
        let far = near.zoomed(to: near.leastZoom)
        #expect(whole.cover(of: far).allSatisfy { $0.tile == TileID.world } && !whole.cover(of: far).isEmpty)
        #expect(TileLayer.test(source, zooms: 8...14, size: size).cover(of: far).isEmpty)
    }
}
