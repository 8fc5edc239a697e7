@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests that every panel has a title, content and a row of keys, and that the shared keys work in all of
/// them.
struct PanelAnatomyTests {
    private static let sizes = [(80, 24), (40, 15)]
    /// Panels in a state without their own list.
    private static let texts: Set<String> = [
        "here", "download", "download-denied", "confirmation", "cache", "cache-map", "search", "measure",
        "manual",
        "package-plan", "pick", "route", "route-form", "route-place", "track", "streets", "bookmarks-empty",
        // In these, a slash opens their own line: the words of the search, or conditions such as "osm z12
        // stale".
        "search-list", "cache-tiles",
    ]

    private func opened(_ panel: PanelScene, _ size: (Int, Int)) throws -> Browser {
        var browser = PanelScene.browser(size.0, size.1)
        try panel.open(&browser)
        return browser
    }

    private func scene(of browser: Browser) -> Scene {
        TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers)
    }

    /// Returns the layout of the panel on the screen.
    private func layout(of browser: Browser) -> PanelLayout? { browser.panelLayout(scene(of: browser)) }

    /// The scenes in which the panel itself handles keys.
    private static let keyed = PanelScene.all.filter {
        !["confirmation", "streets", "search", "route-place"].contains($0.name)
    }

    @Test func `every panel in the source code has a scene`() throws {
        let root = "Sources/RhumbBrowser"
        let files = TestFiles.names(in: root).flatMap { folder in
            TestFiles.names(in: "\(root)/\(folder)").map { "\(root)/\(folder)/\($0)" }
        }
        let lines = files.flatMap {
            String(decoding: TestFiles.bytes($0) ?? [], as: UTF8.self).split(separator: "\n")
        }
        let structs = lines.filter { $0.hasPrefix("struct ") && $0.hasSuffix("Panel {") && $0.contains(": ") }
        let declared = Set(structs.map { String($0.dropFirst("struct ".count).prefix { $0 != ":" }) })
        let opened = Set(
            try PanelScene.all.map { scene in
                "\(type(of: try #require(try self.opened(scene, (80, 24)).panels.top)))"
            })
        #expect(declared == opened)
    }

    @Test(arguments: PanelScene.all)
    func `a panel has a title on its rule and its keys in the last row`(panel: PanelScene) throws {
        for size in Self.sizes {
            let browser = try opened(panel, size), layout = try #require(self.layout(of: browser))
            let lines = browser.screen.lines, frame = layout.frame
            let title = layout.title.split(separator: " ").first.map(String.init) ?? "?"
            #expect(!layout.title.isEmpty && lines[frame.row].contains(title), "\(panel.name) \(size)")
            let last = lines[frame.row + frame.rows - 1]
            if panel.name != "confirmation" {
                #expect(last.contains("Esc"), "\(panel.name) \(size): \(last)")
                #expect(last.contains("? ") || browser.input.prompt != nil, "\(panel.name) \(size): \(last)")
                #expect(layout.keys.count == 1)
            }
            #expect(layout.room > 0)
        }
    }

    @Test(arguments: PanelScene.all)
    func `a panel shows how many lines are hidden, and scrolls to the last one`(panel: PanelScene) throws {
        for size in Self.sizes {
            var browser = try opened(panel, size)
            let layout = try #require(self.layout(of: browser))
            let hidden = layout.lines.count - layout.top - layout.room
            guard hidden > 0 else { continue }
            #expect(browser.shows("↓ \(hidden) more"), "\(panel.name) \(size)")
            guard Self.keyed.contains(where: { $0.name == panel.name }) else { continue }
            _ = browser.update(
                .frame(browser.use(of: scene(of: browser), hasBackdrop: false)), at: browser.map.now)
            for _ in 0..<layout.lines.count { _ = browser.press(.pageDown) }
            let end = try #require(self.layout(of: browser))
            #expect(end.top + end.room >= end.lines.count, "\(panel.name) \(size)")
            if end.top > 0 { #expect(browser.shows("↑ \(end.top) more"), "\(panel.name) \(size)") }
            for _ in 0..<layout.lines.count { _ = browser.press(.pageUp) }
            #expect(try #require(self.layout(of: browser)).top == 0, "\(panel.name) \(size)")
        }
    }

    @Test(arguments: PanelScene.all) func `no line of a panel breaks a word`(panel: PanelScene) throws {
        for size in Self.sizes {
            let browser = try opened(panel, size),
                text = try #require(browser.panels.top).text(browser, scene(of: browser))
            let layout = try #require(self.layout(of: browser))
            let words = Set(text.plain.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
            let longWords = words.filter { $0.width * 4 >= size.0 }
            for line in layout.lines where line.cells.isEmpty {
                #expect(line.text.width + line.right.width <= size.0 - 4, "\(panel.name): \(line.text)")
                for shown in "\(line.text) \(line.right)".split(separator: " ").map(String.init) {
                    let word =
                        shown.hasSuffix("…") && !words.contains(shown) ? String(shown.dropLast()) : shown
                    #expect(
                        words.contains(word) || longWords.contains { $0.contains(word) },
                        "\(panel.name): \(shown)")
                }
            }
        }
    }

    @Test(arguments: keyed)
    func `a question mark opens the page of the manual with the panel's keys, and returns`(
        panel: PanelScene
    ) throws {
        for size in Self.sizes where !["help", "manual"].contains(panel.name) {
            var browser = try opened(panel, size)
            let word = browser.openPanel?.word, keys = browser.panelKeys
            browser.type("?")
            #expect(browser.openPanel == .help && browser.shows("Keys of this panel"), "\(panel.name)")
            let shown = try #require(self.layout(of: browser)).lines.map(\.text).joined(separator: "\n")
            for key in keys { #expect(shown.contains(key.key), "\(panel.name): \(key.key)") }
            browser.type("?")
            #expect(browser.openPanel?.word == word)
        }
    }

    @Test(arguments: keyed, [Key.escape, .character("q")])
    func `Esc and q close a panel and never leave the program`(panel: PanelScene, key: Key) throws {
        var browser = try opened(panel, (80, 24))
        for _ in 0..<4 where browser.openPanel != nil && panel.name != "pick" {
            #expect(!browser.press(key).contains(.quit), "\(panel.name)")
        }
        #expect(
            panel.name == "pick" ? browser.press(key) == [.picked(nil)] : browser.openPanel == nil,
            "\(panel.name)")
    }

    @Test(arguments: keyed)
    func `y copies, and the row of keys or the help lists it`(panel: PanelScene) throws {
        // In the plan of a download, y starts it.
        guard !panel.name.hasPrefix("download") else { return }
        var browser = try opened(panel, (80, 24))
        #expect(browser.panelKeys.contains { $0.key == "y" && $0.verb == "copy" })
        let copied = browser.press(.character("y")).compactMap {
            if case .copy(let text) = $0 { text } else { nil }
        }
        #expect(copied.count == 1 || panel.name == "bookmarks-empty", "\(panel.name)")
    }

    @Test(arguments: keyed)
    func `a slash filters a list, and Esc first clears the filter`(panel: PanelScene) throws {
        guard !Self.texts.contains(panel.name) else { return }
        for size in Self.sizes {
            var browser = try opened(panel, size)
            let before = browser.screen.lines, word = browser.openPanel?.word
            #expect(browser.panelKeys.contains(.filter), "\(panel.name)")
            browser.type("/zzzz")
            for text in ["filter: zzzz", "matching zzzz", "No match"] {
                #expect(browser.shows(text), "\(panel.name)")
            }
            _ = browser.press(.enter)
            #expect(browser.input.prompt == nil && browser.shows("matching zzzz"), "\(panel.name)")
            _ = browser.press(.escape)
            #expect(browser.openPanel?.word == word && browser.screen.lines == before, "\(panel.name)")
        }
    }

    @Test(arguments: keyed)
    func `a key that removes or clears is x`(panel: PanelScene) throws {
        let keys = try opened(panel, (80, 24)).panelKeys
        for key in keys where ["remove", "delete", "clear"].contains(key.verb) {
            #expect(key.key == "x", "\(panel.name)")
        }
    }

    @Test func `no panel shows the raw name of a feature`() throws {
        for panel in PanelScene.all {
            let browser = try opened(panel, (120, 40))
            let text = try #require(browser.panels.top).text(browser, scene(of: browser)).plain
            for feature in Feature.all where feature.name.contains(where: \.isUppercase) {
                #expect(
                    panel.name == "manual" || !text.contains(feature.name), "\(panel.name): \(feature.name)")
            }
        }
    }
}

struct ShorteningTests {
    @Test(arguments: [
        ("Protomaps and OpenStreetMap", 20, "Protomaps and…"),
        ("Protomaps and OpenStreetMap", 14, "Protomaps and…"),
        ("Protomaps", 6, "Proto…"), ("● tiles.example/street/map", 14, "● tiles.examp…"),
        ("short", 5, "short"),
        ("   deep", 6, "   de…"), ("a b", 2, "a…"),
    ])
    func `a text is shortened after a word, and within a word only if it is long`(
        text: String, columns: Int, shown: String
    ) {
        #expect(text.clipped(to: columns) == shown)
    }
}
