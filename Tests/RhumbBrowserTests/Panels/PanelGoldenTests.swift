import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbBrowser

/// Compares every panel as text with golden files, on a small and on a normal screen. `RHUMB_RENEW_GOLDENS=1`
/// rewrites the files.
struct PanelGoldenTests {
    @Test(arguments: PanelScene.all) func `a panel looks as before`(panel: PanelScene) throws {
        var lines: [String] = []
        for (columns, rows) in [(80, 24), (120, 40)] {
            var browser = PanelScene.browser(columns, rows)
            try panel.open(&browser)
            lines.append("\(panel.name), \(columns)x\(rows)")
            lines += browser.screen.lines.map { line in String(line.reversed().drop { $0 == " " }.reversed())
            }
        }
        let difference = Golden.difference(lines, from: "panels/\(panel.name).txt")
        #expect(difference.isEmpty, "\(difference.joined(separator: "\n"))")
    }

    @Test(arguments: PanelScene.all) func `a panel leaves room for the map and ends in its keys`(
        panel: PanelScene
    ) throws {
        for (columns, rows) in [(80, 24), (120, 40)] {
            var browser = PanelScene.browser(columns, rows)
            try panel.open(&browser)
            let covered = browser.use(of: Scene(layers: []), hasBackdrop: false).covered.reduce(0) {
                $0 + $1.count
            }
            #expect(covered * 5 <= browser.map.viewport.columns * browser.map.viewport.rows * 3)
            #expect(browser.shows("Esc close") || panel.name == "confirmation")
        }
    }
}
