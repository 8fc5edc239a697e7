@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the route beside the map.
struct RoutePanelTests {
    private static let line = [(43.7312, 7.4189), (43.7330, 7.4219), (43.7350, 7.4250)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }

    private static func route(_ distance: Double = 700) -> Route {
        var steps = [
            RouteStep(Manoeuvre(.depart, bearing: 45), distance: 350, duration: 30, corner: 0),
            RouteStep(Manoeuvre(.turn, .left), distance: 350, duration: 30, corner: 1),
            RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: 2),
        ]
        steps[1].name = "Avenue Neuve"
        return Route(
            line: line, legs: [RouteLeg(distance: distance, duration: 60, steps: steps)], distance: distance,
            duration: 60)
    }

    private static func found(_ count: Int = 1, age: Int64? = nil) -> FoundRoute {
        let answer = RouteAnswer(
            RouteRequest(from: line[0], to: line[2]), (0..<count).map { route(700 + 100 * Double($0)) },
            provider: "Example",
            attribution: "© Example", time: UnixSeconds(0), mayBeStored: true)
        return FoundRoute(answer, arrivals: Array(repeating: "17:04", count: count), age: age)
    }

    private func browser(
        columns: Int = 120, rows: Int = 40, _ change: (inout Settings) -> Void = { _ in }
    ) -> Browser {
        var settings = Settings()
        settings.animates = false
        change(&settings)
        return Browser(
            columns: columns, rows: rows, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: Self.line[0], zoom: 12),
            settings: settings)
    }

    private func type(_ text: String, into browser: inout Browser) -> [Effect] {
        text.flatMap { browser.press(.character($0)) }
    }

    /// Returns the route query among effects and its number; nil if there is none.
    private func question(_ effects: [Effect]) -> (RouteRequest, Int)? {
        effects.queries(RouteQuery.self).first.map { ($0.request, $0.number) }
    }

    private func screen(_ browser: Browser) -> String { browser.screen.lines.joined(separator: "\n") }

    /// Returns a browser that shows a route.
    private func shown(
        _ count: Int = 1, columns: Int = 120, rows: Int = 40, _ change: (inout Settings) -> Void = { _ in }
    ) -> Browser {
        var browser = browser(columns: columns, rows: rows, change)
        _ = type("R43.735,7.425", into: &browser)
        let asked = question(browser.update(.key(.enter), at: .zero))
        _ = browser.update(.routes(.success(Self.found(count)), number: asked?.1 ?? 0), at: .zero)
        return browser
    }

    @Test func `R prompts for a destination, and coordinates start a route from the view's middle`()
        throws
    {
        var browser = browser()
        _ = type("R43.735,7.425", into: &browser)
        let (request, _) = try #require(question(browser.update(.key(.enter), at: .zero)))
        #expect(
            request.places.count == 2 && request.places[0].metres(to: Self.line[0]) < 5
                && request.places[1].metres(to: Self.line[2]) < 1)
    }

    @Test
    func `a name leads to its first match, even if Enter was faster than the search`()
        throws
    {
        var browser = browser()
        let asked = type("RNice", into: &browser).compactMap {
            $0.query(SearchMap.self)?.query
        }.last
        #expect(question(browser.update(.key(.enter), at: .zero)) == nil)
        let nice = NamedPlace(
            number: 1, name: "Nice", kind: .city, countryCode: "FR", country: "France", region: "Provence",
            coordinate: Coordinate(latitude: 43.7032, longitude: 7.2783), population: 340_000)
        let result = SearchResult([.place(PlaceMatch(place: nice, otherName: nil))])
        let effects = browser.update(.found(.success(result), for: try #require(asked)), at: .zero)
        #expect(try #require(question(effects)).0.places[1] == nice.coordinate && browser.input.prompt == nil)
    }

    @Test
    func
        `Enter before all can be searched takes only what is called just so, and gives the list after a while`()
        throws
    {
        func entered(_ words: String) throws -> (browser: Browser, query: MapSearchQuery) {
            var browser = browser()
            let asked = type("R" + words, into: &browser).compactMap {
                $0.query(SearchMap.self)?.query
            }.last
            _ = browser.press(.enter)
            return (browser, try #require(asked))
        }
        let nice = NamedPlace(
            number: 1, name: "Nice", kind: .city, countryCode: "FR", country: "France", region: "Provence",
            coordinate: Coordinate(latitude: 43.7032, longitude: 7.2783), population: 340_000)
        var part = SearchResult([.place(PlaceMatch(place: nice, otherName: nil))])
        let whole = part
        part.indexedShare = 0.5
        var (exact, query) = try entered("nice")
        #expect(question(exact.update(.found(.success(part), for: query), at: .zero)) != nil)
        var (like, other) = try entered("nic")
        let answered = like.update(.found(.success(part), for: other), at: .zero)
        #expect(question(answered) == nil && answered.contains(.wake(after: .milliseconds(200))))
        #expect(like.update(.tick, at: .milliseconds(300)).contains(.search(other)))
        var later = like
        #expect(question(later.update(.found(.success(whole), for: other), at: .milliseconds(400))) != nil)
        #expect(question(like.update(.found(.success(part), for: other), at: .seconds(3))) == nil)
        #expect(like.input.prompt != nil && screen(like).contains("Indexing: 50 %"))
        #expect(question(like.press(.enter)) != nil)
    }

    @Test func `a place in the route command is used immediately, a name as soon as it is found`()
        throws
    {
        var browser = browser()
        let direct = type(":route 43.735,7.425", into: &browser) + browser.press(.enter)
        #expect(
            question(direct)?.0.places.last.map { $0.metres(to: Self.line[2]) < 1 } == true
                && browser.input.prompt == nil)
        _ = browser.press(.escape)
        let named = type(":route Nice", into: &browser) + browser.press(.enter)
        let asked = try #require(
            named.queries(SearchMap.self).last?.query)
        #expect(question(named) == nil)
        let nice = NamedPlace(
            number: 1, name: "Nice", kind: .city, countryCode: "FR", country: "France", region: "Provence",
            coordinate: Coordinate(latitude: 43.7032, longitude: 7.2783), population: 340_000)
        let answered = browser.update(
            .found(.success(SearchResult([.place(PlaceMatch(place: nice, otherName: nil))])), for: asked),
            at: .zero)
        #expect(question(answered)?.0.places.last == nice.coordinate && browser.input.prompt == nil)
    }

    @Test func `an unknown name in the route command is reported`() throws {
        var browser = browser()
        let named = type(":route Atlantis", into: &browser) + browser.press(.enter)
        let asked = try #require(
            named.queries(SearchMap.self).last?.query)
        #expect(question(browser.update(.found(.success(SearchResult([])), for: asked), at: .zero)) == nil)
        #expect(screen(browser).contains("No match"))
    }

    @Test func `a route is shown with its distance, time, arrival and steps`() {
        let text = screen(shown())
        for part in [
            "700 m", "60 s", "17:04", "Head north-east", "Turn left onto Avenue Neuve", "Arrive", "Example",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(arguments: [ColorDepth.truecolor, .indexed16, .mono])
    func `the ends of a route are marked with any colours`(depth: ColorDepth) {
        let browser = shown { $0.show(in: depth) }
        let screen = browser.screen
        let map = (0..<browser.map.viewport.rows).flatMap { row in
            (0..<80).map { column in screen[row, column].glyph }
        }
        #expect(map.contains("A") && map.contains("B"))
    }

    @Test func `arrow keys select the steps and move the map to each`() {
        var browser = shown()
        for step in 0..<3 {
            _ = browser.update(.key(.arrow(.down, shift: false)), at: .zero)
            #expect(browser.route.step == step)
            let place = browser.map.viewport.cell(of: Mercator.world(Self.line[step]))
            #expect(
                (0..<80).contains(place.column) && (0..<Double(browser.map.viewport.rows)).contains(place.row)
            )
        }
        _ = browser.update(.key(.arrow(.up, shift: false)), at: .zero)
        #expect(browser.route.step == 1 && browser.map.viewport.camera.zoom >= 15)
    }

    @Test func `Tab shows the next of several routes, and redraws the layers`() {
        var browser = shown(3)
        let effects = browser.update(.key(.tab), at: .zero)
        #expect(
            browser.route.chosen == 1
                && effects.queries(RouteLayersQuery.self).map(\.chosen) == [1])
        #expect(screen(browser).contains("2/3"))
    }

    @Test func `Esc abandons a slow engine, and its late response is not shown`() throws {
        var browser = browser()
        _ = type("R43.735,7.425", into: &browser)
        let number = try #require(question(browser.update(.key(.enter), at: .zero))).1
        #expect(browser.update(.key(.escape), at: .zero).contains(.ask(CancelRouteQuery())))
        #expect(browser.openPanel == .route)
        _ = browser.update(.routes(.success(Self.found()), number: number), at: .zero)
        #expect(browser.route.found == nil)
        _ = browser.update(.key(.escape), at: .zero)
        #expect(browser.openPanel == nil)
    }

    @Test(arguments: ["R", "c", "r"])
    func
        `a route that is found after its panel was closed is drawn, and neither moves the view nor opens anything`(
            keys: String
        ) throws
    {
        var browser = browser()
        _ = type("R43.735,7.425", into: &browser)
        let number = try #require(question(browser.update(.key(.enter), at: .zero))).1
        _ = type(keys, into: &browser)
        let camera = browser.map.viewport.camera, panel = browser.openPanel
        _ = browser.update(.routes(.success(Self.found()), number: number), at: .zero)
        #expect(
            browser.route.found != nil && browser.map.viewport.camera == camera && browser.openPanel == panel)
    }

    @Test func `an obstacle is described in the panel, and terms can be accepted`() throws {
        var browser = browser()
        _ = type("R43.735,7.425", into: &browser)
        let number = try #require(question(browser.update(.key(.enter), at: .zero))).1
        let failure = RouteFailure.notAgreed(
            source: "osm-routing", name: "FOSSGIS", rules: "https://rules.example")
        _ = browser.update(.routes(.failure(failure), number: number), at: .zero)
        #expect(screen(browser).contains("volunteers"))
        #expect(browser.update(.key(.character("x")), at: .zero).isEmpty)
        let effects = browser.update(.key(.character("y")), at: .zero)
        #expect(effects.queries(RouteQuery.self).map(\.acceptedTerms) == ["osm-routing"])
    }

    @Test func `without an engine the panel offers those that need no key`() throws {
        var browser = browser()
        _ = type("R43.735,7.425", into: &browser)
        _ = browser.update(
            .response(
                [
                    ServiceOffer(id: "tiles", name: "the roads of stored maps", isAccepted: true),
                    ServiceOffer(id: "osrm", name: "FOSSGIS", host: "osrm.example", isAccepted: false),
                ], to: RouteEnginesQuery()), at: .zero)
        let number = try #require(question(browser.update(.key(.enter), at: .zero))).1
        _ = browser.update(.routes(.failure(.noEngine), number: number), at: .zero)
        let shown = screen(browser)
        #expect(shown.contains("the roads of stored maps") && shown.contains("osrm.example"))
        #expect(!shown.contains("--"))
        _ = browser.update(.key(.arrow(.down, shift: false)), at: .zero)
        let asked = browser.update(.key(.enter), at: .zero).queries(RouteQuery.self)
        #expect(asked.map(\.engines) == [["osrm"]])
    }

    @Test func `an engine is selected once it is known`() throws {
        var browser = browser()
        func choose(_ words: String, _ outcome: Result<Void, Notice.Problem>) throws {
            let asked = type(":engine \(words)", into: &browser) + browser.update(.key(.enter), at: .zero)
            let query = try #require(asked.queries(ChooseRouteEngines.self).first)
            _ = browser.update(.response(outcome, to: query), at: .zero)
        }
        try choose("osrm", .success(()))
        #expect(browser.route.engines == ["osrm"])
        try choose("foo", .failure(Notice.Problem("unknown routing engine foo")))
        #expect(browser.route.engines == ["osrm"] && screen(browser).contains("unknown routing engine foo"))
    }

    @Test func `reversing, another mode, avoidances and via places each send a new request`() throws {
        var browser = shown()
        #expect(try #require(question(type("b", into: &browser))).0.places[0].metres(to: Self.line[2]) < 5)
        #expect(try #require(question(type("m", into: &browser))).0.mode == .bicycle)
        #expect(try #require(question(type("1", into: &browser))).0.avoids == [.tolls])
        let by = try #require(question(type("V", into: &browser))).0
        #expect(by.places.count == 3 && by.alternatives == 0)
        #expect(try #require(question(type("z", into: &browser))).0.places.count == 2)
    }

    @Test func `the map along a route is downloaded, not the view`() throws {
        var browser = shown()
        let effects = type("d", into: &browser)
        let draft = try #require(
            effects.queries(RegionPlanQuery.self).map(\.draft).first)
        #expect(draft.corridor?.line.first == Self.line[0] && draft.corridor?.line.last == Self.line[2])
        #expect((try? draft.corridor?.geometry) != nil)
        let from = try #require(browser.route.from?.name), to = try #require(browser.route.to?.name)
        #expect(draft.name.hasPrefix("\(from) to \(to), "))
    }

    @Test func `a stored route is shown with its age, without a request`() {
        var browser = browser()
        _ = type("R", into: &browser)
        _ = browser.update(.key(.escape), at: .zero)
        _ = browser.update(.storedRoutes([Self.found(age: 7200)]), at: .zero)
        #expect(screen(browser).contains("Recent routes"))
        let effects = browser.update(.key(.enter), at: .zero)
        #expect(question(effects) == nil && browser.route.found?.age == 7200)
    }

    @Test func `dragging a place of the route requests a new route when it is released`() throws {
        var browser = shown()
        _ = browser.update(.key(.escape), at: .zero)
        _ = type("R", into: &browser)
        let cell = browser.map.viewport.cell(of: Mercator.world(Self.line[2]))
        func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int) -> [Effect] {
            browser.update(.key(.mouse(MouseEvent(action, column: column, row: row))), at: .zero)
        }
        let before = browser.map.viewport
        _ = mouse(.press, Int(cell.column), Int(cell.row))
        #expect(question(mouse(.drag, 10, 10)) == nil && browser.map.viewport == before)
        let (request, _) = try #require(question(mouse(.release, 10, 10)))
        let there = Mercator.coordinate(before.world(column: 10.5, row: 10.5))
        #expect(request.places[1].metres(to: there) < 1 && request.places[0].metres(to: Self.line[0]) < 5)
    }

    @Test func `a reachable area becomes a layer under the route, in place of the previous one`() {
        var browser = shown()
        let effects = type(":reach 5,10", into: &browser) + browser.update(.key(.enter), at: .zero)
        #expect(effects.queries(IsochroneQuery.self).map(\.minutes) == [[5, 10]])
        for number in 1...2 {
            var layer = TileLayer.test(BlankSource(), id: "reach:\(number)")
            layer.role = .routes
            layer.zIndex = -1
            _ = browser.update(.reachableAreas(layer), at: .zero)
        }
        #expect(browser.map.layers.map(\.id) == ["osm", "reach:2"])
    }

    @Test(arguments: [
        "vehicle height", "vehicle wheels 4", "depart soon", "reach", "reach 0", "reach 1,2,3,4,5",
    ])
    func `words without a route are rejected`(words: String) {
        var browser = browser()
        _ = type(":" + words, into: &browser)
        #expect(
            question(browser.update(.key(.enter), at: .zero)) == nil && browser.input.prompt?.complaint != nil
        )
    }

    @Test func `a removed route leaves no layer and no mark`() {
        var browser = shown()
        var layer = TileLayer.test(BlankSource(), id: "route:1-0")
        layer.role = .routes
        _ = browser.update(.routeLayers([layer]), at: .zero)
        #expect(browser.map.layers.contains { $0.id == "route:1-0" })
        _ = type("x", into: &browser)
        #expect(browser.map.layers.map(\.id) == ["osm"] && browser.route.found == nil)
    }

    @Test func `the steps are shown even on a small screen and in ASCII`() {
        let text = screen(shown(columns: 80, rows: 24) { $0.isUnicode = false })
        #expect(text.contains("Turn left onto Avenue Neuve") && text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
    }

    @Test func `a description begins with the next step of the shown route`() {
        let browser = shown()
        func words(_ latitude: Double, _ longitude: Double) -> String? {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            let ahead = browser.routeAhead(from: place)
            return DescriptionText(PlaceDescription(place, radius: 2000), nextStep: ahead).lines().dropFirst()
                .first
        }
        #expect(words(43.7321, 7.4204) == "Ahead in 160 metres: Turn left onto Avenue Neuve.")
        #expect(words(43.7350, 7.4250) == "The shown route ends here.")
        #expect(words(43.7450, 7.4250) == "The shown route does not pass here.")
        #expect(self.browser().routeAhead(from: Self.line[0]) == nil)
    }
}
