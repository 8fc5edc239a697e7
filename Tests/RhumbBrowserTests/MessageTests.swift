import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct MessageTests {
    private func failed(_ tile: Int, _ problem: String = "HTTP 403: the server refuses; asked again in 30 s") -> Event {
        .tileFailed(TileFailure(.refused, "https://tiles.example/9/1/\(tile).png: \(problem)"))
    }

    @Test func `tiles that fail alike are one message with a count, the reason first and the last address last`() {
        var browser = Browser.test()
        for tile in 1...12 { _ = browser.update(failed(tile), at: .seconds(tile)) }
        let text = "12 tiles: HTTP 403: the server refuses; asked again in 30 s · https://tiles.example/9/1/12.png"
        #expect(browser.notices.all.map(\.text) == [text])
        _ = browser.update(failed(3, "HTTP 403: the server refuses; asked again in 7 s"), at: .seconds(20))
        _ = browser.update(failed(4, "HTTP 404: it has none"), at: .seconds(20))
        #expect(browser.notices.all.map(\.count) == [13, 1])
    }

    @Test func `what goes on and on is shown once a minute`() {
        var browser = Browser.test(), shown = 0
        for second in 0..<200 {
            _ = browser.update(failed(second), at: .seconds(second))
            if browser.notices.current(at: .seconds(second)) != nil { shown += 1 }
        }
        #expect(shown == 16)
    }

    @Test func `what a key said is shown again each time, also between failures`() {
        var browser = Browser.test()
        _ = browser.update(failed(1), at: .seconds(1))
        for second in [2, 10, 20] {
            _ = browser.update(.key(.character("u")), at: .seconds(second))
            _ = browser.update(failed(second), at: .seconds(second))
            #expect(browser.notices.current(at: .seconds(second))?.text == "no view before this one")
        }
    }

    @Test func `Enter reads the newest in full, and Esc goes back to the list`() {
        var browser = Browser.test(columns: 120, rows: 40)
        _ = browser.update(.trouble("older"), at: .seconds(1))
        _ = browser.update(failed(77, "HTTP 500: something is wrong that takes long to tell in so few columns"), at: .seconds(2))
        // The notice itself is gone by then.
        _ = browser.update(.key(.character(":")), at: .seconds(30))
        browser.type("messages")
        _ = browser.press(.enter)
        #expect(browser.shows("Enter read in full") && !browser.shows("/9/1/77.png"))
        _ = browser.press(.enter)
        #expect(browser.shows("/9/1/77.png") && browser.shows("older"))
        _ = browser.press(.escape)
        #expect(!browser.shows("/9/1/77.png") && browser.openPanel?.word == "messages")
    }

    @Test func `a notice stands in the line of keys, over no panel and no title`() {
        var browser = Browser.test(columns: 120, rows: 40)
        browser.type("m")
        _ = browser.update(.trouble(String(repeating: "wrong ", count: 60)), at: .zero)
        #expect(browser.screen.lines[0].contains("Maps and layers") && browser.screen.lines[39].contains("wrong wrong"))
    }
}
