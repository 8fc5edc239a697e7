@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct BrowserSearchTests {
    private func place(_ name: String, _ north: Double, _ east: Double, number: Int = 1) -> NamedPlace {
        NamedPlace(
            number: number, name: name, kind: .city, countryCode: "FI", country: "Finland",
            region: "Varsinais-Suomi",
            coordinate: Coordinate(latitude: north, longitude: east), population: 200_000)
    }

    private var two: [PlaceMatch] {
        [
            PlaceMatch(place: place("Turku", 60.45, 22.27), otherName: nil),
            PlaceMatch(place: place("Turkuaz", 40, 30, number: 2), otherName: "Tur"),
        ]
    }

    private func browser(columns: Int = 120, rows: Int = 30) -> Browser {
        .test(
            columns: columns, rows: rows,
            camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 7))
    }

    private func searched(_ text: String) -> Browser {
        var browser = browser()
        browser.type("/" + text)
        _ = browser.update(answer(two, to: text, browser), at: .zero)
        return browser
    }

    private func query(_ text: String, _ browser: Browser) -> MapSearchQuery {
        MapSearchQuery(text, near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
    }

    private func answer(
        _ matches: [PlaceMatch], to text: String, _ browser: Browser, indexedShare: Double = 1
    ) -> Event {
        .found(
            .success(SearchResult(matches.map(SearchMatch.place), indexedShare: indexedShare)),
            for: query(text, browser))
    }

    @Test(arguments: [(10.5, false), (11.5, true), (13.5, true), (14.5, false)])
    func `the streets of the view are offered at zooms 11 to 13, fetched on Enter, and then searched`(
        zoom: Double, isOffered: Bool
    ) throws {
        var source = LabelledSource()
        source.origin = TileOrigin(source: "streets", address: "https://tiles.example/{z}/{x}/{y}.pbf")
        var browser = LabelledMap(source, columns: 80, rows: 24, zoom: zoom).browser
        var asked = browser.press(.character("/"))
        for letter in "neri" { asked += browser.press(.character(letter)) }
        let search = try #require(asked.queries(SearchMap.self).last)
        _ = browser.send(.response(.success(SearchResult([])), to: search))
        func showsOffer() -> Bool {
            browser.screen.lines.contains { $0.contains("Search the streets in view") }
        }
        #expect(showsOffer() == isOffered)
        let fetches = browser.press(.enter).queries(FetchStreetsQuery.self)
        guard isOffered else { return #expect(fetches.isEmpty) }
        let fetch = try #require(fetches.first)
        #expect(fetch.layer == "named" && fetch.zoom == 14 && !showsOffer())
        let again = browser.send(.response(.success(40), to: fetch)).queries(SearchMap.self)
        #expect(again.map(\.query) == [search.query])
        _ = browser.send(.response(.success(SearchResult([])), to: search))
        #expect(!showsOffer())
    }

    @Test func `each key searches for the text typed so far, near the view`() {
        var browser = browser()
        browser.type("/t")
        #expect(browser.press(.character("u")) == [.search(query("tu", browser))])
        #expect(browser.press(.backspace) == [.search(query("t", browser))])
        #expect(browser.press(.backspace).isEmpty)
    }

    @Test func `results are listed with kind and place`() {
        let lines = searched("tur").screen.lines
        #expect(lines.contains { $0.contains("Turku") && $0.contains("Varsinais-Suomi, FI") })
        #expect(lines.contains { $0.contains("Turkuaz (Tur)") })
    }

    @Test func `a late response for other words is dropped`() {
        var browser = browser()
        browser.type("/turku")
        _ = browser.update(answer(two, to: "tur", browser), at: .zero)
        #expect(!browser.screen.lines.contains { $0.contains("Varsinais") })
    }

    @Test(arguments: [[Key.arrow(.down, shift: false)], [.control("n")], [.pageDown]])
    func `Enter flies to the chosen place`(keys: [Key]) {
        var browser = searched("tur")
        for key in keys { _ = browser.press(key) }
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.input.prompt == nil && browser.openPanel == nil)
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 40) < 1e-6)
        #expect(browser.map.notices.all.last?.text == "Turkuaz, Varsinais-Suomi, Finland")
    }

    @Test func `the selection stays within the list`() {
        var browser = searched("tur")
        for _ in 0..<9 { _ = browser.press(.arrow(.down, shift: false)) }
        _ = browser.press(.pageUp)
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 60.45) < 1e-6)
    }

    @Test func `Enter before the response goes there when it arrives`() {
        var browser = browser()
        browser.type("/turku")
        #expect(browser.press(.enter).isEmpty)
        _ = browser.update(answer(two, to: "turku", browser), at: .zero)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(
            browser.openPanel == nil && abs(browser.map.viewport.camera.coordinate.latitude - 60.45) < 1e-6)
    }

    @Test
    func
        `Enter before all can be searched waits for it, but not for long and not for what is called just so`()
    {
        func entered(_ text: String, after pause: Duration = .zero) -> Browser {
            var browser = browser()
            browser.type("/" + text)
            _ = browser.press(.enter)
            let asked = browser.update(answer(two, to: text, browser, indexedShare: 0.5), at: pause)
            #expect(
                browser.openPanel == nil
                    || asked.contains(.wake(after: .milliseconds(pause == .zero ? 200 : 2000))))
            return browser
        }
        #expect(entered("Turku").openPanel == nil)
        var waiting = entered("tur")
        #expect(waiting.openPanel != nil)
        #expect(waiting.update(.tick, at: .milliseconds(300)).contains(.search(query("tur", waiting))))
        var found = waiting
        _ = found.update(answer(two, to: "tur", found), at: .milliseconds(300))
        #expect(found.openPanel == nil)
        var given = entered("tur", after: .seconds(3))
        _ = given.update(answer(two, to: "tur", given), at: .seconds(4))
        #expect(given.openPanel != nil)
        _ = given.press(.enter)
        #expect(given.openPanel == nil)
    }

    @Test func `Enter over an empty list goes nowhere`() {
        var browser = browser()
        browser.type("/zzz")
        _ = browser.update(answer([], to: "zzz", browser), at: .zero)
        #expect(browser.press(.enter).isEmpty && browser.input.prompt != nil)
        #expect(browser.screen.lines.contains { $0.contains("No match") })
    }

    @Test func `coordinates and codes are shown without a name`() {
        for text in ["60.45,22.27", "9GG4F72C+23", "#map=9/60.45/22.27"] {
            var browser = browser()
            browser.type("/" + text)
            _ = browser.press(.enter)
            _ = browser.update(.tick, at: .seconds(5))
            #expect(abs(browser.map.viewport.camera.coordinate.latitude - 60.45) < 0.01)
        }
    }

    @Test func `coordinates without a zoom come closer, and never farther out`() {
        for (before, after) in [(2.0, 12.0), (15.0, 15.0)] {
            var browser = browser()
            browser.map.viewport = browser.map.viewport.with(browser.map.viewport.camera.zoomed(to: before))
            browser.type(":go 43.77,11.25")
            _ = browser.press(.enter)
            _ = browser.update(.tick, at: .seconds(5))
            #expect(abs(browser.map.viewport.camera.zoom - after) < 1e-9)
        }
    }

    @Test(arguments: [("95 200", "latitude"), ("60.45, 222.26", "longitude"), ("-91 10", "latitude")])
    func `coordinates out of range are refused with their limits`(text: String, axis: String) {
        var browser = browser()
        browser.type("/" + text)
        #expect(browser.shows(axis) && browser.shows("is out of range"))
        #expect(browser.press(.enter).isEmpty && browser.input.prompt != nil)
    }

    @Test func `a pair in the wrong order is pointed out if the other order is on the open map`() {
        var browser = browser()
        browser.map.layers[0].info.bounds = Bounds(west: 11, south: 43, east: 12, north: 44)
        browser.type("/11.25 43.77")
        #expect(browser.shows("outside the open map") && browser.shows("43.7700"))
        _ = browser.press(.escape)
        browser.type("/43.77 11.25")
        #expect(!browser.shows("outside the open map"))
    }

    @Test func `Esc leaves the search, and so does Backspace on an empty line`() {
        for key in [Key.escape, .backspace] {
            var browser = browser()
            browser.type("/")
            _ = browser.press(key)
            #expect(browser.input.prompt == nil && browser.openPanel == nil)
        }
    }

    @Test func `a rejected search states the reason`() {
        var browser = browser()
        browser.type("/tur")
        _ = browser.update(
            .found(.failure(Notice.Problem("search is off")), for: query("tur", browser)), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("search is off") })
    }

    @Test(arguments: [(24, 4), (40, 12), (80, 24), (200, 60)])
    func `the search is drawn on any screen`(columns: Int, rows: Int) {
        var browser = browser(columns: columns, rows: rows)
        browser.type("/tur")
        _ = browser.update(answer(two, to: "tur", browser), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains("search: tur") })
    }
}

struct WhereaboutsTests {
    private let turku = NamedPlace(
        number: 1, name: "Turku", kind: .city, countryCode: "FI", country: "Finland", region: "",
        coordinate: Coordinate(latitude: 60.45, longitude: 22.27), population: 100)

    private func browser(zoom: Double = 12, columns: Int = 120) -> Browser {
        .test(
            columns: columns,
            camera: Camera(center: Coordinate(latitude: 60.50, longitude: 22.40), zoom: zoom))
    }

    private func asked(_ effects: [Effect]) -> Bool {
        !effects.queries(SettlementQuery.self).isEmpty
    }

    @Test func `the view is queried only when it rests`() {
        var browser = browser()
        _ = browser.update(.key(.character("l")), at: .seconds(1))
        #expect(!asked(browser.update(.tick, at: .milliseconds(1100))))
        #expect(asked(browser.update(.tick, at: .milliseconds(1300))))
        #expect(!asked(browser.update(.tick, at: .milliseconds(1400))))
    }

    @Test func `the status line names the nearest place as seen from the current view`() {
        var browser = browser()
        #expect(asked(browser.update(.tick, at: .seconds(1))))
        let middle = browser.map.viewport.camera.coordinate
        _ = browser.update(.located(PlaceBearing(middle, from: turku), at: middle), at: .zero)
        #expect(browser.screen.lines[22].contains("9.1 km NE of Turku, FI"))
        _ = browser.press(.character("h"))
        #expect(browser.screen.lines[22].contains("of Turku, FI"))
        #expect(!browser.screen.lines[22].contains("9.1 km NE"))
        _ = browser.update(.tick, at: .seconds(2))
        _ = browser.update(.located(nil, at: browser.map.viewport.camera.coordinate), at: .seconds(2))
        #expect(!browser.screen.lines[22].contains("Turku"))
    }

    @Test(arguments: [":go 43.77,11.25", "LL", "0"])
    func `after a jump no place is named until that of the new view is known`(keys: String) {
        var browser = browser()
        _ = browser.update(.tick, at: .seconds(1))
        let before = browser.map.viewport.camera.coordinate
        _ = browser.update(.located(PlaceBearing(before, from: turku), at: before), at: .seconds(1))
        browser.type(keys)
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(3))
        #expect(!browser.screen.lines[22].contains("Turku"))
        _ = browser.update(.located(PlaceBearing(before, from: turku), at: before), at: .seconds(3))
        #expect(!browser.screen.lines[22].contains("Turku"))
    }

    @Test
    func `a place is named once it is known, and hidden when the zoom may require a better-known one`() {
        var browser = browser()
        for keys in ["", "LL", "---"] {
            browser.type(keys)
            #expect(!browser.screen.lines[22].contains("Turku"))
            _ = browser.update(.tick, at: browser.map.now + .seconds(2))
            let place = browser.map.viewport.camera.coordinate
            _ = browser.update(.located(PlaceBearing(place, from: turku), at: place), at: browser.map.now)
            #expect(browser.screen.lines[22].contains("of Turku, FI"))
        }
    }

    @Test func `no place is named when the view is zoomed far out`() {
        var browser = browser(zoom: 1)
        #expect(!asked(browser.update(.tick, at: .seconds(9))))
        let middle = browser.map.viewport.camera.coordinate
        _ = browser.update(.located(PlaceBearing(middle, from: turku), at: middle), at: .zero)
        #expect(!browser.screen.lines[22].contains("Turku"))
    }

    @Test(arguments: [
        (0.0, "Turku, FI"), (0.009, "1.0 km N of Turku, FI"), (0.0072, "800 m N of Turku, FI"),
        (0.2, "22 km N of Turku, FI"),
    ])
    func `distances are rounded to familiar numbers`(north: Double, text: String) {
        let point = Coordinate(latitude: 60.45 + north, longitude: 22.27)
        #expect(PlaceFormat.bearing(PlaceBearing(point, from: turku), units: .metric) == text)
    }

    @Test func `imperial units have miles and feet`() {
        let far = PlaceBearing(Coordinate(latitude: 60.65, longitude: 22.27), from: turku)
        let near = PlaceBearing(Coordinate(latitude: 60.4572, longitude: 22.27), from: turku)
        #expect(PlaceFormat.bearing(far, units: .imperial) == "14 mi N of Turku, FI")
        #expect(PlaceFormat.bearing(near, units: .imperial) == "2600 ft N of Turku, FI")
    }
}
