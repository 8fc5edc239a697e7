@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the panels of regions and downloads while other programs work, too.
struct RegionCursorTests {
    private func browser(zooms: ClosedRange<Int> = 0...20) -> Browser {
        .test(
            columns: 120, rows: 40, layers: [.test(RemoteSource(), id: "osm", zooms: zooms)],
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.26), zoom: 12))
    }

    private func item(_ id: String) -> RegionItem {
        RegionItem(
            id: id, name: "Region \(id)", state: "complete", reason: "", settled: 61, tiles: 58, absent: 3,
            planned: 100, failed: 0, bytes: 1_000_000, age: "3 h ago", expiry: "fresh for 5 d",
            bounds: Bounds(west: 10, south: 50, east: 11, north: 51), zooms: 8...14, isUnderWay: false,
            isFinished: true, pace: "")
    }

    private func draft(_ effects: [Effect]) throws -> RegionDraft {
        try #require(effects.queries(RegionPlanQuery.self).map(\.draft).first)
    }

    @Test func `the highlight stays on its region when another program adds one`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        _ = browser.update(.offline(.regions([item("a"), item("b")])), at: browser.map.now)
        browser.type("jx")
        _ = browser.update(.offline(.regions([item("0"), item("a"), item("b")])), at: browser.map.now)
        #expect(browser.shows("Delete Region b and its tiles?"))
        #expect(browser.press(.character("y")) == [.ask(RegionAction(.remove, "b"))])
        #expect(browser.press(.character("R")) == [.ask(RegionAction(.refresh, "b"))])
        _ = browser.update(.offline(.regions([item("0"), item("a")])), at: browser.map.now)
        #expect(browser.press(.character("R")) == [.ask(RegionAction(.refresh, "a"))])
    }

    @Test func `a question leaves quitting and suspending to their keys`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        _ = browser.update(.offline(.regions([item("a")])), at: browser.map.now)
        browser.type("x")
        #expect(browser.press(.control("z")) == [.suspend])
        #expect(browser.press(.control("c")).contains(.quit))
    }

    @Test func `a download is not deeper than the map`() throws {
        var browser = browser(zooms: 0...14)
        let first = try draft(browser.press(.character("d")))
        #expect(first.zooms.upperBound == 14)
        _ = browser.press(.arrow(.right, shift: false))
        #expect(try draft(browser.press(.character("<"))).zooms.upperBound == 14)
    }
}
