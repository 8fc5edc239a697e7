internal import RhumbCore
internal import RhumbEngine

/// The keys of the inspector.
extension CachePanel {
    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if let tab = key.digit.flatMap(CacheTab.init) { return open(tab, browser) }
        switch tab {
        case .overview: return nil
        case .sources: return key.move(&row, of: sourceRows(browser).count, page: 10) ? [] : nil
        case .tiles: return pressInTiles(key, browser)
        case .heat: return pressInHeat(key, browser)
        }
    }

    private mutating func open(_ tab: CacheTab, _ browser: Browser) -> [Action] {
        self.tab = tab
        row = 0
        showsDetail = false
        items.expire()
        return [.expireCacheOverview] + ask(browser)
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        let rows = sourceRows(browser)
        switch tab {
        case .sources where rows.indices.contains(row) && !rows[row].isDocuments:
            selection.source = rows[row].source
            selection.zoom = rows[row].zoom
            return open(.tiles, browser)
        case .tiles where listed.indices.contains(row):
            showsDetail.toggle()
            return []
        default: return nil
        }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        let rows = sourceRows(browser)
        switch tab {
        case .sources where rows.indices.contains(row):
            let source = rows[row].source
            let clear = Action.ask(CacheChange(act: .clear(source: source)))
            return [.push(.asking(CacheText.removal(of: source), entry, accept: clear))]
        case .tiles where listed.indices.contains(row):
            return confirm("Delete", CacheAct.delete, listed[row])
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

    private mutating func pressInTiles(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&row, of: listed.count, page: 10) { return [] }
        switch key {
        case .character("/"): return [.prompt(.filter(selection))]
        case .character("<"), .character(">"):
            selection.order = selection.order.next(key == .character(">") ? 1 : -1)
            return open(.tiles, browser)
        default: break
        }
        guard listed.indices.contains(row) else { return nil }
        return press(key, on: listed[row], browser)
    }

    private mutating func press(_ key: Key, on item: CacheItem, _ browser: Browser) -> [Action]? {
        switch key {
        case .character(" "):
            if marked.remove(item.key) == nil { marked.insert(item.key) }
            row = min(row + 1, listed.count - 1)
        case .character("g"):
            guard let tile = item.tile else { return [.say(CacheText.noPlace)] }
            return [.fly(to: Camera(center: tile.center, zoom: Double(tile.zoom)))]
        case .character("R"): return [.ask(CacheChange(act: .refresh(chosen(item))))]
        case .character("I"): return confirm(CacheText.invalidation, CacheAct.invalidate, item)
        default: return nil
        }
        return []
    }

    /// Returns the marked entries, or the entry under the cursor if none is marked.
    private func chosen(_ item: CacheItem) -> [ResourceKey] {
        marked.isEmpty ? [item.key] : listed.map(\.key).filter(marked.contains)
    }

    private func confirm(
        _ verb: String, _ act: ([ResourceKey]) -> CacheAct, _ item: CacheItem
    ) -> [Action] {
        let keys = chosen(item)
        let question = "\(verb) \(keys.count == 1 ? "this entry" : "these \(keys.count) entries")?"
        return [.push(.asking(question, entry, accept: .agreed, .ask(CacheChange(act: act(keys)))))]
    }

    /// Removes the marks of the entries that are changed.
    mutating func agree(_ browser: Browser) -> [Action] {
        marked = []
        return []
    }

    private mutating func pressInHeat(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .character("["): heatOffset = max(heatOffset - 1, -6)
        case .character("]"): heatOffset = min(heatOffset + 1, 6)
        default: return nil
        }
        return ask(browser)
    }

    /// Lists the entries that match the words.
    mutating func answer(_ words: String, _ browser: Browser) throws(Notice.Problem) -> [Action] {
        selection = try CacheSelection(words: words, order: selection.order)
        return open(.tiles, browser)
    }
}

extension Prompt {
    /// Returns the prompt for the filter.
    fileprivate static func filter(_ selection: CacheSelection) -> Prompt {
        Prompt(
            label: "show: ", example: "osm  ·  z12  ·  stale  ·  osm z12 fresh",
            line: LineEditor(selection.words),
            mayBeEmpty: true, owner: .panel)
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
