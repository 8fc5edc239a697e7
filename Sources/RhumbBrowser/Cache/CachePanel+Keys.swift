internal import RhumbCore
internal import RhumbEngine

/// What keys do in the inspector.
extension Browser {
    mutating func pressInCache(_ key: Key, _ old: CachePanel) -> [Effect]? {
        var panel = old
        defer { if self.panel == .cache(old) { self.panel = .cache(panel) } }
        if let question = panel.question { return answer(question, key, &panel) }
        if let tab = key.digit.flatMap(CachePanel.Tab.init) { return open(tab, &panel) }
        switch panel.tab {
        case .overview: return nil
        case .sources: return pressInSources(key, &panel)
        case .tiles: return pressInTiles(key, &panel)
        case .heat: return pressInHeat(key, &panel)
        }
    }

    private mutating func open(_ tab: CachePanel.Tab, _ panel: inout CachePanel) -> [Effect] {
        panel.tab = tab
        panel.row = 0
        panel.showsDetail = false
        self.panel = .cache(panel)
        return cacheQuestions()
    }

    private mutating func pressInSources(_ key: Key, _ panel: inout CachePanel) -> [Effect]? {
        let rows = cache.overview?.rows ?? []
        if let step = key.scroll(page: 10) {
            panel.row = min(max(panel.row + step, 0), max(rows.count - 1, 0))
            return []
        }
        guard key == .enter, rows.indices.contains(panel.row), rows[panel.row].zoom >= 0 else { return nil }
        panel.selection.source = rows[panel.row].name
        panel.selection.zoom = rows[panel.row].zoom
        return open(.tiles, &panel)
    }

    private mutating func pressInTiles(_ key: Key, _ panel: inout CachePanel) -> [Effect]? {
        if let step = key.scroll(page: 10) {
            panel.row = min(max(panel.row + step, 0), max(cache.items.count - 1, 0))
            return []
        }
        switch key {
        case .character("/"):
            prompt = Prompt(kind: .cacheFilter)
            prompt?.line = LineEditor(panel.selection.words)
            return []
        case .character("<"), .character(">"):
            panel.selection.order = panel.selection.order.next(key == .character(">") ? 1 : -1)
            return open(.tiles, &panel)
        default: break
        }
        guard cache.items.indices.contains(panel.row) else { return nil }
        return press(key, on: cache.items[panel.row], &panel)
    }

    private mutating func press(_ key: Key, on item: CacheItem, _ panel: inout CachePanel) -> [Effect]? {
        switch key {
        case .enter: panel.showsDetail.toggle()
        case .character(" "):
            if panel.marked.remove(item.key) == nil { panel.marked.insert(item.key) }
            panel.row = min(panel.row + 1, cache.items.count - 1)
        case .character("g"):
            guard let tile = item.tile else { return say("a document has no place on the map") }
            return fly(to: Camera(center: tile.center, zoom: Double(tile.zoom)))
        case .character("R"): return [.act(.refresh(chosen(item, panel)))]
        case .character("I"): panel.question = .invalidate
        case .character("x"): panel.question = .delete
        default: return nil
        }
        return []
    }

    private func chosen(_ item: CacheItem, _ panel: CachePanel) -> [ResourceKey] {
        panel.marked.isEmpty ? [item.key] : cache.items.map(\.key).filter(panel.marked.contains)
    }

    private mutating func answer(
        _ question: CachePanel.Question, _ key: Key, _ panel: inout CachePanel
    ) -> [Effect] {
        panel.question = nil
        guard key == .character("y"), cache.items.indices.contains(panel.row) else { return [] }
        let keys = chosen(cache.items[panel.row], panel)
        panel.marked = []
        return [.act(question == .delete ? .delete(keys) : .invalidate(keys))]
    }

    private mutating func pressInHeat(_ key: Key, _ panel: inout CachePanel) -> [Effect]? {
        switch key {
        case .character("["): panel.heatOffset = max(panel.heatOffset - 1, -6)
        case .character("]"): panel.heatOffset = min(panel.heatOffset + 1, 6)
        default: return nil
        }
        self.panel = .cache(panel)
        return followHeat()
    }

    /// What was typed after "/".
    mutating func filterCache(_ words: String) throws(Notice.Problem) -> [Effect] {
        guard var panel = cachePanel else { return [] }
        panel.selection = try CacheSelection(words: words, order: panel.selection.order)
        return open(.tiles, &panel)
    }
}

extension CacheSelection.Order {
    func next(_ step: Int) -> Self {
        let all = Self.allCases, at = all.firstIndex(of: self) ?? 0
        return all[(at + step + all.count) % all.count]
    }
}

extension Key {
    var digit: Int? {
        if case .character(let character) = self { character.wholeNumberValue } else { nil }
    }
}
