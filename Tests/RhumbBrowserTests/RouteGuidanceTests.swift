@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests a route with a position, its heights, and its text on pictures.
struct RouteGuidanceTests {
    private static let line = [(43.73, 7.42), (43.73, 7.43), (43.739, 7.43)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }

    private static let route: Route = {
        var steps = [
            RouteStep(Manoeuvre(.depart, bearing: 90), distance: 803, duration: 80, corner: 0),
            RouteStep(Manoeuvre(.turn, .left), distance: 1000, duration: 100, corner: 1),
            RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: 2),
        ]
        steps[1].name = "Avenue Neuve"
        return Route(
            line: line, legs: [RouteLeg(distance: 1803, duration: 180, steps: steps)], distance: 1803,
            duration: 180)
    }()

    private static func answer(_ route: Route = route) -> RouteAnswer {
        RouteAnswer(
            RouteRequest(from: line[0], to: line[2]), [route], provider: "Example", attribution: "© Example",
            time: UnixSeconds(0), mayBeStored: true)
    }

    /// Returns a browser that shows a route, with its panel open or closed.
    private func browser(
        _ route: Route = route, columns: Int = 120, rows: Int = 40, isOpen: Bool = true,
        depth: ColorDepth = .truecolor
    ) -> Browser {
        var settings = Settings()
        settings.animates = false
        settings.labels = false
        settings.show(in: depth)
        var browser = Browser(
            columns: columns, rows: rows, layers: [.test(BlankSource(), id: "osm")],
            camera: Camera(center: Self.line[1], zoom: 14), settings: settings)
        browser.begin(with: Self.answer(route))
        if isOpen { _ = browser.press(.character("R")) }
        return browser
    }

    private func move(
        _ browser: inout Browser, _ latitude: Double, _ longitude: Double, at time: Duration = .seconds(1)
    ) {
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [PositionFix(place: Coordinate(latitude: latitude, longitude: longitude), accuracy: 5)]
        _ = browser.update(.overlay(status), at: time)
    }

    @Test func `the status line names no key that an open panel takes`() {
        for isOpen in [false, true] {
            var browser = browser(isOpen: isOpen)
            move(&browser, 43.73, 7.425)
            browser.position.following = .middle
            browser.position.isSuspended = true
            #expect(browser.positionWords == (isOpen ? "not following" : "f: follow"))
            move(&browser, 43.75, 7.425)
            #expect(browser.guidanceWordings.contains { $0.contains("a: reroute") } != isOpen)
        }
    }

    @Test(arguments: [(120, 40), (80, 24)])
    func `with a position, the next manoeuvre and the remaining distance are shown`(
        columns: Int, rows: Int
    ) {
        var browser = browser(columns: columns, rows: rows)
        move(&browser, 43.73, 7.425)
        for words in ["← in 40", "Turn left onto Avenue Neuve", "1.4 km, 2 min left"] {
            #expect(browser.shows(words), "\(words)")
        }
        var closed = self.browser(columns: columns, rows: rows, isOpen: false)
        move(&closed, 43.73, 7.425)
        #expect(closed.shows("← 40") && closed.shows("1.4 km left"))
        move(&closed, 43.735, 7.43)
        #expect(closed.shows("⚑ 4"))
        move(&closed, 43.739, 7.43)
        #expect(closed.shows("Destination reached"))
    }

    @Test
    func
        `off the route the distance is told, and nothing is asked but by a key: from here, by what is ahead`()
        throws
    {
        var browser = browser()
        move(&browser, 43.73, 7.425)
        var status = OverlayStatus(id: "over.0", isLive: true)
        status.fixes = [PositionFix(place: Coordinate(latitude: 43.727, longitude: 7.425))]
        let effects = browser.update(.overlay(status), at: .seconds(2))
        #expect(
            browser.shows("off route") && effects.queries(RouteQuery.self).isEmpty)
        let asked = browser.press(.character("a")).queries(RouteQuery.self)
        let request = try #require(asked.first).request
        #expect(
            request.places.count == 2
                && request.places[0].metres(to: Coordinate(latitude: 43.727, longitude: 7.425)) < 1)
        #expect(request.places[1].metres(to: Self.line[2]) < 1)
    }

    @Test func `a position that was never on the route or is old shows no guidance`() {
        var far = browser()
        move(&far, 43.5, 7.1)
        #expect(!far.shows("off route"))
        var old = browser()
        move(&old, 43.73, 7.425)
        _ = old.update(.tick, at: .seconds(60))
        #expect(!old.shows("left onto Avenue Neuve in") && !old.shows("km left"))
    }

    @Test func `guidance requires the navigation feature, and names it if it is off`() throws {
        var browser = browser()
        move(&browser, 43.73, 7.425)
        #expect(browser.shows("left onto Avenue Neuve"))
        try browser.stored.configuration.enable(
            exactly: browser.stored.configuration.enabledFeatures.filter { $0.name != "navigation" })
        move(&browser, 43.73, 7.426)
        #expect(!browser.shows("← in") && browser.shows("guidance needs the feature"))
        let effects = browser.press(.character("a"))
        #expect(effects.queries(RouteQuery.self).isEmpty)
        #expect(browser.shows("a route from your position needs the feature navigation"))
        var closed = self.browser(isOpen: false)
        try closed.stored.configuration.enable(exactly: [.rendering])
        move(&closed, 43.73, 7.425)
        #expect(!closed.shows("km left"))
    }

    @Test func `without a position nothing is requested from it`() {
        var browser = browser()
        let effects = browser.press(.character("a"))
        #expect(effects.queries(RouteQuery.self).isEmpty)
        #expect(browser.shows("No GPS position"))
    }

    // MARK: Heights

    @Test func `without heights, the notice names the command and the keys that bring them`() throws {
        var browser = browser()
        let question = try #require(browser.press(.character("P")).queries(RouteHeightsQuery.self).first)
        _ = browser.update(
            .routeHeights(.failure(.unsupported("none is available")), number: question.number), at: .zero)
        let text = try #require(browser.map.notices.all.last?.text)
        #expect(text.contains(":hills on") && text.contains("d, then h"))
    }

    @Test
    func
        `heights are asked for by a key, shown under the steps and across the screen, and kept with the route`()
        throws
    {
        var browser = browser()
        let asked = browser.press(.character("P")).queries(RouteHeightsQuery.self)
        let question = try #require(asked.first)
        #expect(question.line == Self.line)
        let told = AttributedHeights([10, 60, 30], by: "Hills", attribution: "Survey")
        var high = Self.answer()
        high.routes[0].set(told)
        #expect(
            browser.update(.routeHeights(.success(told), number: question.number), at: .zero).contains(
                .ask(StoreRoutes(answer: high))))
        #expect(browser.openPanel == .track && browser.shows("up and down 50 m, 30 m") && browser.shows("█"))
        #expect(browser.shows("elevation: Hills, Survey"))
        _ = browser.press(.escape)
        #expect(browser.openPanel == .route && browser.shows("50 m up, 30 m down") && browser.shows("█"))
        #expect(browser.shows("elevation: Hills, Survey"))
    }

    @Test(arguments: ["j", "t", "?", "r"])
    func `heights that arrive after another key are stored with the route and open no profile`(key: Character)
    {
        var browser = browser()
        _ = browser.press(.character("P"))
        _ = browser.press(.character(key))
        let panel = browser.openPanel
        _ = browser.send(
            .routeHeights(
                .success(AttributedHeights([10, 60, 30], by: "Hills", attribution: "")),
                number: browser.route.count))
        #expect(browser.openPanel == panel && browser.route.route?.heights == [10, 60, 30])
    }

    @Test func `an engine without heights is reported, and heights for another query are ignored`() {
        var browser = browser()
        _ = browser.press(.character("P"))
        _ = browser.send(
            .routeHeights(
                .success(AttributedHeights([10, 60, 30], by: "Hills", attribution: "")), number: 99)
        )
        #expect(browser.openPanel == .route && browser.route.route?.heights.isEmpty == true)
        _ = browser.update(
            .routeHeights(.failure(.unsupported("no heights available")), number: browser.route.count),
            at: .seconds(1))
        #expect(browser.shows("No heights along this route") && browser.openPanel == .route)
    }

    @Test func `heights that came with the route are shown immediately, even in ASCII`() {
        var high = Self.route
        high.heights = [10, 60, 30]
        var browser = browser(high, columns: 80, rows: 24, depth: .mono)
        browser.map.settings.isUnicode = false
        let effects = browser.press(.character("P"))
        #expect(effects.queries(RouteQuery.self).isEmpty)
        #expect(browser.openPanel == .track && browser.shows(":::"))
    }

    @Test func `the attribution of heights is complete and sanitised, even on small screens and in ASCII`() {
        var browser = browser(columns: 80, rows: 24)
        browser.map.settings.isUnicode = false
        _ = browser.press(.character("P"))
        let told = AttributedHeights(
            [10, 60, 30], by: "Hills\u{1B}[2J of the Alps",
            attribution: "© Office of Surveys, Ministry of the Interior, and neighbours, 2026")
        _ = browser.send(.routeHeights(.success(told), number: browser.route.count))
        let words =
            "elevation: Hills[2J of the Alps, (c) Office of Surveys, Ministry of the Interior, and neighbours, 2026"
            .split(separator: " ")
        let shown = browser.screen.lines.joined(separator: " ").split(separator: " ")
        #expect(words.allSatisfy(shown.contains), "\(browser.screen.lines)")
    }

    @Test func `heights from the engine that found the route are attributed to it`() {
        var high = Self.route
        high.heights = [10, 60, 30]
        var browser = browser(high)
        _ = browser.press(.character("P"))
        #expect(browser.shows("elevation: Example, © Example"))
    }

    // MARK: Pictures

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `pictures show the marks of the route`(depth: ColorDepth) {
        let browser = browser(isOpen: false),
            map = CellGrid(columns: browser.map.viewport.columns, rows: browser.map.viewport.rows)
        let notes = browser.notes(on: map, depth: depth).lines.joined()
        #expect(notes.contains("A") && notes.contains("B"))
    }

    @Test(arguments: [ColorDepth.indexed16, .mono], [true, false])
    func `with few colours the route is a line of dots, like live layers`(
        depth: ColorDepth, isUnicode: Bool
    ) {
        var layer = TileLayer.test(BlankSource(), id: "route:1-0")
        layer.role = .routes
        layer.isTransparent = true
        // The line crosses the centre of the view.
        let tile = TileID(zoom: 12, containing: Mercator.world(Self.line[0])), side = 4096.0
        let middle = WorldPoint(x: (Double(tile.x) + 0.5) / side, y: (Double(tile.y) + 123.0 / 256) / side)
        let view = Viewport(camera: Camera(center: middle, zoom: 12), columns: 60, rows: 20)
        var pixels = [UInt8](repeating: 0, count: 256 * 256 * 4)
        for at in 120 * 256..<126 * 256 {
            pixels.replaceSubrange(at * 4..<at * 4 + 4, with: [255, 216, 74, 255])
        }
        let raster =
            Raster(width: 256, height: 256, pixels: pixels) ?? Raster(width: 1, height: 1, filledWith: RGB(0))
        var scene = LayerScene(layer: layer, tileZoom: 12)
        scene.pictures = TileCover.tiles(in: view, zoom: 12).map {
            LayerScene.Picture(raster: raster, tile: $0, area: $0)
        }
        var settings = Settings(), painter = MapPainter()
        settings.show(in: depth)
        settings.isUnicode = isUnicode
        let grid = painter.paint(Scene(layers: [scene]), viewport: view, settings: settings, theme: .night)
        let glyphs = Set(grid.cells.map(\.glyph))
        #expect(
            isUnicode
                ? glyphs.contains { (0x2801...0x28FF).contains($0.value) }
                : !glyphs.isDisjoint(with: ["-", "+", "."]))
    }
}
