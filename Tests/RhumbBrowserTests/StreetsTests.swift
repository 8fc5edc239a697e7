import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@Suite struct `Streets over the built-in world` {
    private static let offer = StreetsOffer(id: "openfreemap", name: "OpenFreeMap", host: "tiles.openfreemap.org")

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

    private func browser(zoom: Double, _ choice: StreetsChoice = .undecided, layers: [TileLayer]? = nil) -> Browser {
        let camera = Camera(center: Coordinate(latitude: 43.77, longitude: 11.25), zoom: zoom)
        var browser = Browser.test(columns: 110, rows: 30, layers: layers ?? [world], camera: camera)
        browser.begin(streets: choice, offers: [Self.offer, StreetsOffer(id: "versatiles", name: "VersaTiles", host: "tiles.versatiles.org")])
        return browser
    }

    @Test func `are offered by a key where the world has no more detail, and requested only after consent`() {
        var browser = browser(zoom: 9)
        #expect(browser.shows("Enter show streets (OpenFreeMap, online)"))
        let asked = browser.press(.enter)
        #expect(!asked.contains(.openStreets("openfreemap")))
        #expect(browser.shows("tiles.openfreemap.org") && browser.shows(":streets off"))
        let agreed = browser.press(.enter)
        #expect(agreed.contains(.keepStreets(.source("openfreemap"))) && agreed.contains(.openStreets("openfreemap")))
        #expect(browser.openPanel == nil && !browser.shows("show streets ("))
    }

    @Test func `are not offered far out, over another map, or after "never"`() {
        #expect(!browser(zoom: 5).shows("show streets"))
        #expect(!browser(zoom: 9, layers: [.test(BlankSource())]).shows("show streets"))
        var browser = browser(zoom: 9)
        _ = browser.press(.enter)
        #expect(browser.press(.character("x")).contains(.keepStreets(.off)))
        #expect(!browser.shows("show streets"))
    }

    @Test(arguments: [(5.9, "World", "Natural Earth"), (6.0, "OpenFreeMap", "OpenFreeMap ©"), (14.0, "OpenFreeMap", "OpenFreeMap ©")])
    func `are the base map from zoom 6 on, and the world is below it`(zoom: Double, name: String, attribution: String) {
        var browser = browser(zoom: zoom, .source("openfreemap"))
        #expect(browser.update(.tick, at: .zero).contains(.openStreets("openfreemap")))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        #expect(browser.base?.info.name == name)
        #expect(browser.shows(attribution))
        #expect(browser.layers.map(\.id) == ["world.night", "streets"])
    }

    @Test func `leave the view where it is, and let 0 show the world`() {
        var browser = browser(zoom: 14, .source("openfreemap"))
        let camera = browser.viewport.camera
        _ = browser.update(.streets(.success([streets])), at: .zero)
        #expect(browser.viewport.camera == camera)
        _ = browser.press(.character("0"))
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.viewport.camera.zoom < 2)
    }

    @Test func `that fail are reported once, and requested again after 30 s, then after twice as long`() {
        var browser = browser(zoom: 9, .source("openfreemap")), requests: [Int] = []
        for second in 0..<200 {
            let effects = browser.update(.tick, at: .seconds(second))
            guard effects.contains(.openStreets("openfreemap")) else { continue }
            requests.append(second)
            _ = browser.update(.streets(.failure(Notice.Problem("the server sent HTML"))), at: .seconds(second))
        }
        #expect(requests == [0, 30, 90])
        #expect(browser.notices.all.count { $0.text.contains("the server sent HTML") } == 1)
        #expect(browser.layers.map(\.id) == ["world.night"])
    }

    @Test func `are requested at once when the network returns`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.tick, at: .zero)
        _ = browser.update(.streets(.failure(Notice.Problem("no answer"))), at: .zero)
        _ = browser.update(.network(isReachable: false), at: .seconds(1))
        #expect(browser.update(.network(isReachable: true), at: .seconds(2)).contains(.openStreets("openfreemap")))
    }

    @Test func `follow :streets, which names the sources there are`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        browser.type(":streets versatiles")
        #expect(browser.press(.enter).contains(.openStreets("versatiles")))
        browser.type(":streets off")
        #expect(browser.press(.enter).contains(.keepStreets(.off)))
        #expect(browser.layers.map(\.id) == ["world.night"])
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
        #expect(browser.press(.enter).contains(.openStreets("openfreemap")))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        browser.type("m")
        #expect(!browser.shows("Streets (OpenFreeMap)"))
        #expect(browser.press(.character("x")).contains(.keepStreets(.off)))
        #expect(browser.layers.map(\.id) == ["world.night"])
    }

    @Test func `go with the world, and return with it`() {
        var browser = browser(zoom: 9, .source("openfreemap"))
        _ = browser.update(.streets(.success([streets])), at: .zero)
        let other = layer("other") { _ in }
        _ = browser.update(.opened(.success([other]), over: false), at: .zero)
        #expect(browser.layers.map(\.id) == ["other"])
        let effects = browser.update(.opened(.success([world]), over: false), at: .zero)
        #expect(effects.contains(.openStreets("openfreemap")))
    }
}
