import Rhumb
import RhumbCore
import RhumbTestSupport
import Testing

private let picture = Raster(width: 256, height: 256, filledWith: RGB(0x808080))

@Suite struct `The backdrop` {
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 6.3), columns: 500, rows: 150)
    private let world = EmbeddedMap("world") { _, _ in .test(ScriptedSource { _, _ in .answer(.absent) }) }

    private func scene(_ layer: TileLayer) async -> Scene {
        let harness = EngineHarness()
        await harness.show(view, [layer])
        return harness.engine.board.scene(of: view, layers: [layer])
    }

    private func layer(_ step: @escaping @Sendable (TileID) -> ScriptedSource.Step) -> TileLayer {
        .test(ScriptedSource { tile, _ in step(tile) })
    }

    private let whole: @Sendable (TileID) -> ScriptedSource.Step = { _ in .answer(.bitmap(.raster(picture))) }

    private func follow(_ backdrop: inout Backdrop, _ layer: TileLayer) async -> Bool {
        backdrop.follow(await scene(layer), of: [layer], view, .night, .truecolor)
    }

    @Test func `it stays away from a map that fills the view`() async {
        var backdrop = Backdrop(world)
        let layer = layer(whole)
        #expect(await !follow(&backdrop, layer))
        #expect(backdrop.layers(under: [layer]).map(\.id) == [layer.id])
    }

    @Test func `it is drawn under absent tiles, paler and below everything, until the map fills the view`()
        async
    {
        var backdrop = Backdrop(world)
        let holes = layer { tile in
            tile.zoom < 6 || tile.x.isMultiple(of: 2) ? .answer(.absent) : .answer(.bitmap(.raster(picture)))
        }
        #expect(await follow(&backdrop, holes))
        let shown = backdrop.layers(under: [holes]).stacked
        #expect(shown.count == 2 && Backdrop.isBackdrop(shown[0]) && shown[1].id == holes.id)
        #expect(shown[0].opacity < 1)
        #expect(await !follow(&backdrop, holes))
        #expect(await follow(&backdrop, layer(whole)))
        #expect(!backdrop.isShown)
    }

    @Test(arguments: [
        ("vector.night:city", 1.0), ("vector.day256:city", 1), ("vector.1f2e3d:city", 0.6),
        ("photographs", 0.6),
    ])
    func `it continues a map in Rhumb's own style with the map's colours, whatever is drawn over it`(
        id: String, opacity: Double
    ) async throws {
        var backdrop = Backdrop(world), map = layer(whole).named(id)
        map.boundingBox = Bounds(west: 7.9, south: 46.9, east: 8.1, north: 47.1)
        #expect(await follow(&backdrop, map))
        var hills = layer(whole).named("hills")
        hills.isTransparent = true
        for layers in [[map], [map, hills]] {
            #expect(backdrop.layers(under: layers).first?.opacity == opacity)
        }
    }

    @Test func `it is a different layer in another theme or colour depth, so that no old image stays`() async
    {
        var backdrop = Backdrop(world)
        let holes = layer { _ in .answer(.absent) }
        let looks: [(MapTheme, ColorDepth)] = [(.night, .truecolor), (.day, .truecolor), (.day, .indexed16)]
        var ids: [TileLayer.ID] = []
        for (theme, depth) in looks {
            #expect(backdrop.follow(await scene(holes), of: [holes], view, theme, depth))
            ids += backdrop.layers(under: [holes]).map(\.id).filter { $0 != holes.id }
        }
        #expect(Set(ids).count == 3)
    }

    @Test func `it is drawn under tiles that are unavailable without a network`() async {
        var backdrop = Backdrop(world)
        #expect(await follow(&backdrop, layer { _ in .fail(TileFailure(.offline, "offline")) }))
    }

    @Test func `it is drawn around a map that ends within the view`() async {
        var backdrop = Backdrop(world), small = layer(whole)
        small.boundingBox = Bounds(west: 7.9, south: 46.9, east: 8.1, north: 47.1)
        #expect(await follow(&backdrop, small))
        small.boundingBox = Bounds(west: -60, south: 0, east: 60, north: 80)
        #expect(await follow(&backdrop, small))
        #expect(!backdrop.isShown)
    }

    @Test func `it is drawn around a rendered map whose bounds end within its tiles`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 6.3), columns: 300, rows: 100
        )
        var backdrop = Backdrop(world), map = layer(whole)
        map.drawing = VectorDrawing(
            TileSourceInfo(name: "map", zooms: 0...6, tileSize: .pixels256), painters: [:])
        for (bounds, isShown) in [
            (Bounds(west: 3, south: 43, east: 13, north: 51), true),
            (Bounds(west: 0, south: 40, east: 16, north: 54), false),
            (.init(west: -180, south: -85.0512, east: 180, north: 85.0512), false), (nil, false),
        ] {
            map.boundingBox = bounds
            _ = backdrop.follow(
                Scene(layers: [LayerScene(layer: map, tileZoom: 6)]), of: [map], view, .night, .truecolor)
            #expect(backdrop.isShown == isShown)
        }
    }

    @Test func `it isn't needed under a rendered map of the whole world, however its bounds are rounded`() {
        let view = Viewport(
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 1), columns: 300, rows: 100)
        for bounds in [
            Bounds(west: -180, south: -85.0511, east: 180, north: 85.0511),
            Bounds(west: -179.99, south: -85.06, east: 179.99, north: 85.06),
        ] {
            var backdrop = Backdrop(world), map = layer(whole)
            map.drawing = VectorDrawing(
                TileSourceInfo(name: "map", zooms: 0...6, tileSize: .pixels256), painters: [:])
            map.boundingBox = bounds
            _ = backdrop.follow(
                Scene(layers: [LayerScene(layer: map, tileZoom: 1)]), of: [map], view, .night, .truecolor)
            #expect(!backdrop.isShown, "\(bounds as Any)")
        }
    }

    @Test func `it is drawn under overlays without a map, and under tiles of data`() async {
        var backdrop = Backdrop(world), overlay = layer(whole), data = layer(whole)
        overlay.isTransparent = true
        #expect(await follow(&backdrop, overlay) && backdrop.isShown)
        data.drawing = VectorDrawing(TileSourceInfo(name: "data"), painters: [:], hasGround: false)
        var other = Backdrop(world)
        #expect(
            other.follow(
                Scene(layers: [LayerScene(layer: data, tileZoom: 6)]), of: [data], view, .night, .truecolor)
                && other.isShown)
    }

    @Test func `it is never drawn under its own map nor counted among the maps`() async {
        var backdrop = Backdrop(world)
        #expect(await !follow(&backdrop, layer { _ in .answer(.absent) }.named("world.night")))
        var drawn = await scene(layer(whole))
        drawn.layers.append(LayerScene(layer: layer(whole).named("backdrop.world.night"), tileZoom: 6))
        #expect(drawn.withoutBackdrop.layers.count == 1)
    }

    @Test func `it keeps a base map below the streets that refine it, and hides it where they fill the view`()
        async
    {
        var backdrop = Backdrop(world), streets = layer(whole)
        let base = layer(whole).named("world.night")
        streets.refinesBase = true
        let layers = [base, streets]
        func follow(_ scene: Scene) -> Bool { backdrop.follow(scene, of: layers, view, .night, .truecolor) }
        #expect(follow(await scene(streets)))
        #expect(backdrop.layers(under: layers).map(\.id) == [streets.id] && !backdrop.isBelow(layers))
        let gaps = layer { _ in .fail(TileFailure(.offline, "offline")) }
        var offline = gaps.named(streets.id)
        offline.refinesBase = true
        #expect(follow(await scene(offline)))
        #expect(backdrop.layers(under: layers).map(\.id) == layers.map(\.id) && backdrop.isBelow(layers))
        streets.visibleZooms = ZoomSet(9...30)
        #expect(!follow(await scene(streets)))
    }
}
