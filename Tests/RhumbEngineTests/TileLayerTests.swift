import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TileLayerTests {
    private let source = ScriptedSource { tile, _ in .answer(.flat(tile)) }

    @Test(arguments: [(TileSize.pixels128, 1, 21), (.pixels256, 0, 20), (.pixels512, -1, 19)])
    func `the tile size shifts the zoom and bounds it`(size: TileSize, offset: Int, deepest: Int) {
        let layer = TileLayer.test(source, zooms: 0...25, size: size)
        #expect(layer.tileZoom(at: 10) == 10 + offset)
        #expect(layer.tileZoom(at: 24) == deepest)
        #expect(layer.tileZoom(at: 0) == max(offset, 0))
    }

    @Test func `the tile zoom is the map's rounded, with the detail added`() {
        var layer = TileLayer.test(source)
        #expect(layer.tileZoom(at: 7.4) == 7)
        #expect(layer.tileZoom(at: 7.6) == 8)
        layer.detail = 1
        #expect(layer.tileZoom(at: 7.4) == 8)
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

    @Test func `tiles outside the bounding box are not asked for`() {
        var layer = TileLayer.test(source)
        layer.boundingBox = Bounds(west: -20, south: -10, east: -10, north: 10)
        #expect(layer.cover(of: .small(10, 50, zoom: 5)).isEmpty)
    }

    @Test func `far below its lowest zoom a layer is left out`() {
        let layer = TileLayer.test(source, zooms: 12...15)
        #expect(layer.cover(of: .small(10, 50, zoom: 8)).isEmpty)
        #expect(!layer.cover(of: .small(10, 50, zoom: 9)).isEmpty)
    }

    @Test func `descendants stand in for a missing tile, on top of an ancestor`() async {
        let blocked = ScriptedSource { tile, _ in tile.zoom == 4 ? .block(.absent) : .answer(.flat(tile)) }
        let layer = TileLayer.test(blocked)
        let harness = EngineHarness()
        await harness.show(.small(10, 50, zoom: 2), [layer])
        await harness.show(.small(10, 50, zoom: 5), [layer])
        let view = Viewport.small(10, 50, zoom: 4)
        harness.engine.show(view, layers: [layer])
        let scene = harness.engine.board.scene(of: view, layers: [layer])
        let zooms = scene.layers[0].pictures.map(\.tile.tile.zoom)
        #expect(zooms.contains(2) && zooms.contains(5))
        #expect(scene.loadingCount == layer.cover(of: view).count)
        blocked.release(100)
    }
}
