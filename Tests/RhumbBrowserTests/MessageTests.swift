@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct MessageTests {
    private func failed(
        _ tile: Int, _ problem: String = "HTTP 403: the server refuses; not asked again for 30 s"
    ) -> Event {
        .tileFailed(TileFailure(.refused, "https://tiles.example/9/1/\(tile).png: \(problem)"))
    }

    @Test
    func `tiles that fail alike are one message with a count, the first reason and the last address`() {
        var browser = Browser.test()
        for tile in 1...12 { _ = browser.update(failed(tile), at: .seconds(tile)) }
        let text =
            "12 tiles: HTTP 403: the server refuses; not asked again for 30 s · https://tiles.example/9/1/12.png"
        #expect(browser.map.notices.all.map(\.text) == [text])
        _ = browser.update(
            failed(3, "HTTP 403: the server refuses; not asked again for 7 s"), at: .seconds(20))
        _ = browser.update(failed(4, "HTTP 404: it has none"), at: .seconds(20))
        #expect(browser.map.notices.all.map(\.count) == [13, 1])
    }

    @Test
    func `without a network, all failures are one notice with the last host, on the map without queries`() {
        var browser = Browser.test()
        _ = browser.update(.network(isReachable: false), at: .seconds(1))
        for host in ["a.example", "b.example"] {
            let failure = TileFailure(
                .unreadable, "https://\(host)/1.png: unknown host", remedy: .connect(host: host))
            _ = browser.update(.tileFailed(failure), at: .seconds(1))
        }
        #expect(browser.map.notices.all.map(\.text) == ["No network: b.example can't be reached"])
        let text = "Finder: https://find.example/search?q=x: timed out"
        _ = browser.update(.problem(text), at: .seconds(2))
        let last = browser.map.notices.all.last
        #expect(last?.text == text && last?.shortText == "Finder: find.example: timed out")
    }

    @Test func `while the user is offline, a notice about that is no warning`() {
        var browser = Browser.test()
        _ = browser.press(.character("o"))
        _ = browser.update(.problem("You are offline. Press o to go online."), at: .seconds(9))
        #expect(browser.map.isOffline && browser.map.notices.all.last?.isProblem == false)
    }

    @Test func `the ages of messages are drawn again each second while they are listed`() {
        var browser = Browser.test()
        _ = browser.update(.problem("the disk is full"), at: .seconds(1))
        browser.type(":messages")
        let opened = browser.press(.enter)
        #expect(opened.contains(.wake(after: .seconds(1))))
        #expect(browser.update(.tick, at: .seconds(3)).contains(.wake(after: .seconds(1))))
    }

    @Test func `a recurring notice is shown once a minute`() {
        var browser = Browser.test(), shown: [Int] = [], wasShown = false
        for second in 0..<200 {
            _ = browser.update(failed(second), at: .seconds(second))
            let isShown = browser.map.notices.current(at: .seconds(second)) != nil
            if isShown, !wasShown { shown.append(second) }
            wasShown = isShown
        }
        #expect(shown == [0, 60, 120, 180])
    }

    @Test func `a key's notice is shown again each time, also between failures`() {
        var browser = Browser.test()
        _ = browser.update(failed(1), at: .seconds(1))
        for second in [2, 10, 20] {
            _ = browser.update(.key(.character("u")), at: .seconds(second))
            _ = browser.update(failed(second), at: .seconds(second))
            #expect(browser.map.notices.current(at: .seconds(second))?.text == "Nothing to go back to")
        }
    }

    @Test func `Enter shows the newest message in full, and Esc goes back to the list`() {
        var browser = Browser.test(columns: 120, rows: 40)
        _ = browser.update(.problem("older"), at: .seconds(1))
        _ = browser.update(
            failed(77, "HTTP 500: something is wrong that takes long to tell in so few columns"),
            at: .seconds(2))
        // The notice itself has disappeared by then.
        _ = browser.update(.key(.character(":")), at: .seconds(30))
        browser.type("messages")
        _ = browser.press(.enter)
        #expect(browser.shows("Enter expand") && !browser.shows("/9/1/77.png"))
        _ = browser.press(.enter)
        #expect(browser.shows("/9/1/77.png") && browser.shows("older"))
        _ = browser.press(.escape)
        #expect(!browser.shows("/9/1/77.png") && browser.openPanel?.word == "messages")
    }

    private func browser(_ columns: Int, _ rows: Int) -> Browser {
        var layer = TileLayer.test(BlankSource(), id: "osm")
        layer.info.attribution = "© OpenStreetMap contributors"
        return .test(columns: columns, rows: rows, layers: [layer])
    }

    @Test(arguments: [(120, 40), (80, 24), (80, 12), (40, 16)])
    func `a notice leaves the attribution on the screen, and a long one is wrapped`(columns: Int, rows: Int) {
        var browser = browser(columns, rows)
        let long = (1...30).map { "word\($0)" }.joined(separator: " ")
        for text in ["short notice", long] {
            _ = browser.update(.problem(text), at: .zero)
            let lines = browser.screen.lines
            #expect(lines.suffix(2).joined().contains("©"))
            #expect(
                text.split(separator: " ").allSatisfy { word in lines.contains { $0.contains(word) } },
                "\(lines)")
        }
    }

    @Test func `a short notice is in the line of hints, a long one at the top beside the panel`() {
        var browser = browser(120, 40)
        browser.type("m")
        _ = browser.update(.problem("short notice"), at: .zero)
        #expect(
            browser.screen.lines[39].contains("short notice")
                && browser.screen.lines[39].contains("© OpenStreetMap contributors"))
        _ = browser.update(.problem(String(repeating: "wrong ", count: 60)), at: .zero)
        let lines = browser.screen.lines
        #expect(
            lines[0].contains("wrong wrong") && lines[0].contains("Maps and layers")
                && lines[1].contains("wrong wrong"))
        #expect(!lines[39].contains("? help"))
    }

    @Test func `a longer notice stays longer, and none returns after a newer one`() {
        var browser = Browser.test()
        let long = String(repeating: "w", count: 300)
        #expect(browser.update(.problem(long), at: .zero).contains(.wake(after: .seconds(15))))
        #expect(
            browser.map.notices.current(at: .seconds(14)) != nil
                && browser.map.notices.current(at: .seconds(15)) == nil)
        _ = browser.update(.problem("short"), at: .seconds(1))
        #expect(
            browser.map.notices.current(at: .seconds(4))?.text == "short"
                && browser.map.notices.current(at: .seconds(5)) == nil)
    }

    @Test func `the notice of a key disappears with the next effective key, others stay for their time`() {
        var browser = Browser.test()
        browser.type("u")
        #expect(browser.shows("Nothing to go back to"))
        _ = browser.press(.insert)
        #expect(browser.shows("Nothing to go back to"))
        browser.type("l")
        #expect(!browser.shows("Nothing to go back to") && browser.map.notices.all.count == 1)
        _ = browser.update(.saved(.success("map.png")), at: .zero)
        browser.type("l")
        #expect(browser.shows("Saved map.png"))
        browser.type("UU")
        #expect(browser.shows("Nothing to go forward to"))
    }
}
