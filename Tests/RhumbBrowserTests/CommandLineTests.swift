@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the line after `:`.
struct CommandLineTests {
    private func browser(typing text: String = "", lines: [String] = []) -> Browser {
        var browser = Browser.test()
        _ = browser.update(.typedLines(LineHistory(lines)), at: .zero)
        browser.type(":" + text)
        return browser
    }

    private func line(_ browser: Browser) -> String? { browser.input.prompt?.line.string }

    @Test(arguments: ["features", "prefetch", "pass-through"])
    func `a list of features is shown if none is named`(command: String) {
        var browser = browser(typing: command)
        _ = browser.press(.enter)
        let isEmpty = command == "pass-through"
        #expect(browser.shows(isEmpty ? "none" : "rendering") && browser.input.prompt == nil, "\(command)")
    }

    // MARK: Completion

    @Test func `Tab lists the matching commands, each with its help, and Enter accepts one`() {
        var browser = browser(typing: "s")
        _ = browser.press(.tab)
        #expect(
            browser.shows("symbols") && browser.shows("glyph sets of the map")
                && !browser.shows("units of the scale bar"))
        _ = browser.press(.tab)
        _ = browser.press(.enter)
        let second = line(browser)
        #expect(second?.hasPrefix("s") == true && second != "s" && browser.input.prompt != nil)
        _ = browser.press(.escape)
        #expect(browser.input.prompt == nil)
    }

    @Test func `on a narrow screen the whole help of the selected command is below it`() {
        var browser = Browser.test(columns: 60, rows: 18)
        browser.type(":")
        _ = browser.press(.tab)
        // Without the edge of the box between two lines of the help.
        func words(_ text: String) -> [Substring] {
            text.split(separator: " ").filter { $0.contains { $0.isLetter || $0.isNumber } }
        }
        for command in TypedCommand.all {
            let shown = words(browser.screen.lines.joined(separator: " "))
            #expect(shown.contains(words(command.help)), "\(command.name)")
            _ = browser.press(.tab)
        }
    }

    @Test func `Shift-Tab walks backwards, around the list`() {
        var there = browser(typing: "units "), back = browser(typing: "units ")
        for key in [Key.tab, .tab, .enter] { _ = there.press(key) }
        for key in [Key.tab, .backTab, .enter] { _ = back.press(key) }
        #expect(line(there) == "units imperial" && line(back) == "units imperial")
    }

    @Test func `Tab completes a single match immediately, and the next Tab continues with its values`() {
        var browser = browser(typing: "uni")
        _ = browser.press(.tab)
        #expect(line(browser) == "units ")
        _ = browser.press(.tab)
        #expect(browser.shows("miles, feet"))
        browser.type("i")
        #expect(!browser.shows("kilometres, metres") && browser.shows("miles, feet"))
        _ = browser.press(.arrow(.right, shift: false))
        #expect(line(browser) == "units imperial")
        #expect(browser.press(.enter).contains(.keepLine("units imperial")))
        #expect(browser.map.settings.units == .imperial && browser.input.prompt == nil)
    }

    @Test func `the last of several words is completed`() {
        var browser = browser(typing: "symbols sextant+qu")
        _ = browser.press(.tab)
        #expect(line(browser) == "symbols sextant+quadrant")
        var style = self.browser(typing: "style day=def")
        _ = style.press(.tab)
        _ = style.update(.completions([], CompletionQuestion(.styles, folder: "")), at: .zero)
        _ = style.press(.enter)
        #expect(line(style) == "style day=default")
    }

    @Test func `sources and files are completed, and folders are opened`() {
        var browser = browser(typing: "open ")
        #expect(browser.press(.tab) == [.ask(CompletionQuestion(.sources, folder: ""))])
        let found = [Completion("osm", "OpenStreetMap"), Completion("maps/", "folder")]
        _ = browser.update(.completions(found, CompletionQuestion(.sources, folder: "")), at: .zero)
        #expect(browser.shows("OpenStreetMap"))
        _ = browser.press(.tab)
        #expect(browser.press(.enter) == [.ask(CompletionQuestion(.sources, folder: "maps/"))])
        let inside = [Completion("maps/town.mbtiles", "MBTiles")]
        _ = browser.update(.completions(inside, CompletionQuestion(.sources, folder: "maps/")), at: .zero)
        _ = browser.press(.enter)
        #expect(line(browser) == "open maps/town.mbtiles")
        #expect(browser.press(.enter).contains(.open(source: "maps/town.mbtiles", over: false)))
    }

    @Test func `a late completion is not listed`() {
        var browser = browser(typing: "open ")
        _ = browser.press(.tab)
        browser.type("maps/")
        _ = browser.update(
            .completions([Completion("osm")], CompletionQuestion(.sources, folder: "")), at: .zero)
        #expect(!browser.shows("osm"))
    }

    @Test func `Esc closes the list before the line, and Enter runs the line if nothing matches`() {
        var browser = browser(typing: "zoom 12")
        _ = browser.press(.tab)
        _ = browser.press(.escape)
        #expect(line(browser) == "zoom 12")
        _ = browser.press(.tab)
        #expect(browser.shows("No match"))
        _ = browser.press(.enter)
        #expect(browser.input.prompt == nil)
    }

    @Test func `every command with values lists only valid ones`() {
        for line in [
            "units", "names", "grid", "look", "colors", "hints", "animation", "metered", "traffic-colors",
            "traffic",
            "symbols", "prefetch",
        ] {
            var list = browser(typing: line + " ")
            _ = list.press(.tab)
            for row in 0..<40 {
                var browser = list
                for _ in 0..<row { _ = browser.press(.tab) }
                _ = browser.press(.enter)
                _ = browser.press(.enter)
                #expect(browser.input.prompt == nil, "\(self.line(browser) ?? "")")
            }
        }
    }

    @Test(
        arguments: [
            ("save", nil, false), ("save legend", nil, true), ("save a b.svg", "a b.svg", false),
            ("save a b.svg legend", "a b.svg", true),
            ("save mylegend", "mylegend", false),
        ] as [(String, String?, Bool)])
    func `a picture is saved under a name, with a legend on request`(
        typed: String, name: String?, hasLegend: Bool
    ) {
        var browser = browser(typing: typed)
        #expect(browser.press(.enter).first == .savePicture(name: name, hasLegend: hasLegend))
    }

    // MARK: History

    @Test func `Up and Down walk through earlier lines, and return to the one being typed`() {
        var browser = browser(typing: "zo", lines: ["world", "units metric"])
        let up = Key.arrow(.up, shift: false)
        let down = Key.arrow(.down, shift: false)
        var seen: [String?] = []
        for key in [up, up, up, down, down, down] {
            _ = browser.press(key)
            seen.append(line(browser))
        }
        #expect(seen == ["units metric", "world", "world", "units metric", "zo", "zo"])
    }

    @Test func `Ctrl-R lists the lines that contain the typed text, newest first`() {
        var browser = browser(typing: "map", lines: ["open a/map.mbtiles", "world", "over map.pmtiles"])
        _ = browser.press(.control("r"))
        #expect(
            browser.shows("over map.pmtiles") && browser.shows("open a/map.mbtiles")
                && !browser.shows("show the whole map"))
        _ = browser.press(.control("r"))
        _ = browser.press(.enter)
        #expect(line(browser) == "open a/map.mbtiles")
    }

    @Test func `a rejected line is not stored`() {
        var browser = browser(typing: "zoom far")
        #expect(browser.press(.enter).isEmpty)
    }

    @Test func `a history has no duplicates, its newest line last, and a limited length`() {
        var history = LineHistory(["a", "b", "a", "", "two\nlines"])
        #expect(history.lines == ["b", "a"])
        for number in 0..<1000 { history.add("\(number)") }
        #expect(history.lines.count == LineHistory.limit && history.lines.last == "999")
    }

    // MARK: Errors

    @Test(arguments: [
        ("unitz metric", "unitz", "units"), ("units feet", "feet", "metric, imperial"),
        ("zoom 99", "99", "-5 to 24"),
        ("s", "s", "search, source"), ("features terrain,nothing", "terrain,nothing", "nothing"),
        ("redraw now", "now", "unexpected argument"),
    ])
    func `the line stays open with the wrong word marked and the reason above it`(
        typed: String, wrong: String, reason: String
    ) {
        var browser = browser(typing: typed)
        _ = browser.press(.enter)
        let marked = browser.input.prompt.flatMap { prompt in
            prompt.wrongPart.map { String(prompt.line.text[$0]) }
        }
        #expect(marked == wrong)
        #expect(browser.screen.lines.joined(separator: " ").contains(reason))
        let last = browser.screen.rows - 1
        let underlined = (0..<80).filter { browser.screen[last, $0].style.contains(.underline) }
        #expect(underlined.count == wrong.count)
        _ = browser.press(.backspace)
        #expect(browser.input.prompt?.complaint == nil)
    }

    @Test func `a box of any kind fits screens of any size`() {
        for (columns, rows) in [(24, 4), (30, 8), (80, 16), (200, 60)] {
            var browser = Browser.test(columns: columns, rows: rows)
            browser.type(":")
            _ = browser.press(.tab)
            #expect(browser.screen.columns == columns)
            _ = browser.press(.escape)
            browser.type(String(repeating: "ä", count: 300))
            _ = browser.press(.enter)
            #expect(browser.screen.rows == rows)
            _ = browser.press(.escape)
            browser.type(":東京" + String(repeating: "東", count: columns))
            for _ in 0..<columns { _ = browser.press(.arrow(.left, shift: false)) }
            #expect(browser.screen.rows == rows)
        }
    }

    @Test
    func `a map that can't be opened restores the line, except for lines that may contain a key`() {
        func line(_ words: String) -> Prompt? {
            var browser = Browser.test()
            browser.type(":\(words)")
            _ = browser.press(.enter)
            _ = browser.update(
                .opened(.failure(Notice.Problem("nosuch: no such file or source")), over: false),
                at: browser.map.now)
            return browser.input.prompt
        }
        #expect(line("open nosuch")?.line.string == "open nosuch" && line("open nosuch")?.complaint != nil)
        #expect(line("open https://tiles.example/{z}/{x}/{y}.png?key=abc") == nil)
    }

    @Test func `a map that can't be opened is only reported once another key was pressed`() {
        var browser = Browser.test()
        browser.type(":open nosuch")
        _ = browser.press(.enter)
        browser.type("l")
        _ = browser.update(
            .opened(.failure(Notice.Problem("nosuch: no such file or source")), over: false),
            at: browser.map.now)
        #expect(browser.input.prompt == nil && browser.shows("nosuch: no such file or source"))
    }
}
