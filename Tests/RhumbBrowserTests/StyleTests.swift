@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct StyleTests {
    @Test func `a change of colours redraws the map, without stale cells`() {
        var browser = Browser.test(columns: 100, rows: 30)
        let symbols = browser.map.settings.symbols
        func run(_ words: String) -> [Effect] {
            browser.type(":" + words)
            return browser.press(.enter)
        }
        #expect(run("colors mono").contains(.style(StyleChoice.standard, browser.theme)))
        #expect(browser.map.settings.symbols == .braille)
        #expect(run("colors 16").contains(.style(StyleChoice.standard, browser.theme)))
        #expect(browser.map.settings.symbols == symbols)
        #expect(!run("colors 16").contains(.style(StyleChoice.standard, browser.theme)))
    }

    private func browser(
        _ rule: ThemeRule, at place: Coordinate = Coordinate(latitude: 0, longitude: 0)
    ) -> Browser {
        var settings = Settings()
        settings.themeRule = rule
        // 20 March 2024, noon in Greenwich.
        return Browser(
            columns: 100, rows: 40, layers: [.test(BlankSource())], camera: Camera(center: place, zoom: 5),
            settings: settings, startTime: 1_710_936_000)
    }

    // MARK: Light and dark themes

    @Test func `the terminal's background decides the theme, even when it changes`() {
        var browser = browser(.terminal)
        #expect(browser.theme == .night)
        #expect(browser.update(.background(RGB(0xFFFFFF)), at: .zero).contains(.style(.standard, .day)))
        #expect(!browser.update(.background(RGB(0xEEEEEE)), at: .zero).contains(.style(.standard, .day)))
        #expect(browser.update(.background(RGB(0x000000)), at: .zero).contains(.style(.standard, .night)))
    }

    @Test func `the sun at the map's centre decides the theme on request`() {
        #expect(browser(.sun).theme == .day)
        #expect(browser(.sun, at: Coordinate(latitude: 0, longitude: 179)).theme == .night)
        #expect(browser(.always(.night)).theme == .night)
    }

    @Test func `a map left open changes its theme at sunset`() {
        var browser = browser(.terminal)
        browser.type(":style sun")
        let effects = browser.press(.enter)
        #expect(browser.theme == .day && effects.contains(.style(.standard, .day)))
        #expect(effects.contains(.wake(after: .seconds(60))))
        #expect(browser.update(.tick, at: .seconds(60)).contains(.wake(after: .seconds(60))))
        #expect(browser.update(.tick, at: .seconds(12 * 3600)).contains(.style(.standard, .night)))
    }

    @Test func `a map that follows the sun does so again after a restart, and shows the place`() {
        var browser = browser(.sun)
        let effects = browser.begin()
        #expect(effects.contains(.style(.standard, .day)) && effects.contains(.wake(after: .seconds(60))))
        #expect(
            !browser.update(.tick, at: .seconds(1)).queries(SettlementQuery.self).isEmpty)
        var other = self.browser(.terminal)
        #expect(!other.begin().contains(.wake(after: .seconds(60))))
    }

    @Test func `n selects day or night permanently`() {
        var browser = browser(.terminal)
        #expect(browser.press(.character("n")).contains(.style(.standard, .day)))
        #expect(browser.map.settings.themeRule == .always(.day))
        _ = browser.update(.background(RGB(0)), at: .zero)
        #expect(browser.theme == .day)
    }

    @Test
    func `keys and the status line are coloured for the terminal's background, not for the map's style`() {
        func chrome(_ rule: ThemeRule, on background: RGB) -> [CellColor] {
            var browser = browser(rule)
            _ = browser.update(.background(background), at: .zero)
            let screen = browser.screen
            return [screen[39, 1].ink, screen[38, 1].ink, screen[38, 1].paper]
        }
        for background in [RGB(0), RGB(0xFFFFFF)] {
            let own = chrome(.terminal, on: background)
            #expect(
                chrome(.always(.day), on: background) == own && chrome(.always(.night), on: background) == own
            )
        }
        #expect(chrome(.always(.day), on: RGB(0))[0] == .indexed(14))
        #expect(chrome(.always(.night), on: RGB(0xFFFFFF))[0] == .indexed(4))
    }

    // MARK: Styles

    @Test(arguments: [
        ("bright.json", StyleChoice("bright.json")), ("day=a night=b", StyleChoice(day: "a", night: "b")),
        ("default", .standard),
    ])
    func `style takes a file, a pair or the default`(words: String, choice: StyleChoice) {
        var browser = browser(.always(.day))
        browser.type(":style \(words)")
        #expect(browser.press(.enter).contains(.style(choice, .day)))
    }

    @Test func `the layers change when the style is loaded, and keep the user's choices`() {
        var base = TileLayer.test(BlankSource(), id: "old")
        base.opacity = 0.5
        var browser = Browser.test(layers: [base])
        browser.type(":style a")
        _ = browser.press(.enter)
        let outcome = StyledLayers(
            StyleChoice("/x/a"), .night, ["old": .test(BlankSource(), id: "new"), "gone": base])
        #expect(browser.update(.styled(.success(outcome)), at: .zero).contains(.updateView))
        #expect(browser.map.layers.map(\.id) == ["new"] && browser.map.layers[0].opacity == 0.5)
        #expect(browser.appearance.style == StyleChoice("/x/a") && browser.shows("Style: /x/a"))
    }

    @Test func `an unreadable style is reported, and the old one stays`() {
        var browser = Browser.test()
        browser.type(":style a")
        _ = browser.press(.enter)
        _ = browser.update(.styled(.failure(Notice.Problem("a: no such file"))), at: .zero)
        #expect(browser.appearance.style == .standard && browser.shows("a: no such file"))
        #expect(browser.press(.character("n")).contains(.style(.standard, .day)))
    }

    @Test func `a theme that changed while a style was read is requested`() {
        var browser = Browser.test()
        browser.type(":style a")
        _ = browser.press(.enter)
        #expect(browser.press(.character("n")).contains(.style(StyleChoice("a"), .day)))
        let late = StyledLayers(StyleChoice("a"), .night, [:])
        #expect(browser.update(.styled(.success(late)), at: .zero).contains(.style(StyleChoice("a"), .day)))
    }

    // MARK: Panel

    /// Returns a browser with the panel open and its list loaded.
    private func listing(_ items: [StyleItem]) -> Browser {
        var browser = browser(.always(.night))
        for question in questions(browser.press(.character("S"))) {
            _ = browser.update(.styles(items, question), at: .zero)
        }
        return browser
    }

    private func questions(_ effects: [Effect]) -> [StyleQuestion] {
        effects.queries(StyleQuestion.self)
    }

    private var items: [StyleItem] {
        var sampled = StyleItem(specifier: nil, name: "Rhumb")
        var sample = CellGrid(columns: 10, rows: 2)
        sample.write("PICTURE", row: 1, column: 0)
        sampled.sample = sample
        var broken = StyleItem(specifier: "/c.json", name: "c")
        broken.problem = "c is no style"
        return [sampled, StyleItem(specifier: "/b.json", name: "bright"), broken]
    }

    @Test func `the panel shows styles with samples, and which one is in use`() {
        let browser = listing(items)
        for text in ["Styles", "● Rhumb", "PICTURE", "○ bright", "c is no style", "always night"] {
            #expect(browser.shows(text), "\(text)")
        }
    }

    @Test(arguments: [
        (Key.enter, StyleChoice("/b.json")), (.character("d"), StyleChoice(day: "/b.json", night: nil)),
        (.character("n"), StyleChoice(day: nil, night: "/b.json")),
    ])
    func `a style is chosen for both themes or for one`(key: Key, choice: StyleChoice) {
        var browser = listing(items)
        _ = browser.press(.character("j"))
        #expect(browser.press(key).contains(.style(choice, .night)))
    }

    @Test func `samples are requested again when the view has moved, and late responses are ignored`() throws
    {
        var browser = browser(.always(.night))
        let asked = questions(browser.press(.character("S")))
        let moved = questions(browser.press(.character("l")) + browser.update(.tick, at: .seconds(5)))
        #expect(asked.count == 1 && moved.count == 1 && asked != moved)
        _ = browser.update(.styles(items, try #require(asked.first)), at: .seconds(5))
        #expect(!browser.shows("PICTURE"))
    }
}
