internal import RhumbCore
internal import RhumbEngine

/// The keys of the open panel and of the map, and the commands after `:`. Enter opens the page of the manual.
struct HelpPanel: Panel {
    var entry: PanelEntry { .help }
    private var lines = ScrolledLines()
    /// The panel it was called up in, by its word, and its keys.
    private let panel: (word: String, keys: [PanelKey])?
    /// Only lines with these words are shown.
    fileprivate var filter = "" {
        didSet { lines = ScrolledLines() }
    }

    init(in panel: (word: String, keys: [PanelKey])? = nil) { self.panel = panel }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .character("?"):
            browser.panels.pop()
            return []
        case .character("/"): return browser.ask(.helpFilter(filter))
        case .enter:
            if let page = ManualPanel(about: panel?.word) { browser.panels.push(page) }
            return []
        default: return lines.press(key, of: text(browser).count, in: browser.panelFrame)
        }
    }

    mutating func close() -> Bool {
        defer { filter = "" }
        return filter.isEmpty
    }

    func keys(_ browser: Browser) -> [PanelKey] { [.init("Enter", "manual"), .init("/", "filter"), .init("j k", "scroll")] }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(title: filter.isEmpty ? "Keys" : "Keys matching \(filter)", lines: text(browser), top: lines.top)
    }

    private func text(_ browser: Browser) -> [PanelText.Line] {
        let sections = panel.map { [(title: "In this panel (\($0.word))", rows: $0.keys.map { ($0.key, $0.verb) })] } ?? []
        let shown = (sections + HelpPanel.sections(browser)).map { title, rows in (title, rows.filter(isShown)) }.filter { !$0.1.isEmpty }
        if shown.isEmpty { return [.init(text: "No key matches")] }
        return Array(shown.map { section($0, $1, browser) }.joined(separator: [.init(text: "")]))
    }

    private typealias Row = (keys: String, help: String)

    private func isShown(_ row: Row) -> Bool {
        let words = filter.lowercased()
        return words.isEmpty || row.keys.lowercased().contains(words) || row.help.lowercased().contains(words)
    }

    private func section(_ title: String, _ rows: [Row], _ browser: Browser) -> [PanelText.Line] {
        let keys = rows.map { browser.settings.isUnicode ? $0.keys : $0.keys.asciiKeys }
        let longest = keys.map(\.width).max() ?? 0, column = longest < 8 ? 8 : min(longest + 2, 18)
        return [.init(text: title, style: .bold)] + zip(keys, rows).flatMap { lines($0, $1.help, from: column, browser) }
    }

    /// Keys and what they do, in as many lines as that takes.
    private func lines(_ keys: String, _ help: String, from column: Int, _ browser: Browser) -> [PanelText.Line] {
        let isAlone = keys.width >= column, parts = browser.wrapped(help, indent: column)
        return (isAlone ? browser.wrapped(keys) : []) + parts.enumerated().map { at, part in
            let before = at == 0 && !isAlone ? keys : ""
            return .init(text: before + String(repeating: " ", count: column - before.width) + part.text)
        }
    }

    /// Input that is no command of the key table.
    private static let unbound: [Keymap.Section: [Row]] = [
        .move: [("1–9", "repeat the next move: 5l")],
        .program: [("mouse", "drag pans, wheel and double click zoom, click shows the place or presses a key")],
    ]

    private static func sections(_ browser: Browser) -> [(title: String, rows: [Row])] {
        let keys = Keymap.Section.allCases.map { section in
            let bound = browser.keymap.bindings.filter { $0.section == section && !$0.label.isEmpty }.map { ($0.label, $0.help) }
            return (title: section.rawValue, rows: bound + (unbound[section] ?? []))
        }
        let words = TypedCommand.all.map { ($0.arguments.isEmpty ? $0.name : "\($0.name) \($0.arguments)", $0.help) }
        return keys + [(title: "Commands after :", rows: words)]
    }
}

extension PanelEntry {
    static let help = PanelEntry("help") { browser in
        guard let open = browser.openPanel else { return browser.show(HelpPanel()) }
        browser.panels.push(HelpPanel(in: (open.word, browser.panelKeys)))
        return []
    }
}

extension Prompt {
    /// What lines of the help are to contain; they are filtered while it is typed.
    fileprivate static func helpFilter(_ words: String) -> Prompt {
        Prompt(
            label: "filter: ", example: "zoom  ·  tiles  ·  offline", line: LineEditor(words), mayBeEmpty: true,
            follow: { browser in
                browser.panels[HelpPanel.self]?.filter = browser.prompt?.line.string.trimmed ?? ""
                return []
            },
            answer: { (_, _) throws(Notice.Problem) in [] })
    }
}
