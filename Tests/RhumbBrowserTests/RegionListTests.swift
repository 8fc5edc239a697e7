@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the regions of the list: their maps and their states.
struct RegionListTests {
    private func browser() -> Browser {
        .test(
            columns: 120, rows: 40, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: Coordinate(latitude: 60.45, longitude: 22.26), zoom: 12))
    }

    @Test func `Enter on a region of another map opens that map at the region`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        let other = RegionItem(
            id: "a", name: "A", state: "complete", reason: "", settled: 1, tiles: 1, absent: 0, planned: 1,
            failed: 0, bytes: 1, age: "", expiry: "",
            bounds: Bounds(west: 10, south: 50, east: 11, north: 51), zooms: 12...14, isUnderWay: false,
            isFinished: true, pace: "", sources: ["topo", "heights"])
        _ = browser.update(.offline(.regions([other])), at: browser.map.now)
        let effects = browser.press(.enter)
        #expect(effects.contains(.open(source: "topo", over: false)), "\(effects)")
        // Farther out, the region has no tiles.
        #expect(browser.movement.landing.map { $0.zoom >= 12 } == true)
    }

    @Test func `an interrupted download names the key that resumes it`() {
        var browser = browser()
        _ = browser.press(.character("r"))
        let left = RegionItem(
            id: "a", name: "A", state: RegionItem.interrupted, reason: "", settled: 61, tiles: 61, absent: 0,
            planned: 100, failed: 0, bytes: 1, age: "", expiry: "", bounds: nil, zooms: nil,
            isUnderWay: false, isFinished: false, pace: "")
        _ = browser.update(.offline(.regions([left])), at: browser.map.now)
        #expect(browser.shows("interrupted 61 %, P: resume"))
        #expect(browser.press(.character("P")) == [.ask(RegionAction(.resume, "a"))])
    }
}
