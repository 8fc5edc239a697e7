internal import RhumbCore
internal import RhumbEngine

/// What keys do in the inspector.
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
        browser.cache.overview.expire()
        items.expire()
        return ask(&browser)
    }

    private mutating func pressInSources(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let rows = sourceRows(browser)
        if let row = key.row(from: row, of: rows.count, page: 10) {
            self.row = row
            return []
        }
        if key == .character("/") { return browser.ask(.sources(sourceFilter)) }
        guard rows.indices.contains(row) else { return nil }
        let chosen = rows[row]
        switch key {
        case .enter where !chosen.isDocuments:
            (selection.source, selection.zoom) = (chosen.source, chosen.zoom)
            return open(.tiles, &browser)
        case .character("x"):
            browser.panels.push(
                Confirmation(entry: entry, question: "Delete everything cached from \(chosen.source)? y/N") { _ in
                    [.act(.clear(source: chosen.source))]
                })
            return []
        default: return nil
        }
    }

    /// The sources with their zooms, as far as their names are wanted.
    func sourceRows(_ browser: Browser) -> [CacheSourceRow] {
        CacheSourceRow.list((browser.cache.overview.answer ?? nil)?.rows ?? [], filter: sourceFilter)
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
        case .enter: showsDetail.toggle()
        case .character(" "):
            if marked.remove(item.key) == nil { marked.insert(item.key) }
            row = min(row + 1, listed.count - 1)
        case .character("g"):
            guard let tile = item.tile else { return browser.say("A document has no place on the map") }
            return browser.fly(to: Camera(center: tile.center, zoom: Double(tile.zoom)))
        case .character("R"): return [.act(.refresh(chosen(item)))]
        case .character("I"): confirm("invalidate", CacheAct.invalidate, item, &browser)
        case .character("x"): confirm("delete", CacheAct.delete, item, &browser)
        default: return nil
        }
        return []
    }

    /// The marked entries, or the one under the cursor if none is.
    private func chosen(_ item: CacheItem) -> [ResourceKey] {
        marked.isEmpty ? [item.key] : listed.map(\.key).filter(marked.contains)
    }

    private func confirm(
        _ verb: String, _ act: @escaping @Sendable ([ResourceKey]) -> CacheAct, _ item: CacheItem, _ browser: inout Browser
    ) {
        let keys = chosen(item)
        let question = "\(verb) \(keys.count == 1 ? "it" : "these \(keys.count)")? y/N"
        browser.panels.push(
            Confirmation(entry: entry, question: question) { browser in
                browser.panels[CachePanel.self]?.marked = []
                return [.act(act(keys))]
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

    /// Lists what the words say.
    fileprivate mutating func filter(_ words: String, _ browser: inout Browser) throws(Notice.Problem) -> [Effect] {
        selection = try CacheSelection(words: words, order: selection.order)
        return open(.tiles, &browser)
    }
}

extension Prompt {
    /// What sources are to be listed.
    fileprivate static func sources(_ filter: String) -> Prompt {
        Prompt(label: "sources: ", example: "osm", line: LineEditor(filter), mayBeEmpty: true) {
            (browser, words) throws(Notice.Problem) in
            browser.panels[CachePanel.self]?.sourceFilter = words
            browser.panels[CachePanel.self]?.row = 0
            return []
        }
    }

    /// What entries are to be listed.
    fileprivate static func filter(_ selection: CacheSelection) -> Prompt {
        Prompt(
            label: "show: ", example: "osm  ·  z12  ·  stale  ·  osm z12 fresh", line: LineEditor(selection.words),
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
    /// The digit that was typed; nil for other keys.
    var digit: Int? {
        if case .character(let character) = self { character.wholeNumberValue } else { nil }
    }
}
