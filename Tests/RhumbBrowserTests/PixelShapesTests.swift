@testable import RhumbBrowser
import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the lines and tints in the pixels of a map.
struct PixelShapesTests {
    private let cell = PixelSize(width: 8, height: 16)

    private func browser(_ kind: GridKind? = nil, zoom: Double = 12) -> Browser {
        var settings = Settings()
        settings.themeRule = .always(.night)
        settings.grid = kind
        return Browser(
            columns: 90, rows: 42, layers: [.test(BlankSource(), id: "a")],
            camera: Camera(center: Coordinate(latitude: 60.4, longitude: 22.25), zoom: zoom),
            settings: settings)
    }

    private func paint(
        _ browser: Browser, _ painter: inout PixelPainter, reason: LayerScene.Gap.Reason = .absent
    ) throws -> (image: IndexedImage, screen: CellGrid) {
        let scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers).with(reason)
        let (pixels, ground) = painter.paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme,
            cell: cell,
            shapes: browser.pixelShapes(scene, cell: cell))
        let image = try #require(
            pixels.image(columns: 0..<browser.map.viewport.columns, rows: 0..<browser.map.viewport.rows))
        return (image, browser.view(scene, overPixels: ground))
    }

    /// Returns the columns of pixels in a row that are brighter than the map.
    private func columns(_ image: IndexedImage, row: Int) -> [Int] {
        (0..<image.width).filter { image[row, $0].green > 60 }
    }

    @Test(arguments: GridKind.allCases)
    func `coordinate grids are lines of pixels, and only their labels are text`(kind: GridKind) throws {
        let browser = browser(kind)
        var painter = PixelPainter()
        let (image, screen) = try paint(browser, &painter)
        let crossings = stride(from: 0, to: image.height, by: 10).map { columns(image, row: $0).count }.min()
        #expect((2...30).contains(crossings ?? 0))
        let isCrossed = stride(from: 0, to: image.width, by: 10).map { column in
            (0..<image.height).contains { image[$0, column].green > 60 }
        }
        #expect(isCrossed.allSatisfy { $0 })
        let lines = Set("│─┼┃━╋║═╬".unicodeScalars)
        #expect(!screen.cells.prefix(90 * 40).contains { lines.contains($0.glyph) })
        let labels = browser.screen.lines[0].filter(\.isNumber)
        #expect(labels.count > 4 && screen.lines[0].filter(\.isNumber) == labels)
    }

    @Test func `a line stays at its place in the world while the view moves`() throws {
        var browser = browser(.utm)
        var painter = PixelPainter()
        let before = try paint(browser, &painter).image
        browser.map.viewport = browser.map.viewport.panned(columns: 5, rows: -3)
        let after = try paint(browser, &painter).image
        func distance(_ row: Int, _ column: Int) -> Int {
            let (a, b) = (after[row, column], before[row - 48, column + 40])
            return [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].map { abs(Int($0) - Int($1)) }
                .max() ?? 0
        }
        let largest = stride(from: 48, to: 640, by: 7).flatMap { row in
            (0..<(before.width - 40)).map { distance(row, $0) }
        }.max()
        // The curves are approximated in each view.
        #expect((largest ?? 255) <= 40)
    }

    @Test func `the line between two marks is drawn in pixels, on both sides of the antimeridian`() throws {
        for center in [Coordinate(latitude: 47, longitude: 8), Coordinate(latitude: 10, longitude: 179.9)] {
            var browser = browser(zoom: 6)
            browser.map.viewport = browser.map.viewport.with(Camera(center: center, zoom: 6))
            _ = browser.mark(browser.map.viewport.world(column: 20, row: 20), at: 20, 20)
            let second = browser.map.viewport.world(column: 70, row: 20)
            _ = browser.mark(second, at: 70, 20)
            var painter = PixelPainter()
            let (image, screen) = try paint(browser, &painter)
            for column in [200, 300, 400, 500] {
                let rows = (0..<image.height).filter { image[$0, column].green > 60 }
                #expect((1...5).contains(rows.count) && rows.allSatisfy { (280...350).contains($0) })
            }
            #expect(screen.dotted.isEmpty && !browser.screen.dotted.isEmpty)
            #expect(screen[20, 20].glyph == "1" && screen[20, 70].glyph == "2")
        }
    }

    @Test func `borders of tiles are lines of pixels, and their names are text`() throws {
        var browser = browser(zoom: 4)
        _ = browser.press(.character("b"))
        var painter = PixelPainter()
        let (image, screen) = try paint(browser, &painter)
        // A border of tiles crosses the view from north to south.
        let rows = stride(from: 0, to: image.height, by: 10).map { columns(image, row: $0) }
        #expect(rows.allSatisfy { (1...20).contains($0.count) })
        #expect(Set(rows.flatMap(\.self)).count <= 4)
        #expect(!screen.lines.prefix(40).contains { $0.contains("│") || $0.contains("┌") })
        let named = screen.cells.prefix(90 * 40).filter { $0 != .blank }
        #expect(named.contains { $0.glyph == "/" } && named.count < 40)
    }

    @Test func `tiles are tinted in pixels, without cells of one colour`() throws {
        var browser = browser(zoom: 4)
        var painter = PixelPainter()
        let plain = try paint(browser, &painter)
        browser.type("b")
        let effects = browser.press(.character("b"))
        let query = try #require(effects.queries(TileValueQuery.self).first)
        let zoom = query.zoom
        let middle = TileID(zoom: zoom, containing: browser.map.viewport.camera.center)
        _ = browser.send(.response(TileValues(values: [middle: 600_000]), to: query))
        let tinted = try paint(browser, &painter)
        let shade = try #require(TileShade.heat.last)
        let ground = plain.image[320, 360]
        #expect(tinted.image[320, 360] == ground.mixed(with: shade.colour, shade.weight))
        #expect(tinted.screen[20, 45] == .blank)
    }

    @Test func `letters of incidents are text`() throws {
        let browser = browser()
        var scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
        let sign = TrafficSign(
            place: browser.map.viewport.camera.center, category: .jam, magnitude: .major)
        scene.layers[0].signs = [sign]
        var painter = PixelPainter()
        let ground = painter.paint(
            scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme,
            cell: cell
        ).ground
        let screen = browser.view(scene, overPixels: ground)
        #expect(screen[20, 45].glyph == "J" && screen[20, 45].paper != .terminal)
        #expect(screen[20, 46] == .blank)
    }

    @Test func `failed areas are hatched in pixels`() throws {
        let browser = browser()
        var painter = PixelPainter()
        let (image, screen) = try paint(
            browser, &painter, reason: .failed(TileFailure(.sourceFailed, "failed")))
        let rows = [100, 101].map { row in
            (0..<image.width).filter { image[row, $0].red > 180 }
        }
        #expect(rows[0].count > 30 && rows[0].count < 100)
        #expect(rows[1].dropFirst(2).dropLast(2) == rows[0].map { $0 - 1 }.dropFirst(2).dropLast(2))
        #expect(!screen.cells.contains { $0.glyph == "╱" })
    }
}

extension Scene {
    /// Returns the scene with a reason why its tiles are missing.
    fileprivate func with(_ reason: LayerScene.Gap.Reason) -> Scene {
        Scene(
            layers: layers.map { layer in
                var layer = layer
                layer.gaps = layer.gaps.map {
                    LayerScene.Gap(area: $0.area, reason: reason, bare: $0.bare)
                }
                return layer
            })
    }
}
