internal import RhumbCore
internal import RhumbEngine
internal import RhumbManual

/// A page of the manual, opened from the help.
struct ManualPanel: Panel {
    var entry: PanelEntry { .help }
    private let page: ManualPage
    private var lines = ScrolledLines()

    /// - Parameter panel: The panel to explain, by its word; nil for the keys of the map.
    /// - Returns: nil if the manual has no such page.
    init?(about panel: String?) {
        guard let page = Manual.page(panel.flatMap { ManualPanel.topics[$0] } ?? "keys") else { return nil }
        self.page = page
    }

    /// The pages of the panels, by their words.
    private static let topics = [
        "bookmarks": "sharing", "cache": "caching", "download": "regions", "here": "maps", "layers": "maps",
        "measure": "sharing", "messages": "troubleshooting", "packages": "packages", "pick": "sharing",
        "regions": "regions", "route": "routes", "search": "searching", "share": "sharing", "streets": "sources",
        "styles": "styles", "track": "data", "traffic": "traffic",
    ]

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        guard key == .enter || key == .character("?") else {
            return lines.press(key, of: text(browser).count, in: browser.panelFrame)
        }
        browser.panels.pop()
        return []
    }

    func keys(_ browser: Browser) -> [PanelKey] { [.init("j k", "scroll"), .init("Enter", "back")] }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(title: page.title, lines: text(browser), top: lines.top)
    }

    /// The page without its title, which is the panel's.
    private func text(_ browser: Browser) -> [PanelText.Line] {
        let room = browser.panelFrame.columns - 4
        return page.lines(room).dropFirst(2).flatMap { line -> [PanelText.Line] in
            let text = line.plain, indent = text.prefix { $0 == " " }.count
            guard text.width > room else { return [.init(text: text, style: indent == 0 ? .bold : [])] }
            // A command, and its comment in lines of its own.
            let comment = text.firstRange(of: "  #")?.lowerBound ?? text.endIndex
            return lines(text[..<comment], indent, browser) + lines(text[comment...], indent + 2, browser)
        }
    }

    private func lines(_ text: Substring, _ indent: Int, _ browser: Browser) -> [PanelText.Line] {
        guard text.contains(where: { $0 != " " }) else { return [] }
        let margin = String(repeating: " ", count: indent)
        return browser.wrapped(String(text), indent: indent).map { .init(text: margin + $0.text) }
    }
}
