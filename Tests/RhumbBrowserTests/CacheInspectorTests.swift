@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// A source on a network.
struct RemoteSource: TileLayerDataSource {
    func url(for tile: TileID) -> String? { "http://127.0.0.1/\(tile)" }
}

struct CacheInspectorTests {
    private let overview = CacheOverview(
        path: "/tmp/tiles.db", usedBytes: 5_000_000, quota: 10_000_000, fileBytes: 6_000_000,
        counts: ["since start: hits 96.1 %"], oldest: "12 d ago",
        rows: [
            .init(name: "osm", zoom: 11, entries: 212, absent: 2, bytes: 3_100_000, fresh: 100),
            .init(name: "documents", zoom: -1, entries: 3, absent: 0, bytes: 9000, fresh: 3),
        ])

    private func open(_ columns: Int = 120) -> Browser {
        var browser = Browser.test(columns: columns, rows: 40, layers: [.test(RemoteSource(), id: "osm")])
        browser.type("c")
        _ = browser.update(.cacheOverview(overview), at: browser.map.now)
        return browser
    }

    private func item(_ x: Int) throws -> CacheItem {
        let tile = try #require(TileID(zoom: 11, x: x, y: 600))
        return CacheItem(
            key: .tile(origin: TileOrigin(source: "osm", address: "{z}"), tile), name: "osm", state: "stale",
            age: "3 h", size: "18 kB",
            explanation: ["osm \(tile)", "ETag \"1\""])
    }

    @Test func `c requests the cache's statistics and shows them beside the map`() {
        var browser = Browser.test(columns: 120, rows: 40)
        #expect(browser.press(.character("c")).contains(.ask(CacheOverviewQuery())))
        _ = browser.update(.cacheOverview(overview), at: browser.map.now)
        let text = browser.screen.lines.joined(separator: "\n")
        #expect(text.contains("5 MB of 10 MB") && text.contains("50.0 %") && text.contains("hits 96.1 %"))
    }

    @Test func `without a cache the inspector reports that nothing is cached`() {
        var browser = Browser.test(columns: 120, rows: 40)
        browser.type("c")
        _ = browser.update(.cacheOverview(nil), at: browser.map.now)
        #expect(browser.screen.lines.joined().contains("nothing is stored"))
    }

    @Test func `Enter on a source lists its tiles of that zoom`() {
        var browser = open()
        browser.type("2j")
        var wanted = CacheSelection.all
        wanted.source = "osm"
        wanted.zoom = 11
        #expect(browser.press(.enter).contains(.ask(CacheListQuery(selection: wanted, limit: 500))))
    }

    @Test func `deletion requires y, and applies to the marked entries`() throws {
        var browser = open()
        browser.type("3")
        let items = try [item(1), item(2), item(3)]
        _ = browser.update(.cacheItems(items, for: .all), at: browser.map.now)
        browser.type(" j x")
        #expect(browser.screen.lines.joined().contains("Delete these 2 entries?"))
        #expect(browser.press(.character("n")).isEmpty)
        browser.type("x")
        #expect(
            browser.press(.character("y")) == [.ask(CacheChange(act: .delete([items[0].key, items[2].key])))])
    }

    @Test func `the list of an earlier filter is not shown under a newer one`() throws {
        var browser = open()
        browser.type("3/osm")
        _ = browser.press(.enter)
        _ = browser.update(.cacheItems([try item(1)], for: .all), at: browser.map.now)
        #expect(!browser.shows("11/1/600"))
        var wanted = CacheSelection.all
        wanted.source = "osm"
        _ = browser.update(.cacheItems([try item(1)], for: wanted), at: browser.map.now)
        #expect(browser.shows("11/1/600"))
    }

    @Test func `an entry opens, and Escape goes back to the list before it closes`() throws {
        var browser = open()
        browser.type("3")
        _ = browser.update(.cacheItems([try item(1)], for: .all), at: browser.map.now)
        _ = browser.press(.enter)
        #expect(browser.screen.lines.joined().contains("ETag \"1\""))
        _ = browser.press(.escape)
        #expect(browser.openPanel?.word == "cache")
        _ = browser.press(.escape)
        #expect(browser.openPanel == nil)
    }

    @Test func `the filter accepts words in any order and rejects an invalid zoom`() {
        var browser = open()
        browser.type("3/stale z12 osm")
        var wanted = CacheSelection.all
        wanted.source = "osm"
        wanted.zoom = 12
        wanted.state = "stale"
        #expect(browser.press(.enter).contains(.ask(CacheListQuery(selection: wanted, limit: 500))))
        browser.type("/")
        _ = browser.press(.control("u"))
        browser.type("z99")
        _ = browser.press(.enter)
        #expect(browser.shows("Zoom 99 is out of range"))
    }

    @Test func `the map page requests the tiles in view and follows the view`() {
        var browser = open()
        let asked = browser.press(.character("4"))
        #expect(asked.queries(HeatQuestion.self).contains { $0.layer == "osm" })
        let moved = browser.press(.arrow(.right, shift: false))
        #expect(moved.contains(.ask(HeatQuestion(layer: "osm", zoom: 0, box: browser.map.viewport.box))))
    }

    @Test func `o turns the network off, and the status line shows this until it is on again`() {
        var browser = Browser.test(columns: 120, rows: 40, layers: [.test(RemoteSource())])
        #expect(browser.press(.character("o")).contains(.setOffline(true)))
        #expect(browser.screen.lines[38].contains("offline"))
        #expect(browser.press(.character("o")).contains(.setOffline(false)))
        #expect(!browser.screen.lines[38].contains("offline"))
    }

    @Test func `the loss and the return of the network are each reported once`() {
        var browser = Browser.test(columns: 120, rows: 40, layers: [.test(RemoteSource())])
        for _ in 0..<3 { _ = browser.update(.network(isReachable: false), at: browser.map.now) }
        #expect(browser.map.notices.all.count == 1)
        #expect(browser.screen.lines[38].contains("no network"))
        _ = browser.update(.network(isReachable: true), at: browser.map.now)
        #expect(browser.map.notices.all.last?.text == "Network is back")
    }
}
