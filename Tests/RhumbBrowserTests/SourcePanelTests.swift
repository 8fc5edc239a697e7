import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct SourcePanelTests {
    private static let choices: [SourceChoice] = {
        var tomtom = SourceChoice(specifier: "tomtom", name: "TomTom", note: "z0–22")
        tomtom.missingKey = "TOMTOM_API_KEY"
        return [SourceChoice(specifier: "osm", name: "OpenStreetMap", note: "z0–19"), tomtom]
    }()

    private func browser() -> Browser {
        var browser = Browser.test(columns: 120, rows: 30)
        browser.type("m")
        #expect(browser.press(.tab) == [.ask(SourceListQuery())])
        _ = browser.update(.sources(Self.choices), at: browser.map.now)
        return browser
    }

    @Test func `Tab lists the sources, and m closes the list`() {
        var browser = browser()
        #expect(browser.shows("─ Sources ─"))
        let lines = browser.screen.lines
        #expect(lines.contains { $0.contains("OpenStreetMap") } && lines.contains { $0.contains("z0–19") })
        _ = browser.press(.tab)
        #expect(browser.shows("─ Maps and layers ─"))
        _ = browser.press(.tab)
        browser.type("m")
        #expect(browser.openPanel == nil)
    }

    @Test func `Enter opens a source, and a adds it over the map`() {
        var browser = browser()
        #expect(browser.press(.enter) == [.open(source: "osm", over: false)])
        #expect(browser.press(.character("a")) == [.open(source: "osm", over: true)])
    }

    @Test func `a source without its key names the key`() {
        var browser = browser()
        browser.type("j")
        #expect(browser.screen.lines.contains { $0.contains("TOMTOM_API_KEY") })
        #expect(!browser.press(.enter).contains { if case .open = $0 { true } else { false } })
        #expect(browser.map.notices.all.last?.text.contains("TOMTOM_API_KEY") == true)
    }

    @Test func `the selected row stays within the list and visible`() {
        var browser = Browser.test(columns: 60, rows: 16)
        browser.type("m")
        _ = browser.press(.tab)
        let many = (0..<40).map {
            SourceChoice(specifier: "s\($0)", name: "Source \($0)", note: "note \($0)")
        }
        _ = browser.update(.sources(many), at: browser.map.now)
        _ = browser.press(.end)
        #expect(browser.screen.lines.contains { $0.contains("Source 39") })
        #expect(browser.screen.lines.contains { $0.contains("note 39") })
        _ = browser.press(.home)
        #expect(browser.screen.lines.contains { $0.contains("note 0") })
    }

    @Test func `typed commands open sources by name, or list them`() {
        var browser = Browser.test()
        browser.type(":source osm")
        #expect(browser.press(.enter) == [.open(source: "osm", over: false), .keepLine("source osm")])
        browser.type(":over osm")
        #expect(browser.press(.enter) == [.open(source: "osm", over: true), .keepLine("over osm")])
        browser.type(":source")
        #expect(
            browser.press(.enter) == [.ask(SourceListQuery()), .keepLine("source")]
                && browser.shows("─ Sources ─"))
    }

    @Test func `the wait for a source is shown`() {
        var browser = Browser.test()
        _ = browser.update(.opening("Town"), at: .zero)
        #expect(browser.map.notices.all.last?.text == "Opening Town …")
    }
}

/// Tests the view after a base map has been opened.
struct OpenedMapTests {
    private static let town = Bounds(west: 24, south: 60, east: 25, north: 61)
    private static let start = Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 7)

    private func layer(_ bounds: Bounds?) -> TileLayer {
        TileLayer(id: "new", source: BlankSource(), info: TileSourceInfo(name: "New", bounds: bounds))
    }

    private func browser(camera: Camera?, awaitsBase: Bool = false) -> Browser {
        Browser(columns: 80, rows: 24, layers: [.test(BlankSource())], camera: camera, awaitsBase: awaitsBase)
    }

    @Test func `a map of the world is shown at the current view, a map of a town at the town`() {
        var browser = browser(camera: Self.start)
        _ = browser.update(.opened(.success([layer(nil)]), over: false), at: .zero)
        #expect(browser.map.viewport.camera == Self.start)
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 60.5) < 0.1)
    }

    @Test(arguments: [true, false])
    func `a map that was loading moves the view only if the user has not moved it`(isChosen: Bool) {
        var browser = browser(camera: isChosen ? Self.start : nil, awaitsBase: true)
        let before = browser.map.viewport.camera
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect((browser.map.viewport.camera == before) == isChosen)
    }

    @Test func `a requested centre keeps its place, at the zoom of the map that was loading`() {
        let centre = Coordinate(latitude: 60.2, longitude: 24.3)
        var browser = browser(camera: Camera(center: centre, zoom: 0), awaitsBase: true)
        browser.begin(requesting: { _, home in Camera(center: centre, zoom: home.zoom) })
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 60.2) < 0.01)
        #expect(browser.map.viewport.camera.zoom > 5)
        // Maps that are opened later have their own view.
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect(abs(browser.map.viewport.camera.coordinate.latitude - 60.5) < 0.1)
    }

    @Test func `a user who moved while waiting stays there`() {
        var browser = browser(camera: nil, awaitsBase: true)
        browser.type("ll")
        let before = browser.map.viewport.camera
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect(browser.map.viewport.camera == before && browser.map.layers.map(\.id) == ["new"])
    }

    @Test func `when the awaited map fails the one beneath stays, and the next map may move the view`() {
        var browser = browser(camera: Self.start, awaitsBase: true)
        _ = browser.update(.opened(.failure(Notice.Problem("no")), over: false), at: .zero)
        #expect(browser.map.layers.map(\.id) == ["test"] && browser.map.notices.all.last?.isProblem == true)
        _ = browser.update(.opened(.success([layer(Self.town)]), over: false), at: .zero)
        #expect(browser.map.viewport.camera != Self.start)
    }

    @Test func `another base map keeps the layers over it`() {
        var over = TileLayer.test(BlankSource(), id: "over")
        over.role = .hybridOverlay
        var browser = Browser.test(layers: [.test(BlankSource(), id: "base"), over])
        _ = browser.update(.opened(.success([layer(nil)]), over: false), at: .zero)
        #expect(browser.map.layers.map(\.id) == ["new", "over"])
    }
}
