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
        _ = browser.update(.opened(.success([shading()]), over: true), at: .zero)
        #expect(browser.map.layers.count == 2)
        browser.type("m")
        #expect(browser.shows("● Hills: shading and contours"))
        _ = browser.press(.escape)
        #expect(run("hills off", &browser).isEmpty)
        #expect(browser.map.layers.map(\.id) == ["osm"])
        browser.type("m")
        #expect(browser.shows("○ Hills: shading and contours"))
    }

    @Test func `have contours at a distance in the units of the settings`() {
        var browser = browser()
        #expect(run("contours 20", &browser) == [HillsChoice(contours: ContourSpacing(20))])
        _ = run("units imperial", &browser)
        #expect(
            run("contours auto", &browser) == [HillsChoice(contours: ContourSpacing(isInFeet: true))])
        #expect(run("contours many", &browser).isEmpty && browser.shows("expected auto, off or a distance"))
    }

    @Test(arguments: ["", "0", "-5", "nan", "inf", "1e9", "5001", "20 m"])
    func `have no contours at an absurd distance`(words: String) {
        #expect(ContourSpacing(words: words, isInFeet: false) == nil)
    }
}
