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

    /// The rows of the manual's page about keys: those for all panels, and those of single ones by the first
    /// key that they name.
    private static let manualRows: (shared: String, own: [String: String])? = {
        guard let bytes = TestFiles.bytes("Assets/manual/keys.md") else { return nil }
        let page = String(decoding: bytes, as: UTF8.self)
        guard let start = page.firstRange(of: "## Panels"),
            let middle = page.firstRange(of: "Other keys differ"),
            let end = page.firstRange(of: "## Command")
        else { return nil }
        var own: [String: String] = [:]
        for row in page[middle.upperBound..<end.lowerBound].split(separator: "\n") where row.hasPrefix("| `")
        {
            let cells = row.split(separator: "|"), name = String(cells[0].split(separator: "`")[1])
            own[name, default: ""] += cells.dropFirst().joined(separator: "|")
        }
        return (String(page[start.upperBound..<middle.lowerBound]), own)
    }()

    /// The keys that open panels, by the panels' names, as in the manual.
    private static let opening = [
        "layers": "m", "sources": "m", "download": "d", "regions": "r", "packages": "p", "areas": "a",
        "packs": ":packs", "ready": ":ready", "cache": "c", "route": "R", "measure": "M", "styles": "S",
        "traffic": "t", "bookmarks": "'", "track": "P", "tiles": "B", "here": "i", "search": "/",
        "share": "y", "pick": "rhumb pick",
    ]

    @Test(arguments: PanelScene.all) func `the keys of a panel are on the manual's page about keys`(
        panel: PanelScene
    ) throws {
        let rows = try #require(Self.manualRows)
        var browser = PanelScene.browser(120, 40)
        try panel.open(&browser)
        let own = Self.opening[browser.openPanel?.word ?? ""].flatMap { rows.own[$0] } ?? ""
        for key in browser.panelKeys.flatMap({ $0.key.split(separator: " ") }) {
            let name = key.split(separator: "–")[0]
            let isNamed = [rows.shared, own].contains { row in
                row.contains("`\(name)`") || name.count > 1 && row.contains(name)
            }
            #expect(isNamed, "\(key)")
        }
    }

    /// The letters that need a state without a scene: several sources of heights, and a running package.
    private static let stateful = ["d": "t", "p": "PCt"]

    @Test func `the letters that the manual has for a panel do something in it, or are keys of the map`()
        throws
    {
        let rows = try #require(Self.manualRows)
        var handled: [String: Set<Character>] = [:]
        for panel in PanelScene.all {
            var opened = PanelScene.browser(120, 40)
            try panel.open(&opened)
            guard let key = Self.opening[opened.openPanel?.word ?? ""], let row = rows.own[key],
                opened.input.prompt == nil
            else { continue }
            for letter in Self.letters(row) {
                var browser = opened
                let isOfMap = letter == "d" && browser.panelKeys.contains { $0.key == "d" }
                if isOfMap || browser.pressInPanel(.character(letter)) != nil {
                    handled[key, default: []].insert(letter)
                }
            }
        }
        #expect(handled.count > 10)
        for (key, letters) in handled {
            let rest = Self.letters(rows.own[key] ?? "").subtracting(letters)
            #expect(rest.isSubset(of: Self.stateful[key] ?? ""), "\(key): \(rest)")
        }
    }

    private static func letters(_ row: String) -> Set<Character> {
        Set(row.split(separator: "`").filter { $0.count == 1 }.compactMap(\.first).filter(\.isLetter))
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
