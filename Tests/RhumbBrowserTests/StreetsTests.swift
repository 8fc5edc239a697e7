@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@Suite struct `Streets over the built-in world` {
    private static let offer = ServiceOffer(
        id: "openfreemap", name: "OpenFreeMap", host: "tiles.openfreemap.org")

    private func layer(_ id: String, _ change: (inout TileLayer) -> Void) -> TileLayer {
        var layer = TileLayer.test(BlankSource()).named(id)
        change(&layer)
        return layer
    }

    private var world: TileLayer {
        layer("world.night") {
            $0.openedBy = "world"
            $0.info.name = "World"
            $0.info.attribution = "Natural Earth"
            $0.role = .vectorBase
        }
    }

    private var streets: TileLayer {
        layer("streets") {
            $0.refinesBase = true
            $0.visibleZooms = ZoomSet(6...30)
            $0.info.name = "OpenFreeMap"
            $0.info.attribution = "OpenFreeMap ©"
        }
    }

    private func browser(
        zoom: Double, _ choice: StreetsChoice = .undecided, layers: [TileLayer]? = nil
    ) -> Browser {
        let camera = Camera(center: Coordinate(latitude: 43.77, longitude: 11.25), zoom: zoom)
        var browser = Browser.test(columns: 110, rows: 30, layers: layers ?? [world], camera: camera)
        browser.begin(
            streets: choice,
            offers: [
                Self.offer, ServiceOffer(id: "versatiles", name: "VersaTiles", host: "tiles.versatiles.org"),
            ])
        return browser
    }

    @Test func `are offered by a key where the world has no more detail, and requested only after consent`() {
        var browser = browser(zoom: 9)
        #expect(browser.shows("Enter streets") && !browser.shows("Enter: streets"))
        let asked = browser.press(.enter)
        #expect(!asked.contains(.ask(StreetsQuery(name: "openfreemap"))))
        #expect(browser.shows("tiles.openfreemap.org") && browser.shows(":streets off"))
        let agreed = browser.press(.character("y"))
        #expect(
            agreed.contains(.ask(StoreStreetsChoice(choice: .source("openfreemap"))))
                && agreed.contains(.ask(StreetsQuery(name: "openfreemap"))))
        #expect(browser.openPanel == nil && !browser.shows("Enter streets"))
    }

    @Test func `are offered first in the hint line, also beside a notice, in at most 30 columns`() throws {
        for (columns, notice) in [(80, ""), (80, "Turku, Finland"), (110, "Turku, Finland")] {
            var browser = Browser.test(
                columns: columns, rows: 24, layers: [world],
                camera: Camera(center: Coordinate(latitude: 43.77, longitude: 11.25), zoom: 9))
            browser.begin(streets: .undecided, offers: [Self.offer])
            if !notice.isEmpty { _ = browser.say(notice) }
            let line = try #require(browser.screen.lines.last)
            #expect(line.hasPrefix(" Enter streets") && line.contains(notice), "\(line)")
            let offer = try #require(browser.hints.first)
            #expect(offer.pressed == .enter && offer.columns.count <= 30)
        }
    }

    @Test func `are not offered far out, over another map, or after "never"`() {
        #expect(!browser(zoom: 5).shows("Enter streets"))
        #expect(!browser(zoom: 9, layers: [.test(BlankSource())]).shows("Enter streets"))
        var browser = browser(zoom: 9)
        _ = browser.press(.enter)
        #expect(browser.press(.character("x")).isEmpty && browser.openPanel != nil)
        #expect(browser.press(.enter).isEmpty && browser.openPanel == nil && browser.shows("Enter streets"))
        _ = browser.press(.enter)
        #expect(browser.press(.character("n")).contains(.ask(StoreStreetsChoice(choice: .off))))
        #expect(!browser.shows("Enter streets"))
    }

    @Test(arguments: [
        (5.9, "World", "Natural Earth"), (6.0, "OpenFreeMap", "OpenFreeMap ©"),
        (14.0, "OpenFreeMap", "OpenFreeMap ©"),
    ])
    func `are the base map from zoom 6 on, and the world is below it`(
        zoom: Double, name: String, attribution: String
    ) {
        var browser = browser(zoom: zoom, .source("openfreemap"))
        #expect(browser.update(.tick, at: .zero).contains(.ask(StreetsQuery(name: "openfreemap"))))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        #expect(browser.base?.info.name == name)
        #expect(browser.shows(attribution))
        #expect(browser.map.layers.map(\.id) == ["world.night", "streets"])
    }

    @Test func `a panel leaves the view unchanged, and 0 shows the world`() {
        var browser = browser(zoom: 14, .source("openfreemap"))
        let camera = browser.map.viewport.camera
        _ = browser.update(.streets(.success([streets])), at: .zero)
        #expect(browser.map.viewport.camera == camera)
        _ = browser.press(.character("0"))
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.map.viewport.camera.zoom < 2)
    }

    @Test func `that fail are reported once, and requested again after 30 s, then after twice as long`() {
        var browser = browser(zoom: 9, .source("openfreemap")), requests: [Int] = []
        for second in 0..<200 {
            let effects = browser.update(.tick, at: .seconds(second))
            guard effects.contains(.ask(StreetsQuery(name: "openfreemap"))) else { continue }
            requests.append(second)
            _ = browser.update(
                .streets(.failure(Notice.Problem("the server sent HTML"))), at: .seconds(second))
        }
        #expect(requests == [0, 30, 90])
        #expect(browser.map.notices.all.count { $0.text.contains("the server sent HTML") } == 1)
        #expect(browser.map.layers.map(\.id) == ["world.night"])
    }

    @Test func `are requested at once when the network returns`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.tick, at: .zero)
        _ = browser.update(.streets(.failure(Notice.Problem("no answer"))), at: .zero)
        _ = browser.update(.network(isReachable: false), at: .seconds(1))
        #expect(
            browser.update(.network(isReachable: true), at: .seconds(2)).contains(
                .ask(StreetsQuery(name: "openfreemap")))
        )
    }

    @Test func `follow :streets, which names the sources there are`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        browser.type(":streets versatiles")
        #expect(browser.press(.enter).contains(.ask(StreetsQuery(name: "versatiles"))))
        browser.type(":streets off")
        #expect(browser.press(.enter).contains(.ask(StoreStreetsChoice(choice: .off))))
        #expect(browser.map.layers.map(\.id) == ["world.night"])
        browser.type(":streets nowhere")
        _ = browser.press(.enter)
        #expect(browser.shows("openfreemap, versatiles, off"))
    }

    @Test func `have a row in the panel of maps, which turns them on and off`() {
        var browser = browser(zoom: 9)
        browser.type("mj")
        #expect(browser.shows("Streets (OpenFreeMap)"))
        _ = browser.press(.enter)
        #expect(browser.shows("tiles.openfreemap.org"))
        #expect(browser.press(.character("y")).contains(.ask(StreetsQuery(name: "openfreemap"))))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        browser.type("m")
        #expect(!browser.shows("Streets (OpenFreeMap)"))
        #expect(browser.press(.character("x")).contains(.ask(StoreStreetsChoice(choice: .off))))
        #expect(browser.map.layers.map(\.id) == ["world.night"])
    }

    @Test func `go with the world, and return with it`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        let other = layer("other") { _ in }
        _ = browser.update(.opened(.success([other]), over: false), at: .zero)
        #expect(browser.map.layers.map(\.id) == ["other"])
        let effects = browser.update(.opened(.success([world]), over: false), at: .zero)
        #expect(effects.contains(.ask(StreetsQuery(name: "openfreemap"))))
    }

    // MARK: Stored streets

    private func region(_ state: String = "complete", tiles: Int = 5) -> RegionItem {
        RegionItem(
            id: "firenze", name: "Firenze", state: state, reason: "", settled: tiles, tiles: tiles, absent: 0,
            planned: 5, failed: 0,
            bytes: 5, age: "", expiry: "", bounds: nil, zooms: nil, isUnderWay: false, isFinished: true,
            pace: "")
    }

    private var stored: TileLayer {
        layer("stored") {
            $0.refinesBase = true
            $0.policy.viewing = false
            $0.visibleZooms = ZoomSet(6...30)
            $0.boundingBox = Bounds(west: 11, south: 43, east: 12, north: 44)
            $0.info.name = "Protomaps · Firenze"
        }
    }

    @Test func `that regions hold appear without a choice, and again when the regions change`() {
        var browser = browser(zoom: 9)
        #expect(
            browser.update(.offline(.regions([region()])), at: .zero).contains(.ask(StoredStreetsQuery())))
        #expect(
            !browser.update(.offline(.regions([region()])), at: .zero).contains(.ask(StoredStreetsQuery())))
        _ = browser.update(.storedStreets([stored]), at: .zero)
        #expect(browser.shows("Protomaps · Firenze") && !browser.shows("Enter streets"))
        #expect(
            browser.update(.offline(.regions([region(tiles: 4)])), at: .zero).contains(
                .ask(StoredStreetsQuery())))
        #expect(browser.update(.storedStreets([]), at: .zero).contains(.updateView) && browser.shows("World"))
    }

    @Test func `that regions hold are the base map only where they are`() {
        let camera = Camera(center: Coordinate(latitude: 60.45, longitude: 22.27), zoom: 9)
        var browser = Browser.test(columns: 110, rows: 30, layers: [world, stored], camera: camera)
        browser.begin(streets: .undecided, offers: [Self.offer])
        #expect(browser.shows("World") && !browser.shows("Protomaps"))
    }

    @Test
    func `"d" proposes the source of downloads over the world, over streets, and where a map forbids them`()
        throws
    {
        let download = ServiceOffer(id: "protomaps", name: "Protomaps", host: "build.protomaps.com")
        func draft(_ layers: [TileLayer]) throws -> (Browser, RegionDraft) {
            var browser = self.browser(zoom: 12, layers: layers)
            browser.begin(streets: .off, offers: [Self.offer], download: download)
            browser.begin(services: [download], agreed: [])
            #expect(browser.press(.character("d")).queries(RegionPlanQuery.self).isEmpty)
            #expect(
                browser.shows("Download from Protomaps?") && browser.shows("build.protomaps.com receives"))
            let drafts = browser.press(.character("y")).queries(RegionPlanQuery.self).map(\.draft)
            return (browser, try #require(drafts.first))
        }
        for layers in [[world], [world, streets]] {
            let (browser, draft) = try draft(layers)
            #expect(draft.source == download && draft.zooms == 6...15 && draft.layers.isEmpty)
            #expect(browser.shows("Protomaps (build.protomaps.com)"))
        }
        let denied = layer("source:osm") {
            $0.info.name = "OpenStreetMap"
            $0.policy.offline = .denied
        }
        let (browser, draft) = try draft([denied])
        #expect(draft.source == download && browser.shows("OpenStreetMap doesn't allow"))
    }
}
