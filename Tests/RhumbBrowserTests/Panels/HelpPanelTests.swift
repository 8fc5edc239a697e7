@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct HelpPanelTests {
    @Test(arguments: [(80, 24), (100, 30), (120, 40), (240, 67)], [true, false])
    func `no key and nothing that it does is cut`(size: (columns: Int, rows: Int), isUnicode: Bool) {
        var browser = Browser.test(columns: size.columns, rows: size.rows)
        browser.settings.isUnicode = isUnicode
        let help = HelpPanel(in: ("search", [PanelKey("Enter", "go there, or take what is chosen into the way that is being found")]))
        browser.panels.push(help)
        let lines = help.text(browser, Scene(layers: [])).lines
        #expect(lines.count > 50)
        for line in lines { #expect(line.text.width <= browser.panelFrame.columns - 4, "\(line.text)") }
    }

    @Test func `what a key does goes on beneath its beginning`() throws {
        var browser = Browser.test(columns: 120, rows: 40)
        let help = HelpPanel(in: ("search", [PanelKey("x", "takes away every one of those that were chosen before")]))
        browser.panels.push(help)
        let lines = help.text(browser, Scene(layers: [])).lines.map(\.text)
        let at = try #require(lines.firstIndex { $0.hasPrefix("x       takes") })
        #expect(lines[at + 1].hasPrefix("        ") && !lines[at + 1].hasPrefix("         "))
    }
}
