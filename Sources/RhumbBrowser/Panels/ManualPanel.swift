internal import RhumbCore
internal import RhumbEngine
internal import RhumbManual

/// The manual page about a panel, below the panel's keys.
struct ManualPanel: Panel {
    var entry: PanelEntry { .help }
    private let page: ManualPage
    private let panelKeys: [PanelKey]

    /// - Parameters:
    ///   - panel: The panel to explain, by its word; nil for the keys of the map.
    ///   - keys: The keys of that panel.
    /// - Returns: nil if the manual has no such page.
    init?(about panel: String?, keys: [PanelKey] = []) {
        guard let page = Manual.page(panel.flatMap { ManualPanel.topics[$0] } ?? "keys") else { return nil }
        self.page = page
        panelKeys = keys
    }

    /// The pages of the panels, by their words.
    private static let topics = [
        "areas": "areas", "packs": "styles", "ready": "areas", "bookmarks": "sharing", "cache": "caching",
        "download": "regions",
        "here": "maps", "layers": "maps",
        "measure": "sharing", "messages": "troubleshooting", "packages": "packages", "pick": "sharing",
        "regions": "regions", "route": "routes", "search": "searching", "share": "sharing",
        "streets": "sources",
        "styles": "styles", "tiles": "archives", "track": "data", "traffic": "traffic",
    ]

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        key == .character("?") ? [.pop] : nil
    }

    /// Opens the list of all keys. If the page was opened from there, returns to that list.
    mutating func act(_ browser: Browser) -> [Action]? {
        browser.panels.beneath is HelpPanel ? [.pop] : [.push(HelpPanel())]
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        [.init("Enter", "all keys"), .init("j k", "scroll"), .init("?", "back")]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard !panelKeys.isEmpty else { return PanelText(title: page.title, lines: text(browser)) }
        let keys = browser.keyLines("Keys of this panel", panelKeys.map { ($0.key, $0.verb) })
        return PanelText(title: page.title, lines: keys + [.init(text: "")] + text(browser))
    }

    /// Returns the page without its title, which is the panel's title.
    private func text(_ browser: Browser) -> [PanelText.Line] {
        let room = browser.panelFrame.columns - 4
        return page.lines(room).dropFirst(2).flatMap { line -> [PanelText.Line] in
            let text = line.plain, indent = text.prefix { $0 == " " }.count
            guard text.width > room else { return [.init(text: text, style: indent == 0 ? .bold : [])] }
            // Puts a command's comment on lines of its own.
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

extension Browser {
    /// The actions that open the manual page about the open panel.
    var openingManual: [Action] {
        guard let panel = openPanel, let page = ManualPanel(about: panel.word, keys: panelKeys) else {
            return []
        }
        return [.push(page)]
    }
}
