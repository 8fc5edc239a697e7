import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbBrowser

struct PanelKeyTests {
    private static let words = [
        "layers", "here", "cache", "regions", "packages", "styles", "traffic", "messages", "help",
    ]

    private func browser(_ word: String, columns: Int, isUnicode: Bool = true) -> Browser {
        var settings = Settings()
        settings.isUnicode = isUnicode
        var browser = Browser(columns: columns, rows: 24, layers: [.test(BlankSource())], settings: settings)
        browser.type(":" + word)
        _ = browser.press(.enter)
        return browser
    }

    @Test(arguments: words, [100, 120])
    func `beside the map, every panel ends with all its keys, each with a verb`(word: String, columns: Int) {
        let browser = browser(word, columns: columns)
        #expect(browser.openPanel?.word == word)
        for key in browser.panelKeys { #expect(browser.shows("\(key.key) \(key.verb)"), "\(key)") }
        #expect(browser.shows("Esc close"))
    }

    @Test(arguments: words)
    func `below the map, a panel ends with one row of its first keys, the help and Esc`(word: String) {
        let browser = browser(word, columns: 60), keys = browser.panelKeys
        #expect(browser.panelKeyLines.count == 1 && browser.shows("? ") && browser.shows("Esc close"))
        if keys.count > 2 { #expect(browser.shows("\(keys[0].key) \(keys[0].verb)")) }
    }

    @Test(arguments: words)
    func `without Unicode its keys are ASCII`(word: String) {
        for key in browser(word, columns: 80, isUnicode: false).panelKeyLines.joined() {
            #expect(key.key.utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test
    func
        `keys that don't fit stand on more lines inside the frame, and what they take is not lost to the list`()
    {
        var browser = browser("layers", columns: 100)
        let more = browser.panelKeyLines.count - 1
        #expect(more > 0 && browser.panelFrame.rows == browser.wholePanelFrame.rows - more)
        let lines = browser.screen.lines.map { String($0.suffix(browser.wholePanelFrame.columns)) }
        let bottom = lines.firstIndex { $0.contains("Esc close") } ?? 1
        #expect(
            lines[bottom].hasPrefix("│ ") && lines[bottom - more].contains("Enter show/hide")
                && lines[bottom].contains("Esc close"))
        #expect(browser.isOverPanel(column: 90, row: bottom))
        _ = browser.press(.escape)
        #expect(browser.panels.isEmpty)
    }

    @Test(arguments: PanelScene.all) func `the letters of a panel are on the manual's page about keys`(
        panel: PanelScene
    ) throws {
        let page = String(decoding: try #require(TestFiles.bytes("Assets/manual/keys.md")), as: UTF8.self)
        let start = try #require(page.firstRange(of: "## Panels")),
            end = try #require(page.firstRange(of: "## Command"))
        var browser = PanelScene.browser(120, 40)
        try panel.open(&browser)
        for key in browser.panelKeys.flatMap({ $0.key.split(separator: " ") }) where key.count == 1 {
            guard key.allSatisfy(\.isLetter) else { continue }
            #expect(page[start.upperBound..<end.lowerBound].contains("`\(key)`"), "\(key)")
        }
    }

    @Test func `an open panel leaves no keys of the map in the line of hints`() {
        var browser = Browser.test(columns: 120, rows: 40)
        #expect(browser.hints.contains { $0.word == "quit" })
        browser.type("m")
        #expect(browser.hints.isEmpty)
        _ = browser.press(.escape)
        #expect(browser.hints.contains { $0.word == "quit" })
    }

    @Test(arguments: 40...44) func `beside the offer of streets, a narrow line still has / ? q`(columns: Int)
    {
        var world = TileLayer.test(BlankSource(), id: "world.night")
        world.openedBy = "world"
        world.info.attribution = "© OpenStreetMap contributors"
        var browser = Browser.test(
            columns: columns, rows: 24, layers: [world],
            camera: Camera(center: Coordinate(latitude: 43.77, longitude: 11.25), zoom: 9))
        let offer = ServiceOffer(id: "openfreemap", name: "OpenFreeMap", host: "tiles.openfreemap.org")
        browser.begin(streets: .undecided, offers: [offer])
        #expect(browser.hints.map(\.key).suffix(3) == ["/", "?", "q"])
    }

    @Test func `the help of a panel begins with its keys, leads to all keys, and goes back there`() {
        var browser = browser("layers", columns: 120)
        browser.type("?")
        #expect(
            browser.openPanel?.word == "help" && browser.shows("Keys of this panel") && browser.shows("fade"))
        browser.type("?")
        #expect(browser.openPanel?.word == "layers")
        browser.type("?")
        _ = browser.press(.enter)
        #expect(browser.shows("move the map"))
        _ = browser.press(.escape)
        _ = browser.press(.escape)
        #expect(browser.openPanel?.word == "layers")
    }

    @Test func `the help lists entries that contain the words typed after a slash, while they are typed`() {
        var browser = browser("help", columns: 120)
        browser.type("/zoom")
        #expect(browser.shows("zoom in") && browser.shows("zoom Z") && !browser.shows("pan left"))
        _ = browser.press(.enter)
        #expect(browser.input.prompt == nil && !browser.shows("pan left"))
        browser.type("/x")
        #expect(browser.shows("No match"))
        _ = browser.press(.escape)
        #expect(
            browser.input.prompt == nil && browser.openPanel?.word == "help" && browser.shows("move the map"))
    }
}
