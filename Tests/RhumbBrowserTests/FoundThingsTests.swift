@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct FoundThingsTests {
    private static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world

    private func feature(
        _ name: String, _ category: PlaceCategory, x: Int32, y: Int32, _ kind: String = ""
    ) -> SearchMatch {
        var thing = IndexedFeature(name, category, at: SIMD2(x, y))
        thing.kind = kind
        return .feature(FeatureMatch(thing, in: Self.tile).seen(from: Self.tile.center))
    }

    private var three: [SearchMatch] {
        [
            feature("Farmacia Molteni", .pharmacy, x: 2100, y: 2000, "pharmacy"),
            feature("", .toilets, x: 2000, y: 2100, "toilets"),
            feature("Via Farma", .street, x: 1900, y: 2010),
        ]
    }

    private func browser(columns: Int = 120, rows: Int = 30) -> Browser {
        .test(columns: columns, rows: rows, camera: Camera(center: Self.tile.center, zoom: 16))
    }

    @Test func `a house number that the map doesn't have is said when its street is chosen`() {
        var browser = browser()
        browser.type("/via dei neri 12")
        let query = MapSearchQuery(
            "via dei neri 12", near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
        var result = SearchResult([feature("Via dei Neri", .street, x: 2000, y: 2000)])
        result.note = "Via dei Neri: the map has no house 12, only the street"
        _ = browser.update(.found(.success(result), for: query), at: .zero)
        _ = browser.press(.enter)
        #expect(browser.map.notices.all.last?.text.contains("no house 12") == true)
    }

    private func query(_ browser: Browser, _ area: MapSearchArea = .everywhere) -> MapSearchQuery {
        MapSearchQuery(
            "farma", near: browser.map.viewport.camera.coordinate, area: area, limit: Browser.searchLimit)
    }

    private func searched(_ result: SearchResult, columns: Int = 120, rows: Int = 30) -> Browser {
        var browser = browser(columns: columns, rows: rows)
        browser.type("/farma")
        _ = browser.update(.found(.success(result), for: query(browser)), at: .zero)
        return browser
    }

    @Test func `features are listed with kind, distance and direction`() {
        let lines = searched(SearchResult(three), columns: 200).screen.lines
        #expect(
            lines.contains {
                $0.contains("✚ Farmacia Molteni") && $0.contains("pharmacy · ") && $0.contains(" m NE")
            })
        #expect(lines.contains { $0.contains("toilets") && $0.contains(" m SW") })
    }

    @Test func `Tab limits the search to the view, then to the region, then to nothing`() {
        var browser = searched(SearchResult(three))
        func areas(_ count: Int) -> [MapSearchArea] {
            (0..<count).flatMap { _ in browser.press(.tab).queries(SearchMap.self).map(\.query.area) }
        }
        #expect(areas(2).last == .everywhere)
        browser.stored.regions = [PanelScene.region("Turku", isUnderWay: false)]
        let limited = areas(3)
        guard case .box(let box)? = limited.first else { return #expect(Bool(false), "the view is a box") }
        #expect(box.contains(Self.tile.center))
        #expect(limited.dropFirst() == [.regions(at: browser.map.viewport.camera.coordinate), .everywhere])
    }

    @Test
    func
        `results are marked on the map, after Enter the chosen one alone with its name, and Esc removes the mark`()
    {
        var browser = searched(SearchResult(three))
        let mapColumns = 0..<70
        func marks(_ browser: Browser) -> Int {
            browser.screen.lines.reduce(0) {
                $0 + $1.prefix(mapColumns.count).filter { $0 == "✚" || $0 == "═" }.count
            }
        }
        #expect(marks(browser) > 1)
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.openPanel == nil && marks(browser) == 1)
        #expect(browser.screen.lines.contains { $0.contains("✚ Farmacia Molteni") })
        #expect(browser.map.notices.all.last?.text.hasPrefix("Farmacia Molteni, pharmacy") == true)
        _ = browser.press(.escape)
        #expect(marks(browser) == 0)
    }

    @Test func `a long street is only zoomed out as far as its name is readable`() {
        var thing = IndexedFeature("Via Lunga", .street, at: SIMD2(2000, 2000))
        thing.low = SIMD2(0, 0)
        thing.high = SIMD2(4096, 4096)
        let tile = TileID(zoom: 10, containing: Mercator.world(Self.tile.center))
        var browser = searched(SearchResult([.feature(FeatureMatch(thing, in: tile))]))
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.map.viewport.camera.zoom >= 14)
    }

    @Test func `a found street is drawn as a line until another result is chosen`() {
        var browser = searched(SearchResult(Array(three.reversed())))
        guard case .feature(let street) = three[2] else { return }
        #expect(browser.press(.enter).contains(.ask(StreetLinesQuery(street: street))))
        _ = browser.update(.tick, at: .seconds(5))
        func dots() -> Int { browser.screen.lines.reduce(0) { $0 + $1.filter { $0 == "·" }.count } }
        let before = dots(), center = Mercator.world(street.coordinate), half = 2e-6
        let line = [WorldPoint(x: center.x - half, y: center.y), WorldPoint(x: center.x + half, y: center.y)]
        _ = browser.update(.streetLines([line], of: street), at: .seconds(5))
        #expect(dots() > before + 3)
        _ = browser.press(.character("."))
        _ = browser.update(.tick, at: .seconds(10))
        _ = browser.update(.streetLines([line], of: street), at: .seconds(10))
        #expect(dots() <= before)
    }

    @Test func `related kinds follow a separator that can't be selected`() {
        var related = FeatureMatch(IndexedFeature("Dente", .hospital, at: SIMD2(2200, 2000)), in: Self.tile)
        related.isRelated = true
        var browser = searched(SearchResult([three[0], .feature(related)]))
        let lines = browser.screen.lines,
            also = lines.firstIndex { $0.contains("│ also") || $0.contains(" also ") }
        #expect(also != nil && also == lines.firstIndex { $0.contains("Dente") }.map { $0 - 1 })
        _ = browser.press(.arrow(.down, shift: false))
        _ = browser.press(.enter)
        #expect(browser.map.notices.all.last?.text.hasPrefix("Dente") == true)
    }

    @Test func `full stop and comma walk through the results, around the end`() {
        var browser = searched(SearchResult(three))
        _ = browser.press(.enter)
        var told: [String] = []
        for key in [".", ".", ".", ","] as [Character] {
            _ = browser.press(.character(key))
            told.append(String(browser.map.notices.all.last?.text.prefix { $0 != "," } ?? ""))
        }
        #expect(told == ["toilets", "Via Farma", "Farmacia Molteni", "Via Farma"])
    }

    @Test func `without a search, the keys for results explain how to search`() {
        var browser = browser()
        _ = browser.press(.character("."))
        #expect(browser.map.notices.all.last?.text.contains("/") == true)
    }

    @Test func `an unfinished index shows its progress, and is searched again`() {
        var browser = searched(SearchResult([], indexedShare: 0.63))
        #expect(browser.screen.lines.contains { $0.contains("63 %") })
        #expect(
            !browser.update(.tick, at: .seconds(3)).queries(SearchMap.self).isEmpty)
    }

    @Test func `a place outside stored data is reported as such`() {
        let lines = searched(SearchResult(three, isDownloadedHere: false)).screen.lines
        #expect(lines.contains { $0.contains("This is an image map") })
    }

    @Test(arguments: [(24, 4), (40, 12), (80, 24), (200, 60)])
    func `features are listed on any screen`(columns: Int, rows: Int) {
        #expect(
            searched(
                SearchResult(three, isDownloadedHere: false, indexedShare: 0.1), columns: columns, rows: rows
            ).screen.lines.contains { $0.contains("search: farma") })
    }

    @Test(arguments: PlaceCategory.allCases)
    func `every category has a sign one column wide, and one in ASCII`(category: PlaceCategory) {
        var browser = browser()
        browser.type("/x")
        let asked = MapSearchQuery(
            "x", near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
        _ = browser.update(
            .found(.success(SearchResult([feature("A name", category, x: 9, y: 9)])), for: asked), at: .zero)
        #expect(browser.screen.lines.contains { $0.contains(" A name") })
    }
}
