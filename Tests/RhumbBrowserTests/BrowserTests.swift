@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct BrowserMotionTests {
    private func browser(columns: Int = 80, rows: Int = 24) -> Browser {
        .test(
            columns: columns, rows: rows,
            camera: Camera(center: Coordinate(latitude: 47, longitude: 8), zoom: 7))
    }

    @Test func `a pan key moves by whole cells, an eighth of the view`() {
        var browser = browser()
        let before = browser.map.viewport
        #expect(browser.press(.arrow(.right, shift: false)).contains(.updateView))
        #expect(browser.map.viewport == before.panned(columns: 10, rows: 0))
        _ = browser.press(.character("J"))
        #expect(browser.map.viewport == before.panned(columns: 10, rows: 11))
    }

    @Test func `a number before a key repeats the move`() {
        var browser = browser(), single = browser
        browser.type("5l")
        single.type("lllll")
        #expect(browser.map.viewport == single.map.viewport && browser.input.repeatCount == nil)
        browser.type("3+2}")
        #expect(browser.map.viewport.camera.zoom == 10.5)
        browser.type("10")
        #expect(browser.screen.lines[22].hasPrefix(" 10× "))
        let before = browser.map.viewport
        _ = browser.press(.arrow(.up, shift: false))
        #expect(browser.map.viewport == before.panned(columns: 0, rows: -20))
        browser.type("99999999999999999999")
        #expect(browser.input.repeatCount == 999)
    }

    @Test func `Esc only clears a number, and 0 without one shows the world`() {
        var browser = browser()
        browser.type("i5")
        _ = browser.press(.escape)
        #expect(browser.openPanel == .here && browser.input.repeatCount == nil)
        _ = browser.press(.escape)
        let before = browser.map.viewport
        browser.type("l")
        #expect(browser.map.viewport == before.panned(columns: 10, rows: 0))
        browser.type("0")
        _ = browser.update(.tick, at: .seconds(9))
        #expect(browser.map.viewport.camera == browser.home)
    }

    @Test(arguments: [
        (20, 5, ["Terminal too small", "(20×5); Rhumb needs", "at least 24×4"]),
        (60, 2, ["Terminal too small (60×2); Rhumb needs at least 24×4"]),
        (20, 2, ["Too small: needs", "24×4"]), (20, 1, ["needs 24×4"]), (5, 2, ["needs", "24×4"]),
        (4, 1, ["24×4"]), (1, 1, ["!"]),
    ])
    func `a terminal that is too small is reported in whole words`(columns: Int, rows: Int, lines: [String]) {
        let screen = Browser.test(columns: columns, rows: rows).screen.lines
        let shown = screen.prefix(lines.count).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(shown == lines)
    }

    @Test(arguments: 1...23)
    func `the message about a small terminal breaks no word at any width`(columns: Int) {
        let words = "Terminal too small (\(columns)×3); Rhumb needs at least Too small: 24×4 !".split(
            separator: " ")
        let shown = Browser.test(columns: columns, rows: 3).screen.lines.flatMap { $0.split(separator: " ") }
        #expect(!shown.isEmpty && shown.allSatisfy(words.contains))
    }

    @Test func `zoom keys step to whole zooms and quarter keys by quarters`() {
        var browser = browser()
        browser.type("}")
        #expect(browser.map.viewport.camera.zoom == 7.25)
        browser.type("+")
        #expect(browser.map.viewport.camera.zoom == 8)
        browser.type("{-")
        #expect(browser.map.viewport.camera.zoom == 7)
    }

    @Test func `a burst of keys ends where the same keys end one by one`() {
        var burst = browser(), slow = browser()
        let keys = Array("llljj++hk-lLJ0uu++}}")
        for key in keys { _ = burst.press(.character(key)) }
        for (second, key) in keys.enumerated() {
            _ = slow.update(.key(.character(key)), at: .seconds(Double(second) * 0.05))
        }
        _ = burst.update(.tick, at: .seconds(10))
        _ = slow.update(.tick, at: .seconds(10))
        #expect(burst.map.viewport == slow.map.viewport)
    }

    @Test func `dragging follows the pointer, and the wheel keeps the place under it`() {
        var browser = browser()
        let before = browser.map.viewport
        _ = browser.press(.mouse(MouseEvent(.press, column: 40, row: 10)))
        _ = browser.press(.mouse(MouseEvent(.drag, column: 45, row: 8)))
        #expect(browser.map.viewport == before.panned(columns: -5, rows: 2))
        _ = browser.press(.mouse(MouseEvent(.release, column: 45, row: 8)))
        let place = browser.map.viewport.world(column: 20.5, row: 5.5)
        _ = browser.press(.mouse(MouseEvent(.wheelUp, column: 20, row: 5)))
        let after = browser.map.viewport.cell(of: place)
        #expect(abs(after.column - 20.5) < 1e-6 && abs(after.row - 5.5) < 1e-6)
        #expect(browser.map.viewport.camera.zoom == 7.5)
    }

    @Test func `a flight eases to its end and any key cuts it short`() {
        var browser = browser()
        let start = browser.map.viewport.camera
        _ = browser.press(.character("0"))
        #expect(browser.map.viewport.camera == start)
        _ = browser.update(.tick, at: .milliseconds(175))
        let middle = browser.map.viewport.camera
        #expect(middle.zoom < start.zoom)
        _ = browser.update(.tick, at: .milliseconds(400))
        #expect(browser.map.viewport.camera.zoom < middle.zoom)
        let end = browser.map.viewport.camera
        #expect(!browser.update(.tick, at: .seconds(1)).contains(.updateView))
        #expect(browser.map.viewport.camera == end)
    }

    @Test func `u returns to the previous view, and says so when there is none`() {
        var browser = browser()
        let start = browser.map.viewport.camera
        _ = browser.update(.key(.character("l")), at: .seconds(10))
        _ = browser.update(.key(.character("l")), at: .seconds(11))
        _ = browser.update(.key(.character("u")), at: .seconds(12))
        _ = browser.update(.tick, at: .seconds(20))
        #expect(browser.map.viewport.camera == start)
        _ = browser.update(.key(.character("u")), at: .seconds(30))
        #expect(browser.map.notices.all.last?.text == "Nothing to go back to")
    }

    @Test func `U goes forward where u went back, until the user goes elsewhere`() {
        var browser = browser(), views = [browser.map.viewport.camera]
        var second = 0.0
        func press(_ keys: String) {
            for key in keys {
                second += 10
                _ = browser.update(.key(.character(key)), at: .seconds(second))
                _ = browser.update(.tick, at: .seconds(second + 5))
            }
        }
        press("l")
        views.append(browser.map.viewport.camera)
        press("l")
        views.append(browser.map.viewport.camera)
        press("uu")
        #expect(browser.map.viewport.camera == views[0])
        press("UU")
        #expect(browser.map.viewport.camera == views[2])
        press("ujU")
        #expect(browser.map.notices.all.last?.text == "Nothing to go forward to")
    }

    @Test func `the view of the last run is offered with u`() {
        let remembered = Camera(center: Coordinate(latitude: 10, longitude: 10), zoom: 9)
        var browser = Browser(columns: 80, rows: 24, layers: [.test(BlankSource())], remembered: remembered)
        _ = browser.press(.character("u"))
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.map.viewport.camera == remembered)
    }

    @Test(arguments: [(1, 1), (500, 200), (0, 0), (40, 12)])
    func `a screen of any size can be drawn, and the centre stays`(columns: Int, rows: Int) {
        var browser = browser()
        let camera = browser.map.viewport.camera
        _ = browser.update(.resized(columns: columns, rows: rows, cellAspect: nil), at: .zero)
        #expect(browser.map.viewport.camera == camera)
        #expect(browser.screen.columns == columns && browser.screen.rows == rows)
    }
}

struct BrowserPromptTests {
    private func browser() -> Browser { .test() }

    @Test func `g accepts coordinates and flies there`() {
        var browser = browser()
        browser.type("g")
        browser.type("60.39,22.37 12")
        _ = browser.press(.enter)
        _ = browser.update(.tick, at: .seconds(5))
        #expect(browser.input.prompt == nil)
        let place = browser.map.viewport.camera.coordinate
        #expect(abs(place.latitude - 60.39) < 1e-9 && abs(place.longitude - 22.37) < 1e-9)
        #expect(browser.map.viewport.camera.zoom == 12)
    }

    @Test func `a place outside the world keeps the line open and states the reason`() {
        var browser = browser()
        browser.type("g95,200")
        _ = browser.press(.enter)
        #expect(browser.input.prompt?.complaint?.description.contains("-90 to 90") == true)
        #expect(browser.input.prompt?.line.string == "95,200")
        _ = browser.press(.escape)
        #expect(browser.input.prompt == nil)
    }

    @Test func `g searches for text that isn't coordinates`() {
        var browser = browser()
        browser.type("gTurku")
        #expect(
            browser.press(.enter).contains {
                $0.query(SearchMap.self)?.query.text == "Turku"
            })
        #expect(browser.openPanel?.word == "search" && browser.input.prompt?.line.string == "Turku")
    }

    @Test func `commands may be abbreviated unless ambiguous, and unknown ones are reported`() {
        var browser = browser()
        browser.type(":unit imperial")
        _ = browser.press(.enter)
        #expect(browser.map.settings.units == .imperial)
        browser.type(":frobnicate")
        _ = browser.press(.enter)
        #expect(browser.input.prompt?.complaint?.description.contains("frobnicate") == true)
    }

    @Test func `a pasted escape sequence is treated as text`() {
        var browser = browser()
        browser.type(":")
        _ = browser.press(.paste("open \u{1B}[31mfile\n"))
        #expect(browser.input.prompt?.line.string == "open [31mfile")
    }

    @Test func `q in a prompt is a letter, and otherwise quits`() {
        var browser = browser()
        browser.type(":")
        #expect(browser.press(.character("q")).isEmpty)
        _ = browser.press(.escape)
        #expect(browser.press(.character("q")) == [.quit])
    }
}

struct BrowserPanelTests {
    @Test func `the same letter opens and closes a panel, and Esc closes it`() {
        var browser = Browser.test()
        browser.type("?")
        #expect(browser.openPanel?.word == "help")
        browser.type("m")
        #expect(browser.openPanel?.word == "layers")
        browser.type("m")
        #expect(browser.openPanel == nil)
        browser.type("i")
        _ = browser.press(.escape)
        #expect(browser.openPanel == nil)
    }

    @Test func `help names every key of the table that has a use, except those of comparisons`() {
        var browser = Browser.test(columns: 120, rows: 100)
        browser.type("?")
        let lines = browser.screen.lines
        for binding in Keymap.standard.bindings
        where !binding.label.isEmpty && ![.other, .swipe].contains(binding.command)
            && browser.hasUse(for: binding.command)
        {
            #expect(lines.contains { $0.contains(binding.label) && $0.contains(binding.help) })
        }
    }

    @Test func `layers are shown, hidden, reordered and removed`() {
        var browser = Browser.test(layers: [
            .test(BlankSource(), id: "base"), .test(BlankSource(), id: "over"),
        ])
        browser.type("m")
        _ = browser.press(.character(" "))
        #expect(browser.map.layers.map(\.isVisible) == [true, false])
        _ = browser.press(.character(">"))
        #expect(browser.map.layers.map(\.id) == ["over", "base"])
        _ = browser.press(.character("x"))
        #expect(browser.map.layers.count == 1)
        _ = browser.press(.character("x"))
        #expect(browser.map.layers.count == 1)
    }
}
