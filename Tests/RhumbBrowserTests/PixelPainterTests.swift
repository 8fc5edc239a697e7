import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct PixelPainterTests {
    private let cell = PixelSize(width: 8, height: 16)
    private let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 6), columns: 90, rows: 40)

    private let harness = EngineHarness()
    private let layer = {
        var layer = TileLayer.test(
            ScriptedSource(script: { tile, _ in .answer(.bitmap(.raster(.speckled(tile)))) }))
        layer.detail = 2
        return layer
    }()

    private func scene(_ view: Viewport) async -> Scene {
        await harness.show(view, [layer])
        return harness.engine.board.scene(of: view, layers: [layer])
    }

    /// Returns the pixels of a frame as 0xRRGGBB; nil where there are none.
    private func pixels(_ frame: PixelFrame, _ view: Viewport) -> [UInt32?] {
        let width = view.columns * cell.width
        var pixels = [UInt32?](repeating: nil, count: width * view.rows * cell.height)
        for tile in frame.tiles {
            let place = tile.placement
            let wide = place.width > 0 ? place.width : tile.image.width
            let high = place.height > 0 ? place.height : tile.image.height
            for y in 0..<high {
                for x in 0..<wide {
                    let row = place.row * cell.height + place.y + y
                    let column = place.column * cell.width + place.x + x
                    #expect(pixels[row * width + column] == nil)
                    pixels[row * width + column] = tile.image[place.top + y, place.left + x].hex
                }
            }
        }
        return pixels
    }

    private func paint(_ scene: Scene, _ view: Viewport, _ painter: inout PixelPainter) -> PixelFrame {
        painter.paint(scene, viewport: view, settings: Settings(), theme: .night, cell: cell).pixels
    }

    @Test func `the blocks fill the view exactly, without gaps or overlaps`() async {
        for (columns, rows) in [(0, 0), (1, 1), (-33, 7), (200, -60)] {
            let moved = view.panned(columns: columns, rows: rows)
            var painter = PixelPainter()
            #expect(!pixels(paint(await scene(moved), moved, &painter), moved).contains(nil))
        }
    }

    @Test func `a pan shifts the pixels and reuses the blocks`() async {
        var painter = PixelPainter()
        let before = paint(await scene(view), view, &painter)
        let moved = view.panned(columns: 5, rows: 3)
        let after = paint(await scene(moved), moved, &painter)
        let kept = Set(before.tiles.map(\.content)).intersection(after.tiles.map(\.content))
        #expect(kept.count >= before.tiles.count / 2)
        let old = pixels(before, view)
        let new = pixels(after, moved)
        let width = view.columns * cell.width
        for row in stride(from: 0, to: (view.rows - 3) * cell.height, by: 5) {
            for column in stride(from: 0, to: (view.columns - 5) * cell.width, by: 3) {
                #expect(
                    new[row * width + column]
                        == old[(row + 3 * cell.height) * width + column + 5 * cell.width])
            }
        }
    }

    @Test func `text over the map has a background of its own, and the map's cells are blank`() async {
        let scene = await scene(view)
        var painter = PixelPainter()
        let (_, ground) = painter.paint(
            scene, viewport: view, settings: Settings(), theme: .night, cell: cell)
        let browser = Browser(
            columns: view.columns, rows: view.rows + 2, layers: [], camera: view.camera)
        let screen = browser.view(scene, overPixels: ground)
        let map = screen.cells[..<(view.columns * view.rows)]
        #expect(map.count { $0 == .blank } > map.count / 2)
        #expect(map.allSatisfy { $0 == .blank || $0.paper != .terminal })
    }

    @Test func `the blocks of the first view fill it without waste`() async {
        var painter = PixelPainter()
        let frame = paint(await scene(view), view, &painter)
        #expect(frame.tiles.reduce(0) { $0 + $1.image.pixels.count } == 90 * 8 * 40 * 16)
        #expect(frame.isSharp)
    }

    @Test func `on a slow line blocks are coarse, and then sharpened one by one`() async {
        var painter = PixelPainter()
        let scene = await scene(view)
        func frame(_ sharpening: Int) -> PixelFrame {
            painter.paint(
                scene, viewport: view, settings: Settings(), theme: .night, cell: cell,
                sharpening: sharpening
            ).pixels
        }
        let coarse = frame(0)
        #expect(coarse.tiles.allSatisfy { !$0.isSharp && $0.image.palette.count <= 64 })
        #expect(coarse.tiles.reduce(0) { $0 + $1.image.pixels.count } == 90 * 4 * 40 * 8)
        #expect(coarse.tiles.reduce(0) { $0 + $1.placement.columns * $1.placement.rows } == 90 * 40)
        #expect(frame(1).tiles.filter(\.isSharp).count == 1)
        for _ in coarse.tiles.dropFirst() { _ = frame(1) }
        #expect(frame(0).isSharp)
        let image = frame(0).image(columns: 0..<90, rows: 0..<40)
        #expect(image?.height == 40 * 16)
    }

    @Test func `blocks whose tiles are loading are coarse`() async {
        let scene = harness.engine.board.scene(of: view, layers: [layer])
        var painter = PixelPainter()
        #expect(!scene.isComplete && !paint(scene, view, &painter).tiles.contains(where: \.isSharp))
        #expect(paint(await self.scene(view), view, &painter).isSharp)
    }

    @Test func `blocks around the view are painted ahead, and then shown after a pan`() async throws {
        var painter = PixelPainter()
        let first = Set(paint(await scene(view), view, &painter).tiles.map(\.content))
        let wide = PixelPainter.widened(view, cell: cell)
        let around = await scene(wide)
        var known = Set<UInt64>()
        while let tile = painter.paintAhead(
            around, wide: wide, settings: Settings(), theme: .night, cell: cell,
            unless: { known.contains($0) })
        {
            known.insert(tile.content)
        }
        #expect(known.count >= 9)
        let moved = view.panned(columns: 7, rows: -4)
        // The engine may have dropped a tile meanwhile, whose block is then painted again.
        let shown = paint(await scene(moved), moved, &painter).tiles.map(\.content).filter {
            !first.contains($0)
        }
        #expect(shown.count >= 4 && shown.count { known.contains($0) } >= shown.count - 1)
    }
}
