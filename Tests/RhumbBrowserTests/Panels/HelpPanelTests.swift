@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct HelpPanelTests {
    @Test(arguments: [(80, 24), (100, 30), (120, 40), (240, 67)], [true, false])
    func `no key and no description is truncated`(size: (columns: Int, rows: Int), isUnicode: Bool) {
        var browser = Browser.test(columns: size.columns, rows: size.rows)
        browser.settings.isUnicode = isUnicode
        browser.panels.push(HelpPanel())
        let long = "go there, or take what is chosen into the way that is being found"
        let keys = browser.keyLines("Keys of this panel", [("Enter", long)])
        let lines = HelpPanel().text(browser, Scene(layers: [])).lines + keys
        #expect(lines.count > 50)
        for line in lines { #expect(line.text.width <= browser.panelFrame.columns - 4, "\(line.text)") }
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
}
