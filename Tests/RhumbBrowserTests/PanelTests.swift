import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbBrowser

struct PanelTests {
    /// A panel that is known only by its own entry.
    private struct CounterPanel: Panel {
        let entry: PanelEntry
        var count = 0
        var levels = 1

        mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
            guard key == .character("+") else { return nil }
            count += 1
            return count == 3 ? [.show(HelpPanel())] : []
        }

        func text(_ browser: Browser, _ scene: Scene) -> PanelText {
            PanelText(title: "Counter", lines: [.init(text: "count \(count)")])
        }

        func keys(_ browser: Browser) -> [PanelKey] { [.init("+", "count")] }

        mutating func close() -> Bool {
            levels -= 1
            return levels == 0
        }

        mutating func ask(_ browser: Browser) -> [Action] { [.effect(.savePicture(name: "\(count)"))] }
    }

    private func opened(levels: Int = 1) -> Browser {
        let entry = PanelEntry("counter") { _ in
            [.show(CounterPanel(entry: PanelEntry("counter") { _ in [] }, levels: levels))]
        }
        var browser = Browser(
            columns: 80, rows: 24, layers: [.test(BlankSource())],
            keymap: Keymap([
                .init(
                    keys: [.character("z")], command: .panel(entry), label: "z", help: "count",
                    section: .look, hint: nil)
            ]))
        _ = browser.press(.character("z"))
        return browser
    }

    @Test func `a path that is too long for a line is divided behind a slash`() {
        #expect(
            "/home/ada/.cache/rhumb/tiles.db".wrappedLines(24) == ["/home/ada/.cache/rhumb/", "tiles.db"])
        #expect("https://example.com".wrappedLines(12) == ["https://", "example.com"])
    }

    @Test(arguments: [("i", "Here"), ("m", "Maps"), ("c", "Cache")])
    func `a panel is drawn on the smallest screen`(key: Character, title: String) {
        var browser = Browser(columns: 24, rows: 6, layers: [.test(BlankSource())])
        _ = browser.press(.character(key))
        #expect(browser.shows(title), "\(browser.screen.lines)")
    }

    @Test func `a panel needs no more than an entry in the key table`() {
        var browser = opened()
        #expect(browser.shows("count 0"))
        browser.type("++")
        #expect(browser.shows("count 2"))
        browser.type("z")
        #expect(browser.openPanel == nil)
    }

    @Test func `a panel may open another in its place while it handles a key`() {
        var browser = opened()
        browser.type("+++")
        #expect(browser.openPanel == .help && !browser.shows("Counter"))
    }

    @Test func `Esc leaves the panel level by level`() {
        var browser = opened(levels: 2)
        _ = browser.press(.escape)
        #expect(browser.openPanel != nil)
        _ = browser.press(.escape)
        #expect(browser.openPanel == nil)
    }

    @Test func `a panel sends queries when it opens, on every tick, and when the view has moved`() {
        var browser = opened()
        #expect(browser.update(.tick, at: .seconds(1)).contains(.savePicture(name: "0")))
        #expect(
            browser.update(.resized(columns: 90, rows: 30, cellAspect: nil), at: .seconds(2)).contains(
                .savePicture(name: "0")))
    }

    @Test func `any answer but y closes a confirmation, and leaves the panel under it`() {
        var browser = opened()
        for key in [Key.character("n"), .escape, .enter, .character("y")] {
            browser.panels.push(
                .asking("sure?", PanelEntry("counter") { _ in [] }, accept: .effect(.repaint)))
            #expect(browser.shows("sure?") && browser.shows("y yes  n no") && browser.shows("count 0"))
            #expect(browser.press(.character("x")).isEmpty && browser.shows("sure?"))
            #expect(browser.press(key) == (key == .character("y") ? [.repaint] : []))
            #expect(browser.shows("count 0") && !browser.shows("sure"))
        }
    }

    @Test func `every panel of the key table can also be opened by its command`() {
        for case .panel(let entry) in Keymap.standard.bindings.map(\.command) {
            #expect(TypedCommand.all.count { $0.name == entry.word } == 1)
        }
    }
}

struct LoadableTests {
    @Test func `a query is sent once, until it changes or its response is too old`() {
        var inquiry = Loadable<Int, String>()
        let asked = [
            inquiry.ask(1, at: .seconds(1)), inquiry.ask(1, at: .seconds(9)),
            inquiry.ask(1, at: .seconds(9), lifetime: .seconds(2)),
            inquiry.ask(1, at: .seconds(10), lifetime: .seconds(2)),
            inquiry.ask(2, at: .seconds(10)),
        ]
        #expect(asked == [true, false, true, false, true])
        inquiry.expire()
        let again = inquiry.ask(2, at: .seconds(10))
        #expect(again)
    }

    @Test func `a response is kept until the next, and one to an older query is dropped`() {
        var inquiry = Loadable<Int, String>()
        _ = inquiry.ask(1, at: .zero)
        inquiry.receive("one", to: 1)
        #expect(inquiry.current == "one")
        _ = inquiry.ask(2, at: .zero)
        #expect(inquiry.current == nil && inquiry.answer == "one" && inquiry.answered == 1)
        inquiry.receive("late", to: 1)
        #expect(inquiry.answer == "one")
        inquiry.receive("two", to: 2)
        #expect(inquiry.current == "two")
    }

    @Test func `only a response to the last query is accepted, even if it is nil`() {
        var height = Loadable<PlaceHeightQuery, Double?>()
        let query = PlaceHeightQuery(place: Coordinate(latitude: 60, longitude: 22))
        _ = height.ask(query, at: .zero)
        height.receive(AnyResponse([], to: BookmarkQuery()))
        height.receive(AnyResponse(7, to: PlaceHeightQuery(place: Coordinate(latitude: 0, longitude: 0))))
        #expect(height.current == nil)
        height.receive(AnyResponse(nil, to: query))
        #expect(height.current == .some(nil))
    }

    @Test func `a feature or a panel receives the responses to each type of query`() {
        let files = TestFiles.swiftFiles(in: "Sources/RhumbBrowser")
        let declared = files.flatMap { text in
            text.matches(of: #/(?:struct|enum|extension) (\w+): (?:\w+, )*Query\b/#).map { String($0.1) }
        }
        let received = files.flatMap { text in
            text.matches(of: #/(?:\[|Loadable<)(\w+)(?:\.self\]|,)/#).map { String($0.1) }
        }
        // These only store something.
        let unanswered: Set = ["CancelRouteQuery", "StoreAgreement", "StoreRoutes", "StoreStreetsChoice"]
        #expect(declared.count > 10 && Set(declared).subtracting(received) == unanswered)
    }
}
