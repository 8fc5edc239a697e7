import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct PlaceLabelTests {
    private func place(
        _ name: String, _ latitude: Double, _ longitude: Double, _ kind: NamedPlace.Kind = .city,
        people: Int = 500_000
    ) -> NamedPlace {
        NamedPlace(
            number: 1, name: name, kind: kind, countryCode: "FI", country: "Finland", region: "",
            coordinate: Coordinate(latitude: latitude, longitude: longitude), population: people)
    }

    /// Returns a browser over a map without names, with these places.
    private func browser(_ places: [NamedPlace], columns: Int = 100) -> Browser {
        var layer = TileLayer.test(BlankSource())
        layer.info.hasLabels = false
        var browser = Browser.test(
            columns: columns, rows: 30, layers: [layer],
            camera: Camera(center: Coordinate(latitude: 60.2, longitude: 24.9), zoom: 8))
        _ = browser.send(.placeLabels(places))
        return browser
    }

    private func rows(_ browser: Browser, of name: String) -> [(row: Int, column: Int)] {
        browser.screen.lines.enumerated().compactMap { row, line in
            line.firstRange(of: name).map { (row, line[..<$0.lowerBound].count) }
        }
    }

    @Test func `a capital is marked with a filled circle beside its name`() {
        let browser = browser([place("Helsinki", 60.17, 24.94, .capital)])
        #expect(browser.screen.lines.contains { $0.contains("● Helsinki") })
    }

    @Test func `of overlapping names the more important one is shown`() {
        let browser = browser([
            place("Helsinki", 60.2, 24.9), place("Vantaa", 60.21, 24.9), place("Espoo", 60.2, 24.91),
        ])
        #expect(rows(browser, of: "Helsinki").count == 1)
        #expect(rows(browser, of: "Vantaa").isEmpty)
    }

    @Test func `a pan by whole cells moves every name by the same amount`() throws {
        var browser = browser([
            place("Helsinki", 60.2, 24.9), place("Turku", 60.3, 24.8), place("Lahti", 60.1, 25.0),
        ])
        let before = try ["Helsinki", "Turku", "Lahti"].map { try #require(rows(browser, of: $0).first) }
        _ = browser.press(.arrow(.right, shift: false))
        for (name, old) in zip(["Helsinki", "Turku", "Lahti"], before) {
            let new = try #require(rows(browser, of: name).first)
            #expect(new.row == old.row && old.column - new.column == 12)
        }
    }

    @Test func `names are requested once for the surroundings of a view`() {
        var browser = browser([])
        let effects = browser.press(.arrow(.right, shift: false))
        #expect(effects.queries(PlaceLabelQuery.self).isEmpty)
        for _ in 0..<12 { _ = browser.press(.arrow(.right, shift: true)) }
        var asked = false
        if !browser.press(.character("+")).queries(PlaceLabelQuery.self).isEmpty { asked = true }
        #expect(asked)
    }

    @Test func `a window that became smaller requests its own names, like a new one`() {
        var browser = browser([], columns: 160)
        let effects = browser.send(.resized(columns: 100, rows: 30, cellAspect: nil))
        #expect(effects.queries(PlaceLabelQuery.self).count == 1)
    }

    @Test func `labelled maps get no further names until N requests them`() {
        var browser = Browser.test(
            columns: 100, rows: 30,
            camera: Camera(center: Coordinate(latitude: 60.2, longitude: 24.9), zoom: 8))
        _ = browser.send(.placeLabels([place("Helsinki", 60.2, 24.9)]))
        #expect(rows(browser, of: "Helsinki").isEmpty)
        #expect(
            !browser.press(.character("N")).queries(PlaceLabelQuery.self).isEmpty)
        _ = browser.send(.placeLabels([place("Helsinki", 60.2, 24.9)]))
        #expect(rows(browser, of: "Helsinki").count == 1)
    }

    @Test func `a name from a server is shown without control characters`() {
        let browser = browser([place("Hel\u{1B}[31msinki", 60.2, 24.9)])
        #expect(!browser.screen.cells.contains { $0.glyph.value < 32 })
    }
}
