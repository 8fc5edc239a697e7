@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct HelpPanelTests {
    @Test(arguments: [(80, 24), (100, 30), (120, 40), (240, 67)], [true, false])
    func `no key and no description is truncated`(size: (columns: Int, rows: Int), isUnicode: Bool) {
        var browser = Browser.test(columns: size.columns, rows: size.rows)
        browser.map.settings.isUnicode = isUnicode
        browser.panels.push(HelpPanel())
        let long = "go there, or take what is chosen into the way that is being found"
        let keys = browser.keyLines("Keys of this panel", [("Enter", long)])
        let lines = HelpPanel().text(browser, Scene(layers: [])).lines + keys
        #expect(lines.count > 50)
        for line in lines { #expect(line.text.width <= browser.panelFrame.columns - 4, "\(line.text)") }
    }

    @Test func `the twenty most useful keys are on the first page at 80 by 24`() {
        var browser = Browser.test(columns: 80, rows: 24)
        browser.type("?")
        for text in ["search places", "move the map", "go back", "quit", "packages", "command line"] {
            #expect(browser.shows(text), "\(text)")
        }
    }

    @Test func `keys of tiles and comparisons are listed only if they have a use, or by a filter`() {
        var browser = Browser.test(columns: 120, rows: 90)
        let web = browser.base?.isFromWeb == true || browser.base?.openedBy == Browser.worldName
        browser.type("?")
        #expect(browser.shows("tile borders") == !web && !browser.shows("other compared archive"))
        browser.type("/compared")
        #expect(browser.shows("other compared archive"))
    }

    @Test func `an opened archive offers neither downloads nor streets`() {
        var browser = Browser.test(columns: 120, rows: 40, layers: [.test(BlankSource())])
        #expect(!browser.hints.contains { $0.word == "download" })
        browser.type("?")
        #expect(!browser.shows("download this view") && !browser.shows("streets on the world map"))
    }

    @Test func `the notice of a click on a hint stays when the button is released`() throws {
        var browser = Browser.test(columns: 120, rows: 40)
        let hint = try #require(browser.hints.first { $0.word == "help" })
        browser.type("é")
        let notice = try #require(browser.map.notices.current(at: browser.map.now))
        _ = browser.press(.mouse(MouseEvent(.release, column: hint.columns.lowerBound, row: 39)))
        #expect(browser.map.notices.current(at: browser.map.now) == notice)
    }

    @Test(arguments: [
        ("z", "+ = is: zoom in"), ("w", "0 is: show the whole map"), ("F", "f is: follow the position"),
        ("C", "c is: shared cache"), ("é", "? lists the keys"), ("ß", "is not a key"),
    ])
    func `an unknown key is answered with the nearest known one`(key: String, answer: String) {
        var browser = Browser.test(columns: 120, rows: 24)
        browser.type(key)
        #expect(browser.map.notices.all.last?.text.contains(answer) == true, "\(browser.map.notices.all)")
        #expect(browser.openPanel == nil)
    }

    @Test func `a question mark opens the panel's page of the manual, and Enter opens all keys`() throws {
        for (key, title) in [
            ("c", "The cache"), ("m", "Maps and archives"), ("t", "Traffic"), ("S", "Styles"),
        ] {
            var browser = Browser.test(columns: 120, rows: 40)
            browser.type(key)
            _ = browser.press(.character("?"))
            #expect(browser.shows(title), "\(title)")
            _ = browser.press(.enter)
            #expect(browser.shows("pan left"))
        }
        var browser = Browser.test(columns: 120, rows: 40)
        browser.type("?")
        _ = browser.press(.enter)
        #expect(browser.shows("Keys and panels"))
        _ = browser.press(.enter)
        #expect(browser.shows("pan left") && !browser.shows("Keys and panels"))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `a page of the manual fits its panel`(size: (columns: Int, rows: Int)) throws {
        for entry in ["search", "layers", "route", "regions", "share"] {
            var browser = Browser.test(columns: size.columns, rows: size.rows)
            let panel = try #require(ManualPanel(about: entry))
            browser.panels.push(panel)
            for line in panel.text(browser, Scene(layers: [])).lines {
                #expect(line.text.width <= browser.panelFrame.columns - 4, "\(line.text)")
            }
        }
    }

    @Test func `a key's description continues below its beginning`() throws {
        var browser = Browser.test(columns: 120, rows: 40)
        browser.panels.push(HelpPanel())
        let keys = [(keys: "x", help: "takes away every one of those that were chosen before")]
        let lines = browser.keyLines("Keys", keys).map(\.text)
        let at = try #require(lines.firstIndex { $0.hasPrefix("x       takes") })
        #expect(lines[at + 1].hasPrefix("        ") && !lines[at + 1].hasPrefix("         "))
    }

    @Test(arguments: [40, 60, 80, 120])
    func `search, help and quit are among the hints of every width`(columns: Int) {
        let browser = Browser.test(columns: columns, rows: 24)
        let keys = browser.hints.map(\.key)
        #expect(["/", "?", "q"].allSatisfy(keys.contains), "\(keys)")
    }

    @Test(arguments: [
        "60.39, 22.37", "geo:60.39,22.37?z=12", "https://www.openstreetmap.org/#map=12/60.39/22.37",
    ])
    func `a pasted place opens the search, and Enter goes there`(text: String) {
        var browser = Browser.test(columns: 80, rows: 24)
        _ = browser.press(.paste(text))
        #expect(browser.openPanel == .search)
        _ = browser.press(.enter)
        #expect(browser.openPanel == nil)
        var other = Browser.test(columns: 80, rows: 24)
        _ = other.press(.paste("milk\neggs"))
        #expect(other.openPanel == nil && other.shows("no place"))
        _ = other.press(.paste("9G8F+5W Zurich"))
        #expect(other.openPanel == .search && other.shows("9G8F+5W Zurich"))
    }
}
