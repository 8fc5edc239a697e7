@testable import RhumbBrowser
import RhumbCore
import Testing

/// Tests keys that are pressed faster than they are handled.
struct PendingKeysTests {
    private let right = Key.arrow(.right, shift: false), left = Key.arrow(.left, shift: false)

    private func keys(_ text: String) -> ArraySlice<Key> { text.map { Key.character($0) }[...] }

    @Test func `the same key that moves the map is handled once for all presses`() {
        var once = Browser.test(), each = once
        #expect(once.repeats(of: [right, right, right, left, right]) == 3)
        _ = once.update(.key(right, times: 3), at: .zero)
        for _ in 0..<3 { _ = each.press(right) }
        #expect(once.map.viewport == each.map.viewport)
        _ = once.update(.key(.character("-"), times: 2), at: .zero)
        for _ in 0..<2 { _ = each.press(.character("-")) }
        #expect(once.map.viewport == each.map.viewport)
    }

    @Test func `a number before the key counts for its first press only`() {
        var once = Browser.test()
        _ = once.press(.character("4"))
        var each = once
        _ = once.update(.key(right, times: 3), at: .zero)
        for _ in 0..<3 { _ = each.press(right) }
        #expect(once.map.viewport == each.map.viewport)
    }

    @Test func `keys that switch, digits and text are handled one by one`() {
        var browser = Browser.test()
        for text in ["PPP", "555", "ttt"] { #expect(browser.repeats(of: keys(text)) == 1) }
        _ = browser.press(.character(":"))
        #expect(browser.repeats(of: [right, right]) == 1 && browser.repeats(of: keys("ll")) == 1)
    }

    @Test(arguments: ["q", "\u{1B}"])
    func `leaving overtakes moves and held keys`(last: Character) {
        let browser = Browser.test(), leave = last == "q" ? Key.character("q") : .escape
        #expect(browser.overtaken(in: [right, right, .character("+"), leave, right]) == 3)
        #expect(browser.overtaken(in: keys("PPPP") + [leave]) == 4)
        #expect(browser.overtaken(in: [leave]) == 0)
        #expect(browser.overtaken(in: [right, right]) == 0)
    }

    @Test func `leaving never overtakes the beginning of a text`() {
        var browser = Browser.test()
        for text in ["/q", "::q", "RRq", "g60q", "l:q", "PSq"] {
            #expect(browser.overtaken(in: keys(text)) == 0, "\(text)")
        }
        _ = browser.press(.character(":"))
        #expect(browser.overtaken(in: keys("llq")) == 0)
        #expect(browser.overtaken(in: keys("ll") + [.control("c"), .character("x")]) == 2)
    }
}
