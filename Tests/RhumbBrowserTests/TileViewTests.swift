@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the properties of tiles on the map, their lists, and the comparison of archives.
struct TileViewTests {
    private func browser(columns: Int = 80, depth: ColorDepth = .truecolor) -> Browser {
        var settings = Settings()
        settings.depth = depth
        return Browser(
            columns: columns, rows: 24,
            layers: [.test(BlankSource(), id: "a"), .test(BlankSource(), id: "b")],
            camera: Camera(center: Coordinate(latitude: 20, longitude: 0), zoom: 1.5), settings: settings)
    }

    private func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileID {
        try #require(TileID(zoom: zoom, x: x, y: y))
    }

    /// Shows the sizes of tiles: 600 kB in the west, 5 kB in the east.
    private func heat(_ browser: inout Browser) throws {
        browser.type("b")
        let effects = browser.press(.character("b"))
        let query = try #require(effects.queries(TileValueQuery.self).first)
        #expect(query.measure == .bytes && query.layer == "a")
        var values: [TileID: Int] = [:]
        for tile in TileID.pyramid(query.zoom...query.zoom) {
            values[tile] = tile.x * 2 < 1 << query.zoom ? 600_000 : 5000
        }
        _ = browser.send(.response(TileValues(values: values), to: query))
    }

    private func ranking(_ browser: inout Browser, _ effects: [Effect]) throws -> [Effect] {
        let query = try #require(effects.queries(TileRankingQuery.self).first)
        let listed = [
            ListedTile(tile: try tile(5, 3, 4), text: "600 kB"),
            ListedTile(tile: try tile(2, 1, 1), text: "5 kB"),
        ]
        return browser.send(.response(TileRanking(tiles: listed), to: query))
    }

    @Test func `b cycles through borders and the measures of images, and back`() {
        var browser = browser()
        var views: [TileView] = []
        for _ in 0..<4 {
            _ = browser.press(.character("b"))
            views.append(browser.tiles.view)
        }
        #expect(views == [.borders, .bytes, .age, .none])
    }

    @Test func `tiles are tinted by their size, with a legend`() throws {
        var browser = browser()
        let plain = browser.screen
        try heat(&browser)
        let screen = browser.screen
        #expect(screen.lines.contains { $0.contains("size of tiles") })
        #expect(screen.lines.contains { $0.contains("> 500 kB") })
        let row = 3 * 80
        #expect((0..<80).contains { screen.cells[row + $0].paper != plain.cells[row + $0].paper })
    }

    @Test(arguments: [ColorDepth.indexed16, .mono])
    func `few colours show signs`(depth: ColorDepth) throws {
        var browser = browser(depth: depth)
        try heat(&browser)
        let line = browser.screen.lines[3]
        #expect(line.contains("█") && line.contains("·"), "\(line)")
    }

    @Test func `the full stop measures all tiles, and then steps through the largest`() throws {
        var browser = browser()
        try heat(&browser)
        let asked = browser.press(.character("."))
        #expect(browser.shows("Measuring all tiles"))
        let effects = try ranking(&browser, asked)
        #expect(!effects.isEmpty && browser.shows("1 of 2: 5/3/4, 600 kB"))
        _ = browser.press(.character("."))
        #expect(browser.shows("2 of 2: 2/1/1, 5 kB"))
        _ = browser.press(.character("."))
        #expect(browser.shows("1 of 2: 5/3/4"))
        _ = browser.press(.character(","))
        #expect(browser.shows("2 of 2: 2/1/1"))
    }

    @Test func `B lists the tiles, and Enter goes to one`() throws {
        var browser = browser(columns: 120)
        _ = browser.press(.character("B"))
        #expect(browser.shows("Press b to show the sizes"))
        _ = browser.press(.escape)
        try heat(&browser)
        _ = try ranking(&browser, browser.press(.character("B")))
        #expect(browser.shows("Tiles with most bytes") && browser.shows("600 kB"))
        _ = browser.press(.character("j"))
        _ = browser.press(.enter)
        #expect(browser.shows("2 of 2: 2/1/1"))
    }

    @Test func `unknown ages are reported once`() throws {
        var browser = browser()
        browser.tiles.view = .bytes
        let effects = browser.press(.character("b"))
        let query = try #require(effects.queries(TileValueQuery.self).first)
        #expect(query.measure == .age)
        _ = browser.send(.response(TileValues(values: [:], problem: "no ages"), to: query))
        #expect(browser.shows("no ages"))
    }

    // MARK: Comparison

    private func compared(columns: Int = 80, depth: ColorDepth = .truecolor) throws -> Browser {
        var browser = browser(columns: columns, depth: depth)
        let changes = [
            MapComparison.Change(tile: try tile(3, 0, 0), kind: .added, bytes: (0, 500)),
            .init(tile: try tile(3, 7, 7), kind: .removed, bytes: (40_000, 0)),
            .init(tile: try tile(1, 1, 0), kind: .changed, bytes: (9000, 7000)),
        ]
        browser.begin(
            comparing: MapComparison(
                first: [browser.map.layers[0]], second: [browser.map.layers[1]], names: ("old", "new"),
                changes: changes, counts: [.added: 1, .removed: 1, .changed: 1]))
        return browser
    }

    @Test func `changes are listed with a legend, largest first`() throws {
        var browser = try compared()
        #expect(browser.shows("2: new") && browser.shows("added 1") && browser.shows("removed 1"))
        var seen: [String] = []
        for _ in 0..<3 {
            _ = browser.press(.character("."))
            seen += ["7/7", "0/0", "1/0"].filter { browser.shows("/\($0), ") }
        }
        #expect(seen == ["7/7", "1/0", "0/0"])
        #expect(browser.shows("3 of 3: 3/0/0, added, 500 B"))
    }

    @Test func `x switches between the archives`() throws {
        var browser = try compared()
        #expect(browser.map.layers.map(\.isVisible) == [false, true])
        #expect(browser.press(.character("x")).contains(.updateView))
        #expect(browser.map.layers.map(\.isVisible) == [true, false] && browser.shows("1: old"))
        _ = browser.press(.character("x"))
        #expect(browser.map.layers.map(\.isVisible) == [false, true])
        var other = self.browser()
        _ = other.press(.character("x"))
        #expect(other.shows("Nothing to compare"))
    }

    @Test func `X shows both archives with an edge that arrow keys and the mouse move`() throws {
        var browser = try compared()
        #expect(browser.press(.character("X")).contains(.updateView))
        #expect(browser.map.layers.map(\.isVisible) == [true, true])
        #expect(browser.screen.lines[3].map(\.self)[40] == "┃")
        let camera = browser.map.viewport.camera
        _ = browser.press(.arrow(.right, shift: false))
        _ = browser.press(.arrow(.right, shift: true))
        #expect(browser.tiles.comparison?.edge == 50 && browser.map.viewport.camera == camera)
        for (action, column) in [(MouseEvent.Action.press, 51), (.drag, 60), (.drag, 20), (.release, 20)] {
            _ = browser.press(.mouse(MouseEvent(action, column: column, row: 5)))
        }
        #expect(browser.tiles.comparison?.edge == 20 && browser.map.viewport.camera == camera)
        #expect(browser.screen.lines[3].map(\.self)[20] == "┃")
        _ = browser.press(.mouse(MouseEvent(.drag, column: 30, row: 5)))
        #expect(browser.tiles.comparison?.edge == 20)
        for _ in 0..<20 { _ = browser.press(.arrow(.left, shift: true)) }
        #expect(browser.tiles.comparison?.edge == 0)
        _ = browser.press(.character("X"))
        #expect(
            browser.map.layers.map(\.isVisible) == [false, true] && browser.tiles.comparison?.edge == nil)
    }

    @Test func `each side of the edge has the layers of one archive`() throws {
        var browser = try compared()
        let scene = Scene(layers: browser.map.layers.map { LayerScene(layer: $0, tileZoom: 0) })
        #expect(browser.sides(of: scene) == nil)
        _ = browser.press(.character("X"))
        let sides = try #require(browser.sides(of: scene))
        #expect(sides.first.layers.map(\.layer.id) == [browser.map.layers[0].id])
        #expect(sides.second.layers.map(\.layer.id) == [browser.map.layers[1].id] && sides.edge == 40)
        _ = browser.press(.character("x"))
        #expect(browser.sides(of: scene) == nil && browser.map.layers.map(\.isVisible) == [false, true])
    }

    @Test func `a difference of colours outweighs that of the sizes`() throws {
        let change = MapComparison.Change(
            tile: .world, kind: .changed, bytes: (9000, 9001), difference: 0.5)
        #expect(change.amount == 100_000)
    }

    @Test func `a tile shows its own change, or else the largest of its descendants`() throws {
        let comparison = try #require(try compared().tiles.comparison)
        let own = try #require(comparison.shade(of: tile(1, 1, 0)))
        #expect(own.ascii == "~")
        let added = try tile(1, 0, 0), removed = try tile(2, 3, 3)
        #expect(comparison.shade(of: added)?.ascii == "+")
        #expect(comparison.shade(of: removed)?.ascii == "-")
        #expect(comparison.shade(of: .world)?.ascii == "-")
        #expect(comparison.shade(of: .world)?.isHatched == true && !own.isHatched)
        for unchanged in [try tile(1, 0, 1), try tile(3, 1, 0)] {
            #expect(comparison.shade(of: unchanged) == nil)
        }
    }

    @Test func `kinds of changes differ in 16 colours and without colours`() throws {
        for depth in [ColorDepth.indexed16, .mono] {
            var browser = try compared(depth: depth)
            _ = browser.press(.character("0"))
            let text = browser.screen.lines.joined()
            #expect(text.contains("▓▓ changed"), "\(text)")
        }
    }

    @Test func `b leads from the changes to the measures`() throws {
        var browser = try compared()
        _ = browser.press(.character("b"))
        #expect(browser.tiles.view == .bytes)
    }
}
