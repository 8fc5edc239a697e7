internal import RhumbCore
internal import RhumbEngine

/// The sources there are to choose from. It belongs to the layers: Tab changes between the two.
struct SourcesPanel: Panel {
    var entry: PanelEntry { .layers }
    private var row = 0

    init() {}

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if key == .tab { return browser.show(LayersPanel()) }
        let sources = browser.sources
        guard !sources.isEmpty else { return nil }
        if let row = key.row(from: min(row, sources.count - 1), of: sources.count, page: 5) {
            self.row = row
            return []
        }
        let chosen = sources[min(row, sources.count - 1)]
        switch key {
        case .enter: return open(chosen, over: false, &browser)
        case .character("a"): return open(chosen, over: true, &browser)
        default: return nil
        }
    }

    private func open(_ choice: SourceChoice, over: Bool, _ browser: inout Browser) -> [Effect] {
        if let key = choice.missingKey {
            return browser.complain(
                "\(choice.name) needs a key. Set \(key), or add it under \"keys\" in the configuration file.")
        }
        return [.open(source: choice.words, over: over)]
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.sources.isEmpty ? [.init("Tab", "layers")] : [.init("Enter", "open"), .init("a", "add as overlay"), .init("Tab", "layers")]
    }

    /// The chosen source is highlighted, with a note below it.
    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let sources = browser.sources, row = min(row, max(sources.count - 1, 0))
        var lines = sources.enumerated().map { at, choice in
            PanelText.Line(
                text: "\(mark(choice, browser)) \(choice.name)",
                right: choice.words == choice.name ? "" : choice.words, style: at == row ? .reverse : [])
        }
        if sources.indices.contains(row) {
            let note = sources[row].missingKey.map { "needs a key: \($0)" } ?? sources[row].note
            lines.insert(.init(text: "    \(note)"), at: row + 1)
        } else {
            lines = [.init(text: "No sources")]
        }
        return PanelText(title: "Sources", lines: lines, showing: row, in: browser.panelFrame)
    }

    /// Whether a source is on the map, or can't be for want of a key.
    private func mark(_ choice: SourceChoice, _ browser: Browser) -> String {
        let isUnicode = browser.settings.isUnicode
        if choice.missingKey != nil { return isUnicode ? "–" : "-" }
        let isShown = browser.layers.contains { $0.words == choice.words || $0.id.hasPrefix("\(choice.words).") }
        return isShown ? (isUnicode ? "●" : "*") : " "
    }
}

extension Browser {
    /// Opens the list of sources.
    mutating func showSources() -> [Effect] { show(SourcesPanel()) + [.listSources] }
}
