@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the mouse on the map and in panels.
struct MouseTests {
    private func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) -> Key {
        .mouse(MouseEvent(action, column: column, row: row))
    }

    private func click(_ browser: inout Browser, _ column: Int, _ row: Int) -> [Effect] {
        browser.press(mouse(.press, column, row)) + browser.press(mouse(.release, column, row))
    }

    private func browser() -> Browser {
        .test(
            columns: 120, rows: 40, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.26), zoom: 12))
    }

    @Test func `a click marks the point, a second one shows the distance, and Esc clears both`() throws {
        var browser = browser()
        _ = click(&browser, 30, 10)
        let place = browser.toldPlace
        #expect(browser.shows(PlaceFormat.coordinate(place, zoom: 12)) && browser.markedDistance == nil)
        _ = click(&browser, 60, 10)
        let text = try #require(browser.markedDistance)
        #expect(text.contains("km E") && browser.screen.lines[38].contains(text))
        #expect(browser.screen.lines[10].contains("1") && browser.screen.lines[10].contains("2"))
        #expect(browser.screen.dotted.count { $0 / 120 == 10 } == 29)
        _ = click(&browser, 90, 20)
        #expect(browser.pointing.marks.count == 1)
        _ = browser.press(.escape)
        #expect(browser.pointing.marks.isEmpty && browser.toldPlace == browser.map.viewport.camera.coordinate)
    }

    @Test func `a click queries the marked place when the view rests`() {
        var browser = browser()
        _ = click(&browser, 30, 10)
        let asked = browser.update(.tick, at: .seconds(5)).compactMap { effect in
            effect.query(SettlementQuery.self)?.place
        }
        #expect(asked.last.map { $0.metres(to: browser.toldPlace) < 1 } == true)
    }

    @Test func `a click names the feature below it, or else the nearest settlement`() throws {
        var map = LabelledMap(LabelledSource(), columns: 120, rows: 40)
        map.browser.type("N")
        let effects = click(&map.browser, 30, 10), place = map.browser.toldPlace
        #expect(effects.queries(FeatureQuery.self).contains { $0.question.place == place })
        let unnamed = MapFeature(layer: "land", kind: .polygon, attributes: [.init("kind", "wood")])
        let road = MapFeature(
            layer: "roads", kind: .line, attributes: [.init("name", "Via Roma"), .init("kind", "major")])
        map.send(.features(.success([road]), at: Coordinate(latitude: 1, longitude: 1)))
        #expect(!map.browser.screen.lines[38].contains("Via Roma"))
        map.send(.features(.success([unnamed, road]), at: place))
        #expect(map.browser.screen.lines[38].contains("Via Roma"))
        _ = map.browser.press(.escape)
        #expect(!map.browser.screen.lines[38].contains("Via Roma"))
    }

    @Test func `a click on a label names its feature`() throws {
        var source = LabelledSource()
        source.add("Via Roma", at: LabelledMap.place(20, 5))
        var map = LabelledMap(source, columns: 120, rows: 40)
        let label = try #require(map.places(of: "Via Roma").first)
        let effects = click(&map.browser, label.x + 2, label.y)
        #expect(map.browser.screen.lines[38].hasPrefix(" Via Roma "))
        #expect(effects.queries(FeatureQuery.self).isEmpty)
    }

    @Test func `a double click zooms in at the point and leaves no mark`() {
        var browser = browser()
        let place = browser.map.viewport.world(column: 30.5, row: 10.5)
        _ = click(&browser, 30, 10)
        _ = click(&browser, 30, 10)
        let cell = browser.map.viewport.cell(of: place)
        #expect(browser.map.viewport.camera.zoom == 13 && browser.pointing.marks.isEmpty)
        #expect(abs(cell.column - 30.5) < 1e-6 && abs(cell.row - 10.5) < 1e-6)
        for time in [1, 2] {
            for action in [MouseEvent.Action.press, .release] {
                _ = browser.update(.key(mouse(action, 50, 10)), at: .seconds(time))
            }
        }
        #expect(browser.map.viewport.camera.zoom == 13 && browser.pointing.marks.count == 2)
    }

    @Test func `a click on a hint presses its key, unless something else covers it`() throws {
        var browser = browser()
        let line = browser.screen.lines[39]
        let start = try #require(line.firstRange(of: "m maps")).lowerBound
        let column = line.distance(from: line.startIndex, to: start)
        _ = click(&browser, column + 3, 39)
        #expect(browser.openPanel == .layers)
        _ = browser.press(.escape)
        _ = click(&browser, column - 1, 39)
        #expect(browser.openPanel == nil && browser.pointing.marks.isEmpty)
        _ = browser.update(.problem("something is wrong"), at: .seconds(9))
        _ = click(&browser, column + 3, 39)
        #expect(browser.openPanel == nil)
    }

    @Test func `a place outside the window counts as its nearest cell`() {
        var near = browser(), far = browser()
        _ = near.press(mouse(.wheelUp, 119, 0))
        _ = far.press(mouse(.wheelUp, 999_999_999, -7))
        #expect(far.map.viewport == near.map.viewport)
    }

    @Test func `there are no flights on a slow line`() {
        var browser = browser()
        _ = browser.update(.slowLine(true), at: .zero)
        _ = browser.press(.character("0"))
        #expect(browser.movement.flight == nil && browser.map.viewport.camera.zoom < 2)
        _ = browser.update(.slowLine(false), at: .zero)
        _ = browser.press(.character("u"))
        #expect(browser.movement.flight != nil)
    }

    @Test func `dragging moves the map and marks nothing`() {
        var browser = browser(), before = browser.map.viewport
        _ = browser.press(mouse(.press, 30, 10))
        _ = browser.press(mouse(.drag, 40, 10))
        _ = browser.press(mouse(.release, 40, 10))
        before = before.panned(columns: -10, rows: 0)
        #expect(
            browser.map.viewport.camera.center.x == before.camera.center.x && browser.pointing.marks.isEmpty)
    }

    @Test func `the wheel scrolls a panel and not the map`() {
        var browser = browser()
        browser.type("?")
        let before = browser.screen.lines, camera = browser.map.viewport.camera
        _ = browser.press(mouse(.wheelDown, 100, 10))
        #expect(browser.screen.lines != before && browser.map.viewport.camera == camera)
    }

    @Test func `a click selects a line, and acts on a selected one`() throws {
        var browser = browser()
        browser.type("m")
        _ = browser.press(.tab)
        _ = browser.update(
            .sources(["a", "b", "c"].map { SourceChoice(specifier: $0, name: "Map \($0)", note: "") }),
            at: browser.map.now)
        let row = try #require(browser.screen.lines.firstIndex { $0.contains("Map c") })
        #expect(!click(&browser, 100, row).contains { if case .open = $0 { true } else { false } })
        let chosen = try #require(browser.screen.lines.firstIndex { $0.contains("Map c") })
        #expect(click(&browser, 100, chosen).contains(.open(source: "c", over: false)))
        let second = try #require(browser.screen.lines.firstIndex { $0.contains("Map b") })
        _ = click(&browser, 100, second)
        #expect(browser.press(.enter).contains(.open(source: "b", over: false)))
    }

    @Test func `a click on a key presses it`() throws {
        var browser = browser()
        browser.type("i")
        let scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
        _ = browser.update(.frame(browser.use(of: scene, hasBackdrop: false)), at: .zero)
        let row = try #require(browser.screen.lines.firstIndex { $0.contains("Esc close") })
        let line = browser.screen.lines[row]
        let column = try #require(line.firstRange(of: "Esc")).lowerBound
        _ = browser.press(mouse(.press, line.distance(from: line.startIndex, to: column), row))
        #expect(browser.openPanel == nil)
    }

    @Test func `with a download form open, a drag selects its area, and keys don't move the map`() throws {
        var browser = browser()
        browser.type("d")
        let camera = browser.map.viewport.camera
        _ = browser.press(mouse(.press, 20, 10))
        let effects = browser.press(mouse(.drag, 40, 20))
        let draft = try #require(
            effects.queries(RegionPlanQuery.self).map(\.draft).last)
        let box = try #require(
            Bounds(
                west: Mercator.coordinate(browser.map.viewport.world(column: 20, row: 10)).longitude,
                south: Mercator.coordinate(browser.map.viewport.world(column: 41, row: 21)).latitude,
                east: Mercator.coordinate(browser.map.viewport.world(column: 41, row: 21)).longitude,
                north: Mercator.coordinate(browser.map.viewport.world(column: 20, row: 10)).latitude))
        #expect(draft.box == box && browser.shows("Download this area"))
        browser.type("hjklHJKL+0u")
        #expect(browser.map.viewport.camera == camera && browser.openPanel == .download)
    }

    @Test func `the point described by i is never under its panel`() throws {
        for (columns, rows) in [(80, 24), (120, 40), (100, 30)] {
            for (column, row) in [
                (columns - 3, 2), (columns - 3, rows - 4), (5, rows - 4), (columns / 2, rows / 2),
            ] {
                var browser = Browser.test(
                    columns: columns, rows: rows,
                    camera: Camera(center: Coordinate(latitude: 40, longitude: 10), zoom: 8))
                _ = click(&browser, column, row)
                browser.type("i")
                let panel = try #require(browser.use(of: Scene(layers: []), hasBackdrop: false).covered.first)
                let point = browser.point
                #expect(!(panel.columns.contains(Int(point.column)) && panel.rows.contains(Int(point.row))))
            }
            var browser = Browser.test(columns: columns, rows: rows)
            browser.type("i")
            let panel = try #require(browser.use(of: Scene(layers: []), hasBackdrop: false).covered.first)
            #expect(
                !(panel.columns.contains(columns / 2) && panel.rows.contains(browser.map.viewport.rows / 2)))
        }
    }
}
