@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

extension StylePack {
    /// A pack of a web style in which one image is missing.
    static let bright: StylePack = {
        var pack = StylePack(
            address: "https://maps.example/bright.json", name: "Bright", metadata: .null,
            missing: [.init(address: "https://maps.example/sprite.png", reason: "the server answered 404")],
            changed: UnixSeconds(1_795_000_000))
        pack.documents = ["https://maps.example/bright.json", "https://maps.example/tiles.json"]
        pack.bytes = 120_000
        pack.expires = UnixSeconds(1_795_600_000)
        return pack
    }()

    /// A pack of a file.
    static let local: StylePack = {
        var pack = StylePack(
            address: "file:/maps/mine.json", name: "", metadata: .null, missing: [],
            changed: UnixSeconds(1_795_000_000))
        pack.documents = ["file:/maps/mine.json"]
        pack.bytes = 4_000
        return pack
    }()
}

/// The tab of stored styles in the panel of offline maps.
struct StylePacksPanelTests {
    private func browser(_ packs: [StylePack] = [.bright, .local]) -> Browser {
        var browser = Browser.test(
            columns: 80, rows: 24, camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 2))
        browser.type(":packs")
        for query in browser.press(.enter).queries(StylePackListQuery.self) {
            _ = browser.update(.response(.success(packs), to: query), at: browser.map.now)
        }
        return browser
    }

    @Test func `each stored style is listed with its size, and the missing parts of the selected one`() {
        let browser = browser()
        #expect(browser.shows("Bright") && browser.shows("120 kB") && browser.shows("2 of 3 resources"))
        #expect(browser.shows("missing: https://maps.example/sprite.png") && browser.shows("404"))
        #expect(browser.shows("fresh until 2026-11-25"))
        #expect(browser.shows("/maps/mine.json") && browser.shows("1 of 1 resource"))
    }

    @Test func `Enter uses the selected style, and R loads it again`() {
        var browser = browser()
        #expect(browser.press(.enter).contains { if case .style = $0 { true } else { false } })
        _ = browser.press(.character("j"))
        #expect(
            browser.press(.character("R")).queries(ChangeStylePack.self)
                == [ChangeStylePack(.load, "/maps/mine.json")])
    }

    @Test func `a style is removed after a question`() {
        var browser = browser()
        #expect(browser.press(.character("x")).isEmpty && browser.shows("Remove the stored style?"))
        #expect(
            browser.press(.character("y")).queries(ChangeStylePack.self)
                == [ChangeStylePack(.remove, "https://maps.example/bright.json")])
    }

    @Test func `n stores the styles in use that are not stored yet`() {
        var browser = browser([])
        #expect(browser.shows("No styles stored"))
        _ = browser.press(.character("n"))
        #expect(browser.shows("Rhumb's own styles"))
        browser.appearance.style = StyleChoice(
            day: "https://maps.example/bright.json", night: "/maps/mine.json")
        #expect(browser.press(.character("n")).queries(ChangeStylePack.self).count == 2)
    }

    @Test func `a loaded style that is in use is drawn again`() {
        var browser = browser()
        browser.appearance.style = StyleChoice("https://maps.example/bright.json")
        let change = ChangeStylePack(.load, "https://maps.example/bright.json")
        let effects = browser.update(.response(.success("Stored Bright"), to: change), at: browser.map.now)
        #expect(effects.contains { if case .style = $0 { true } else { false } })
        #expect(effects.queries(StylePackListQuery.self).count == 1)
    }
}
