import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbBrowser

/// The contents of panels that have little room.
struct PanelFitTests {
    private func profile(_ columns: Int, _ rows: Int) -> Browser {
        let points = (0..<200).map { at in
            let point = Mercator.world(Coordinate(latitude: 60.4 + Double(at) * 0.0005, longitude: 22.26))
            return SIMD2(point.x, point.y)
        }
        let path = OverlayPath(
            points, heights: (0..<200).map { Float(100 + $0) },
            times: (0..<200).map { 1_767_225_600 + Double($0) * 60 })
        let live = LiveLayer(id: "over.0", name: "walk.gpx", palette: OverlayPalette(0))
        live.index = OverlayIndex([OverlayFeature(.line([path]), name: "Morning walk", isTrack: true)])
        var browser = PanelScene.browser(columns, rows)
        browser.map.layers.append(OverlayDrawing.layer(live))
        _ = browser.openProfile()
        return browser
    }

    @Test(arguments: [(40, 12), (80, 24), (200, 60)])
    func `a profile shows its length, the cursor's place and its axis, however small the screen is`(
        columns: Int, rows: Int
    ) {
        let browser = profile(columns, rows)
        #expect(browser.shows("length 11.09 km") && browser.shows("here: 0 m, height 100 m"))
        #expect(browser.shows("█") && browser.shows("5.54 km"))
        // The other statistics follow where there is room.
        #expect(browser.shows("recorded 2026-01-01") == (rows > 12))
    }

    @Test func `statistics of a profile are not torn apart at the end of a line`() {
        let lines = profile(40, 24).screen.lines, length = "  length 11.09 km  ",
            climb = "up and down 199 m, 0 m"
        #expect(lines.contains { $0.contains(length) } && lines.contains { $0.contains(climb) })
    }

    @Test func `rows of a list that would look alike keep their ends`() {
        let names = [
            "Stazione di Santa Maria Novella", "Stazione di Santa Maria Maggiore", "Stazione Campo di Marte",
        ]
        let rows = names.map { PanelText.Line.row($0, right: "station", isSelected: false) }
        let texts = rows.laidOut(in: 28).map { $0[0].text }
        #expect(Set(texts).count == 3 && texts.allSatisfy { $0.width <= 20 && $0.contains("…") })
        #expect(texts[0].hasSuffix("Novella") && texts[1].hasSuffix("Maggiore") && texts[2].hasSuffix("…"))
    }

    @Test func `beside the map, the title of a route has whole parts, and the others are below`() throws {
        var browser = PanelScene.browser(120, 40)
        try #require(PanelScene.all.first { $0.name == "route" }).open(&browser)
        #expect(browser.shows("── 2.5 km · 3 min · 17:04 ─"))
        #expect(browser.screen.lines.contains { $0.contains("arrival") && $0.contains("17:04") })
    }

    @Test func `a route starts at the settlement in view by name`() {
        var browser = PanelScene.browser(80, 24)
        _ = browser.update(.tick, at: .seconds(1))
        let middle = browser.map.viewport.camera.coordinate
        let turku = NamedPlace(
            number: 1, name: "Turku", kind: .city, countryCode: "FI", country: "Finland", region: "",
            coordinate: middle, population: 190_000)
        _ = browser.update(.located(PlaceBearing(middle, from: turku), at: middle), at: .seconds(1))
        browser.type("R")
        _ = browser.press(.escape)
        #expect(browser.screen.lines.contains { $0.contains("from ") && $0.contains("Turku, FI") })
    }

    @Test(arguments: [(72.0, 40.0, "Barents Sea"), (72, -40, "Greenland")])
    func `far from all settlements, the status line names the sea or the country`(
        latitude: Double, longitude: Double, name: String
    ) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let murmansk = NamedPlace(
            number: 1, name: "Murmansk", kind: .city, countryCode: "RU", country: "Russia", region: "",
            coordinate: Coordinate(latitude: 68.97, longitude: 33.09), population: 270_000)
        var browser = Browser.test(camera: Camera(center: place, zoom: 5))
        _ = browser.update(.tick, at: .seconds(1))
        let middle = browser.map.viewport.camera.coordinate
        _ = browser.update(.located(PlaceBearing(middle, from: murmansk), at: middle), at: .seconds(1))
        #expect(browser.screen.lines[22].contains(" \(name) ") && !browser.shows("Murmansk"))
    }

    @Test func `the size of a download is shown once`() throws {
        var browser = PanelScene.browser(120, 40)
        try #require(PanelScene.all.first { $0.name == "download" }).open(&browser)
        #expect(browser.screen.lines.count { $0.contains("5.5 MB") } == 1)
    }

    @Test func `the frame of a download of the view has all four edges`() throws {
        var browser = PanelScene.browser(80, 24)
        try #require(PanelScene.all.first { $0.name == "download" }).open(&browser)
        _ = browser.press(.escape)
        let map = browser.map.viewport
        var grid = CellGrid(columns: map.columns, rows: map.rows)
        let box = try browser.seenBounds()
        OutlinePainter(map, browser.map.settings, .night, avoiding: []).draw([box.ring], on: &grid)
        let dotted = Set(grid.dotted)
        for column in 0..<map.columns {
            #expect(dotted.contains(column) && dotted.contains((map.rows - 1) * map.columns + column))
        }
        for row in 0..<map.rows {
            #expect(dotted.contains(row * map.columns) && dotted.contains((row + 1) * map.columns - 1))
        }
    }

    @Test func `beside an open panel the attribution is complete`() {
        var layer = TileLayer.test(BlankSource())
        layer.info.attribution = "© OpenStreetMap contributors, © Example Maps"
        var browser = Browser.test(columns: 60, layers: [layer])
        #expect(!browser.screen.lines[23].contains("Example Maps"))
        browser.type("m")
        #expect(browser.screen.lines[23].contains("© OpenStreetMap contributors, © Example Maps"))
    }
}
