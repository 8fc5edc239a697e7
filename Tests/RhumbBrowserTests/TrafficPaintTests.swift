import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct TrafficPaintTests {
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 6.3), columns: 40, rows: 12)

    private func scene(_ colour: RGB, _ feature: Feature = .trafficFlow, opacity: Double = 1) async -> Scene {
        let raster = Raster(width: 256, height: 256, filledWith: colour)
        var layer = TileLayer.test(ScriptedSource { _, _ in .answer(.bitmap(.raster(raster))) })
        layer.feature = feature
        layer.opacity = opacity
        let harness = EngineHarness()
        await harness.show(view, [layer])
        return harness.engine.board.scene(of: view, layers: [layer])
    }

    private func paint(_ scene: Scene, _ change: (inout Settings) -> Void) -> Set<Cell> {
        var settings = Settings(), painter = MapPainter()
        change(&settings)
        return Set(painter.paint(scene, viewport: view, settings: settings, theme: .night).cells)
    }

    @Test(arguments: TrafficLevel.allCases, [ColorDepth.indexed16, .mono])
    func `with few colours every cell shows its level by a glyph`(
        level: TrafficLevel, depth: ColorDepth
    ) async {
        let scene = await scene(TrafficRamp.standard.colour(of: level))
        for (isUnicode, colours) in [(true, TrafficColours.standard), (false, .colourblind)] {
            let cells = paint(scene) {
                $0.depth = depth
                $0.isUnicode = isUnicode
                $0.trafficColours = colours
            }
            #expect(cells == [colours.ramp.mark(of: level, depth: depth, unicode: isUnicode)])
        }
    }

    @Test(arguments: TrafficLevel.allCases, TrafficColours.allCases)
    func `with many colours the chosen ramp is drawn`(level: TrafficLevel, colours: TrafficColours) async {
        let cells = paint(await scene(TrafficRamp.standard.colour(of: level))) {
            $0.trafficColours = colours
            $0.colourBits = 8
        }
        #expect(cells.map(\.paper) == [.rgb(colours.ramp.colour(of: level))])
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .indexed16, .mono])
    func `an incident's letter is at its position, even across 180°, and the worse of two is shown`(
        depth: ColorDepth
    ) async {
        var scene = await scene(RGB(0x808080), .trafficIncidents)
        let far = Viewport(
            camera: Camera(center: Coordinate(latitude: 47, longitude: 179.9), zoom: 6.3), columns: 40,
            rows: 12)
        for (view, place) in [
            (view, Mercator.world(Coordinate(latitude: 47, longitude: 8))),
            (far, Mercator.world(Coordinate(latitude: 47, longitude: -179.9))),
        ] {
            let jam = TrafficSign(place: place, category: .jam, magnitude: .minor)
            let closed = TrafficSign(place: place, category: .roadClosed, magnitude: .undefined)
            scene.layers[0].signs = [closed, jam]
            var settings = Settings(), painter = MapPainter()
            settings.depth = depth
            let cells = painter.paint(scene, viewport: view, settings: settings, theme: .night).cells
            #expect(
                cells.filter { $0.glyph == "X" } == [closed.cell(depth)]
                    && !cells.contains { $0.glyph == "J" })
        }
    }

    @Test func `at a crossing the worst level is shown`() async {
        let free = TrafficRamp.standard.colour(of: .free), jam = TrafficRamp.standard.colour(of: .jam)
        var pixels: [UInt8] = []
        for _ in 0..<256 * 128 {
            pixels += [free.red, free.green, free.blue, 255, jam.red, jam.green, jam.blue, 255]
        }
        let raster = Raster(width: 256, height: 256, pixels: pixels)
        var layer = TileLayer.test(
            ScriptedSource { tile, _ in .answer(.bitmap(.raster(raster ?? .flat(tile)))) })
        layer.feature = .trafficFlow
        let harness = EngineHarness()
        await harness.show(view, [layer])
        let cells = paint(harness.engine.board.scene(of: view, layers: [layer])) { $0.depth = .mono }
        #expect(cells.map(\.glyph) == ["#"])
    }

    @Test func `stale marks are pale, and incidents have their own`() async {
        let old = paint(await scene(TrafficRamp.standard.colour(of: .jam), opacity: 0.5)) { $0.depth = .mono }
        #expect(old.map(\.style) == [.dim])
        #expect(
            paint(await scene(RGB(0xFF00FF), .trafficIncidents)) { $0.depth = .indexed16 }.map(\.glyph) == [
                "!"
            ])
    }

    @Test(arguments: TrafficColours.allCases)
    func `the foreground and background of a mark always differ`(colours: TrafficColours) {
        for level in TrafficLevel.allCases {
            let mark = colours.ramp.mark(of: level, depth: .indexed16, unicode: true)
            #expect(mark.ink != mark.paper)
        }
    }
}
