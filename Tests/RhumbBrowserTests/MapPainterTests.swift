import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct MapPainterTests {
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 6.3), columns: 60, rows: 20)

    private func scene(
        _ view: Viewport, _ script: @escaping @Sendable (TileID, Int) -> ScriptedSource.Step
    ) async -> Scene {
        let layer = TileLayer.test(ScriptedSource(script: script))
        let harness = EngineHarness()
        await harness.show(view, [layer])
        return harness.engine.board.scene(of: view, layers: [layer])
    }

    private func paint(
        _ scene: Scene, _ view: Viewport, _ change: (inout Settings) -> Void = { _ in }
    ) -> CellGrid {
        var settings = Settings()
        change(&settings)
        var painter = MapPainter()
        return painter.paint(scene, viewport: view, settings: settings, theme: .night)
    }

    @Test(arguments: [Symbols.half, .quadrant, [.sextant, .quadrant, .half]])
    func `panning by whole cells gives exactly the shifted cells`(symbols: Symbols) async {
        let speckled: @Sendable (TileID, Int) -> ScriptedSource.Step = { tile, _ in
            .answer(.bitmap(.raster(.speckled(tile))))
        }
        let before = paint(await scene(view, speckled), view) { $0.symbols = symbols }
        for (columns, rows) in [(7, 0), (0, -3), (-11, 2)] {
            let moved = view.panned(columns: columns, rows: rows)
            let after = paint(await scene(moved, speckled), moved) { $0.symbols = symbols }
            for row in 0..<view.rows where (0..<view.rows).contains(row + rows) {
                for column in 0..<view.columns where (0..<view.columns).contains(column + columns) {
                    #expect(after[row, column] == before[row + rows, column + columns])
                }
            }
        }
    }

    @Test(arguments: [0, 0.7])
    func `a painter that follows the map paints the same as a new one`(sharpness: Double) async {
        let speckled: @Sendable (TileID, Int) -> ScriptedSource.Step = { tile, _ in
            .answer(.bitmap(.raster(.speckled(tile))))
        }
        var painter = MapPainter(), settings = Settings(), view = view
        settings.sharpness = sharpness
        let moves = [(0, 0), (3, 0), (0, -2), (-5, 4), (0, 0), (61, 0), (1, 30)]
        for (columns, rows) in moves {
            view = view.panned(columns: columns, rows: rows)
            let scene = await scene(view, speckled)
            let along = painter.paint(scene, viewport: view, settings: settings, theme: .night)
            #expect(along == paint(scene, view) { $0 = settings })
        }
    }

    @Test func `changes are painted even if the map doesn't move`() async {
        var painter = MapPainter()
        func follows(_ scene: Scene, _ change: (inout Settings) -> Void = { _ in }) -> Bool {
            var settings = Settings()
            change(&settings)
            return painter.paint(scene, viewport: view, settings: settings, theme: .night)
                == paint(scene, view, change)
        }
        var scene = await scene(view) { tile, _ in .answer(.bitmap(.raster(.speckled(tile)))) }
        #expect(follows(scene))
        let last = scene.layers[0].pictures.removeLast()
        #expect(follows(scene))
        scene.layers[0].pictures.append(
            .init(raster: .flat(last.tile.tile), tile: last.tile, area: last.area))
        #expect(follows(scene))
        scene.layers[0].pictures[0].strength = 0.5
        #expect(follows(scene))
        #expect(follows(scene) { $0.colourBits = 8 })
        #expect(follows(scene) { $0.symbols = .half })
        scene.layers = []
        #expect(follows(scene))
    }

    @Test func `two rasters of one area are mixed by their opacity`() async {
        var scene = await scene(view) { _, _ in
            .answer(.bitmap(.raster(Raster(width: 256, height: 256, filledWith: RGB(0xFF0000)))))
        }
        let blue = Raster(width: 256, height: 256, filledWith: RGB(0x0000FF))
        scene.layers[0].pictures = scene.layers[0].pictures.flatMap { old in
            var (old, new) = (old, LayerScene.Picture(raster: blue, tile: old.tile, area: old.area))
            old.strength = 0.25
            new.strength = 0.75
            return [old, new]
        }
        let grid = paint(scene, view) { $0.colourBits = 8 }
        #expect(Set(grid.cells.map(\.paper)) == [.rgb(RGB(0x4000BF))])
    }

    @Test func `a failed tile is hatched and never blank`() async {
        let failure = TileFailure(.sourceFailed, "gone", retryAfter: .seconds(1000))
        let grid = paint(await scene(view) { _, _ in .fail(failure) }, view)
        let strokes = grid.cells.count { $0.glyph == "╱" }
        #expect(strokes > grid.cells.count / 5 && strokes < grid.cells.count / 3)
    }

    @Test func `unknown areas have a single uniform shade`() {
        let layer = TileLayer.test(BlankSource())
        let grid = paint(TileBoard().scene(of: view, layers: [layer]), view)
        #expect(Set(grid.cells).count == 1)
        #expect(grid.cells.first?.glyph == " ")
    }

    @Test func `far beyond a source's zooms its tile is enlarged to fill the view`() async {
        let deep = Viewport(camera: Camera(center: view.camera.center, zoom: 23.7), columns: 60, rows: 20)
        let layer = TileLayer.test(ScriptedSource { tile, _ in .answer(.flat(tile)) }, zooms: 0...3)
        let harness = EngineHarness()
        await harness.show(deep, [layer])
        let grid = paint(harness.engine.board.scene(of: deep, layers: [layer]), deep) { $0.colourBits = 8 }
        let tile = TileID(zoom: 3, containing: deep.camera.center)
        let colour = Raster.flat(tile).pixels
        guard case .rgb(let drawn) = grid[10, 30].paper.kind else {
            Issue.record("no colour")
            return
        }
        #expect(abs(Int(drawn.red) - Int(colour[0])) <= 4 && abs(Int(drawn.blue) - Int(colour[2])) <= 4)
    }

    @Test func `without UTF-8 only ASCII is drawn`() async {
        let grid = paint(await scene(view) { tile, _ in .answer(.bitmap(.raster(.speckled(tile)))) }, view) {
            $0.isUnicode = false
        }
        #expect(grid.cells.allSatisfy { $0.glyph.isASCII })
    }

    @Test func `an overlay of half opacity shows half of the map below`() async {
        let base = TileLayer.test(
            ScriptedSource { _, _ in
                .answer(.bitmap(.raster(Raster(width: 256, height: 256, filledWith: RGB(0x000000)))))
            }, id: "base")
        var over = TileLayer.test(
            ScriptedSource { _, _ in
                .answer(.bitmap(.raster(Raster(width: 256, height: 256, filledWith: RGB(0xFFFFFF)))))
            }, id: "over")
        over.opacity = 0.5
        let harness = EngineHarness()
        await harness.show(view, [base, over])
        let scene = harness.engine.board.scene(of: view, layers: [base, over])
        let grid = paint(scene, view) { $0.colourBits = 8 }
        guard case .rgb(let mixed) = grid[5, 5].paper.kind else {
            Issue.record("no colour")
            return
        }
        #expect(abs(Int(mixed.red) - 128) <= 3)
    }
}

extension Raster {
    /// Returns a tile of random blocks of 8 px, different for each tile but always the same.
    static func speckled(_ tile: TileID) -> Raster {
        var random = SplitMix(seed: UInt64(tile.x * 1_000_003 + tile.y * 997 + tile.zoom))
        let blocks = (0..<32 * 32).map { _ in UInt8.random(in: 0...255, using: &random) }
        var pixels: [UInt8] = []
        for y in 0..<256 {
            for x in 0..<256 {
                let value = blocks[y / 8 * 32 + x / 8]
                pixels += [value, 255 - value, value / 2, 255]
            }
        }
        return Raster(width: 256, height: 256, pixels: pixels) ?? .flat(tile)
    }
}
