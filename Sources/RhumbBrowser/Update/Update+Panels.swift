internal import RhumbCore
internal import RhumbEngine

/// What keys do while a panel is open. Keys a panel doesn't know move the map behind it.
extension Browser {
    mutating func toggle(_ new: Panel) -> [Effect] {
        panel = panel.map { $0.isSameKind(as: new) } == true ? nil : new
        return []
    }

    /// - Returns: nil when the key is not the panel's.
    mutating func pressInPanel(_ key: Key) -> [Effect]? {
        if case .download(let open) = panel, open.name != nil { return pressInDownload(key, open) }
        if key == .escape {
            closePanel()
            return []
        }
        switch panel {
        case .cache(let panel): return pressInCache(key, panel)
        case .download(let panel): return pressInDownload(key, panel)
        case .regions(let panel): return pressInRegions(key, panel)
        case .help(let top): return scroll(key, from: top, lines: helpLines.count) { .help(top: $0) }
        case .messages(let top):
            return scroll(key, from: top, lines: notices.all.count) { .messages(top: $0) }
        case .layers(let row): return pressInLayers(key, row: row)
        case .sources(let row): return pressInSources(key, row: row)
        case .search: return pressInSearch(key)
        case .here, nil: return nil
        }
    }

    /// One level out: from an entry of the cache to the list, else the panel goes.
    private mutating func closePanel() {
        if case .cache(var open) = panel, open.showsDetail || open.question != nil {
            open.showsDetail = false
            open.question = nil
            panel = .cache(open)
        } else if case .regions(var open) = panel, open.question != nil {
            open.question = nil
            panel = .regions(open)
        } else {
            panel = nil
        }
    }

    private mutating func scroll(
        _ key: Key, from top: Int, lines: Int, to panel: (Int) -> Panel
    ) -> [Effect]? {
        guard let step = key.scroll(page: max(panelFrame.rows - 4, 1)) else { return nil }
        let last = max(lines - max(panelFrame.rows - 3, 1), 0)
        self.panel = panel(min(max(top + step, 0), last))
        return []
    }

    // MARK: Layers

    /// The layers as the panel lists them: the top one first.
    var listedLayers: [TileLayer] { layers.reversed() }

    private mutating func pressInLayers(_ key: Key, row: Int) -> [Effect]? {
        guard !layers.isEmpty else { return nil }
        let row = min(row, layers.count - 1)
        let at = layers.count - 1 - row
        if let step = key.scroll(page: 5) {
            panel = .layers(row: min(max(row + step, 0), layers.count - 1))
            return []
        }
        switch key {
        case .character(" "), .enter: layers[at].isVisible.toggle()
        case .arrow(.left, _): layers[at].opacity = max(layers[at].opacity - 0.1, 0.1)
        case .arrow(.right, _): layers[at].opacity = min(layers[at].opacity + 0.1, 1)
        case .character("<"): return shift(at, by: 1)
        case .character(">"): return shift(at, by: -1)
        case .character("x"): return takeOff(at)
        case .tab: return showSources()
        default: return nil
        }
        return [.look]
    }

    /// Moves a layer up (1) or down (-1) among the others.
    private mutating func shift(_ at: Int, by step: Int) -> [Effect] {
        guard layers.indices.contains(at + step) else { return [] }
        var (moved, other) = (layers[at], layers[at + step])
        TileLayer.exchangePlaces(&moved, &other)
        (layers[at], layers[at + step]) = (moved, other)
        panel = .layers(row: layers.count - 1 - at - step)
        return [.look]
    }

    private mutating func takeOff(_ at: Int) -> [Effect] {
        guard layers.count > 1 else { return say("the last map stays") }
        let gone = layers.remove(at: at)
        panel = .layers(row: 0)
        return [.look] + say("took off \(gone.info.name)")
    }
}

// MARK: Sources

extension Browser {
    /// Opens the list of sources.
    mutating func showSources() -> [Effect] {
        panel = .sources(row: 0)
        return [.listSources]
    }

    private mutating func pressInSources(_ key: Key, row: Int) -> [Effect]? {
        if key == .tab {
            panel = .layers(row: 0)
            return []
        }
        guard !sources.isEmpty else { return nil }
        let row = min(row, sources.count - 1)
        if let step = key.scroll(page: 5) {
            panel = .sources(row: min(max(row + step, 0), sources.count - 1))
            return []
        }
        switch key {
        case .enter: return open(sources[row], over: false)
        case .character("a"): return open(sources[row], over: true)
        default: return nil
        }
    }

    private mutating func open(_ choice: SourceChoice, over: Bool) -> [Effect] {
        if let key = choice.missingKey {
            return complain("\(choice.name) needs a key: set \(key), or name it under keys in the configuration file")
        }
        return [.open(source: choice.words, over: over)]
    }
}

extension Panel {
    func isSameKind(as other: Panel) -> Bool {
        switch (self, other) {
        case (.help, .help), (.layers, .layers), (.sources, .sources),
            (.layers, .sources), (.sources, .layers), (.here, .here), (.messages, .messages),
            (.cache, .cache), (.download, .download), (.regions, .regions), (.search, .search): true
        default: false
        }
    }
}

extension Key {
    /// How many lines a key moves a list, if it is one of those.
    func scroll(page: Int) -> Int? {
        switch self {
        case .arrow(.down, _), .character("j"): 1
        case .arrow(.up, _), .character("k"): -1
        case .pageDown: page
        case .pageUp: -page
        case .home: -1_000_000
        case .end: 1_000_000
        default: nil
        }
    }
}
