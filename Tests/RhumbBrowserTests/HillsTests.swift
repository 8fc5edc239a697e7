@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@Suite struct `Shading and contours of hills` {
    private func browser() -> Browser {
        .test(
            columns: 100, rows: 30, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: Coordinate(latitude: 46.5, longitude: 8), zoom: 12))
    }

    private func run(_ line: String, _ browser: inout Browser) -> [HillsChoice] {
        browser.type(":\(line)")
        return browser.press(.enter).compactMap { if case .hills(let choice) = $0 { choice } else { nil } }
    }

    private func shading() -> TileLayer {
        var layer = TileLayer.test(BlankSource(), id: "hills")
        layer.feature = .terrain
        layer.role = .hybridOverlay
        return layer
    }

    @Test func `are opened together, and removed together`() {
        var browser = browser()
        #expect(run("hills on", &browser) == [HillsChoice(isShaded: true, contours: ContourSpacing())])
        _ = browser.update(.opened(.success([shading(), contours()]), over: true), at: .zero)
        #expect(browser.map.layers.count == 3)
        browser.type("m")
        #expect(browser.shows("● Hills: shading and contours"))
        _ = browser.press(.escape)
        #expect(run("hills off", &browser).isEmpty)
        #expect(browser.map.layers.map(\.id) == ["osm"])
        browser.type("m")
        #expect(browser.shows("○ Hills: shading and contours"))
    }

    private func contours() -> TileLayer {
        let ground = shading().drawn(
            by: HillshadeDrawing(
                TileSourceInfo(name: "Alps"), .terrarium, Hillshade(), decoder: ThreeByteDecoder()))
        let source = ElevationModel(ground, StoredNothing()).map { ContourTileSource($0, ContourSpacing()) }
        return TileLayer.test(source ?? BlankSource(), id: "contours")
    }

    @Test func `are named as what is shown of them`() {
        var browser = browser()
        _ = run("contours 50", &browser)
        _ = browser.update(.opened(.success([contours()]), over: true), at: .zero)
        #expect(browser.shows("Contours every 50 m"))
        browser.type("m")
        #expect(browser.shows("● Hills: contours only"))
        _ = browser.press(.escape)
        _ = run("hills on", &browser)
        _ = browser.update(.opened(.success([shading(), contours()]), over: true), at: .zero)
        #expect(browser.shows("Shading and contours are on"))
        browser.type("m")
        #expect(browser.shows("● Hills: shading and contours"))
        _ = browser.press(.escape)
        _ = run("contours off", &browser)
        browser.type("m")
        #expect(browser.shows("● Hills: shading only"))
    }

    @Test func `are missing in plain words where no heights are stored`() {
        var browser = browser()
        _ = run("hills on", &browser)
        _ = browser.update(.opened(.success([]), over: true), at: .zero)
        #expect(browser.shows("● No heights are stored here"))
    }

    @Test(arguments: [80, 100]) func `have their attribution, or a sign that there is more`(columns: Int) {
        var base = TileLayer.test(RemoteSource(), id: "osm")
        base.info.attribution = "Protomaps © OpenStreetMap"
        var hills = shading()
        hills.info.attribution = "© Test heights"
        let browser = Browser.test(columns: columns, rows: 24, layers: [base, hills])
        #expect(browser.attributionWordings[0] == "Protomaps © OpenStreetMap | © Test heights")
        #expect(browser.attributionWordings.dropFirst().allSatisfy { $0.hasSuffix("i") })
        #expect(browser.shows("© Test heights") || browser.shows("· i"))
    }

    @Test func `have contours at a distance in the units of the settings`() {
        var browser = browser()
        #expect(run("contours 20", &browser) == [HillsChoice(contours: ContourSpacing(20))])
        _ = run("units imperial", &browser)
        #expect(
            run("contours auto", &browser) == [HillsChoice(contours: ContourSpacing(isInFeet: true))])
        #expect(run("contours many", &browser).isEmpty && browser.shows("expected auto, off or a distance"))
    }

    @Test func `have the heights of local contours around the view once it rests`() throws {
        var browser = Browser.test(
            columns: 200, rows: 60, layers: [.test(RemoteSource(), id: "osm")],
            camera: Camera(center: try #require(TileID(zoom: 12, x: 2139, y: 1448)).center, zoom: 12))
        let effects = browser.update(.opened(.success([contours()]), over: true), at: .zero)
        let seen = try #require(effects.queries(ContourLabelQuestion.self).first)
        #expect(browser.isAwaitingLabels && browser.lacksHeights)
        let empty = seen.labels.tiles.map { TileLabels([], on: $0, isUnicode: true) }
        _ = browser.receiveHeights(empty, to: seen.labels)
        #expect(!browser.lacksHeights)
        #expect(browser.askHeights().isEmpty)
        browser.map.now = .seconds(1)
        let around = try #require(browser.askHeights().queries(ContourLabelQuestion.self).first)
        #expect(!around.labels.tiles.isEmpty)
        #expect(Set(around.labels.tiles).isDisjoint(with: seen.labels.tiles))
    }

    @Test func `have their heights over a map with labels of its own, which no other names cover`() throws {
        var map = TileLayer.test(RemoteSource(), id: "osm")
        map.info.hasLabels = true
        var browser = Browser.test(
            columns: 200, rows: 60, layers: [map],
            camera: Camera(center: try #require(TileID(zoom: 12, x: 2139, y: 1448)).center, zoom: 12))
        #expect(!browser.showsLabels && browser.followLabels().isEmpty)
        _ = browser.update(.opened(.success([contours()]), over: true), at: .zero)
        #expect(browser.showsLabels && !browser.showsNames)
        #expect(browser.labels.heights.asked != nil && browser.labels.asked == nil)
        browser.map.settings.labels = false
        #expect(!browser.showsLabels)
    }

    @Test(arguments: ["", "0", "-5", "nan", "inf", "1e9", "5001", "20 m"])
    func `have no contours at an absurd distance`(words: String) {
        #expect(ContourSpacing(text: words, isInFeet: false) == nil)
    }
}

/// A fetcher without tiles.
struct StoredNothing: TileFetcher {
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        throw TileFailure(.offline, "no network")
    }
}
