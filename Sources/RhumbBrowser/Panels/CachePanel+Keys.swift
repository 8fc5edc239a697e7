internal import RhumbCore
internal import RhumbEngine

/// The keys of the inspector.
extension CachePanel {
    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if let tab = key.digit.flatMap(Tab.init) { return open(tab, &browser) }
        switch tab {
        case .overview: return nil
        case .sources: return pressInSources(key, &browser)
        case .tiles: return pressInTiles(key, &browser)
        case .heat: return pressInHeat(key, &browser)
        }
    }

    private mutating func open(_ tab: Tab, _ browser: inout Browser) -> [Effect] {
        self.tab = tab
        row = 0
        showsDetail = false
        browser.stored.cache.overview.expire()
        items.expire()
        return ask(&browser)
    }

    private mutating func pressInSources(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let rows = sourceRows(browser)
        if let row = key.row(from: row, of: rows.count, page: 10) {
            self.row = row
            return []
        }
        return nil
    }

    mutating func act(_ browser: inout Browser) -> [Effect]? {
        let rows = sourceRows(browser)
        switch tab {
        case .sources where rows.indices.contains(row) && !rows[row].isDocuments:
            selection.source = rows[row].source
            selection.zoom = rows[row].zoom
            return open(.tiles, &browser)
        case .tiles where listed.indices.contains(row):
            showsDetail.toggle()
            return []
        default: return nil
        }
    }

    mutating func remove(_ browser: inout Browser) -> [Effect]? {
        let rows = sourceRows(browser)
        switch tab {
        case .sources where rows.indices.contains(row):
            let source = rows[row].source
            let question = CacheText.removal(of: source)
            browser.panels.push(
                Consent.asking(question, entry) { _ in
                    [.ask(CacheChange(act: .clear(source: source)))]
                })
            return []
        case .tiles where listed.indices.contains(row):
            confirm("Delete", CacheAct.delete, listed[row], &browser)
            return []
        default: return nil
        }
    }

    func copied(_ browser: Browser) -> String {
        let rows = sourceRows(browser)
        switch tab {
        case .sources: return rows.indices.contains(row) ? rows[row].source : ""
        case .tiles:
            return listed.indices.contains(row) ? listed[row].explanation.joined(separator: "\n") : ""
        case .overview, .heat: return text(browser, Scene(layers: [])).plain
        }
    }

    /// Returns the sources whose names match the filter, with their zooms.
    func sourceRows(_ browser: Browser) -> [CacheSourceRow] {
        CacheSourceRow.list((browser.stored.cache.overview.answer ?? nil)?.rows ?? []) { matches($0) }
    }

    private mutating func pressInTiles(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if let row = key.row(from: row, of: listed.count, page: 10) {
            self.row = row
            return []
        }
        switch key {
        case .character("/"): return browser.ask(.filter(selection))
        case .character("<"), .character(">"):
            selection.order = selection.order.next(key == .character(">") ? 1 : -1)
            return open(.tiles, &browser)
        default: break
        }
        guard listed.indices.contains(row) else { return nil }
        return press(key, on: listed[row], &browser)
    }

    private mutating func press(_ key: Key, on item: CacheItem, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .character(" "):
            if marked.remove(item.key) == nil { marked.insert(item.key) }
            row = min(row + 1, listed.count - 1)
        case .character("g"):
            guard let tile = item.tile else { return browser.say(CacheText.noPlace) }
            return browser.fly(to: Camera(center: tile.center, zoom: Double(tile.zoom)))
        case .character("R"): return [.ask(CacheChange(act: .refresh(chosen(item))))]
        case .character("I"): confirm(CacheText.invalidation, CacheAct.invalidate, item, &browser)
        default: return nil
        }
        return []
    }

    /// Returns the marked entries, or the entry under the cursor if none is marked.
    private func chosen(_ item: CacheItem) -> [ResourceKey] {
        marked.isEmpty ? [item.key] : listed.map(\.key).filter(marked.contains)
    }

    private func confirm(
        _ verb: String, _ act: @escaping @Sendable ([ResourceKey]) -> CacheAct, _ item: CacheItem,
        _ browser: inout Browser
    ) {
        let keys = chosen(item)
        let question = "\(verb) \(keys.count == 1 ? "this entry" : "these \(keys.count) entries")?"
        browser.panels.push(
            Consent.asking(question, entry) { browser in
                browser.panels[CachePanel.self]?.marked = []
                return [.ask(CacheChange(act: act(keys)))]
            })
    }

    private mutating func pressInHeat(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .character("["): heatOffset = max(heatOffset - 1, -6)
        case .character("]"): heatOffset = min(heatOffset + 1, 6)
        default: return nil
        }
        return ask(&browser)
    }

    /// Lists the entries that match the words.
    fileprivate mutating func filter(
        _ words: String, _ browser: inout Browser
    ) throws(Notice.Problem) -> [Effect] {
        selection = try CacheSelection(words: words, order: selection.order)
        return open(.tiles, &browser)
    }
}

extension Prompt {
    /// Returns the prompt for the filter.
    fileprivate static func filter(_ selection: CacheSelection) -> Prompt {
        Prompt(
            label: "show: ", example: "osm  ·  z12  ·  stale  ·  osm z12 fresh",
            line: LineEditor(selection.words),
            mayBeEmpty: true
        ) { (browser, words) throws(Notice.Problem) in
            guard var panel = browser.panels[CachePanel.self] else { return [] }
            let effects = try panel.filter(words, &browser)
            browser.panels[CachePanel.self] = panel
            return effects
        }
    }
}

extension CacheSelection.Order {
    fileprivate func next(_ step: Int) -> Self {
        let all = Self.allCases, at = all.firstIndex(of: self) ?? 0
        return all[(at + step + all.count) % all.count]
    }
}

extension Key {
    /// The typed digit; nil for other keys.
    var digit: Int? {
        if case .character(let character) = self { character.wholeNumberValue } else { nil }
    }
}
