internal import RhumbCore
internal import RhumbEngine

/// The inspector of the shared cache: its size, sources, entries, and tiles on the map.
struct CachePanel: PromptPanel {
    var entry: PanelEntry { .cache }
    var tab = CacheTab.overview
    var row = 0
    var selection = CacheSelection()
    var items = Loadable<CacheSelection, [CacheItem]>()
    var marked: Set<ResourceKey> = []
    /// The filter of the sources page. The tiles page has a filter of its own.
    private var sourceFilter = "" { didSet { row = 0 } }
    var filter: String? {
        get { tab == .sources ? sourceFilter : nil }
        set { sourceFilter = newValue ?? "" }
    }
    /// True on the map page.
    var arrowsMoveMap: Bool { tab == .heat }
    /// True if the details of the selected entry are shown.
    var showsDetail = false
    /// The zoom of the tiles drawn on the map, relative to that of the view's tiles.
    var heatOffset = 0

    var listed: [CacheItem] { items.answer ?? [] }

    func heat(_ browser: Browser) -> HeatOverlay? { tab == .heat ? HeatOverlay(onlyPinned: false) : nil }

    mutating func close() -> Bool {
        defer { showsDetail = false }
        return !showsDetail
    }

    /// Refreshes the overview regularly, but not the list, whose rows would move under the cursor.
    mutating func ask(_ browser: Browser) -> [Action] {
        let list = CacheListQuery(selection: selection, limit: CacheAnswers.listLimit)
        switch tab {
        case .overview, .sources: return [.cacheOverview(tab)]
        case .tiles:
            return [.cacheOverview(tab)] + (items.ask(selection, at: browser.map.now) ? [.ask(list)] : [])
        case .heat: return [.cacheOverview(tab), .heat(offset: heatOffset)]
        }
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        guard let response = response[CacheListQuery.self],
            items.receive(response.value, to: response.query.selection)
        else { return [] }
        marked.formIntersection(response.value.map(\.key))
        row = min(row, max(response.value.count - 1, 0))
        return []
    }
}

extension PanelEntry {
    static let cache = PanelEntry("cache") { _ in [.expireCacheOverview, .show(CachePanel())] }
}

extension Browser {
    /// Shows the result of an action, and reads the cache again.
    mutating func cacheChanged(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        let said = report(outcome)
        stored.cache.overview.expire()
        panels[CachePanel.self]?.items.expire()
        return said + [.updateView] + askInPanels()
    }

    /// Queries the stored tiles of the base map in view.
    /// - Parameter offset: The difference between the zoom of the tiles and that of the view's tiles.
    mutating func askHeat(offset: Int = 0) -> [Effect] {
        guard let base else { return [] }
        let question = HeatQuestion(
            layer: base.id, zoom: heatZoom(of: base, offset: offset), box: map.viewport.box)
        guard stored.cache.heat.ask(question, at: map.now) else { return [] }
        return [.ask(question)]
    }

    /// Returns the zoom of the tiles to draw.
    func heatZoom(of layer: TileLayer, offset: Int) -> Int {
        let range = layer.dataZooms
        return min(
            max(layer.tileZoom(at: map.viewport.camera.zoom) + offset, range.lowerBound), range.upperBound)
    }
}

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

    /// Lists the entries that match the text.
    mutating func answer(_ text: String, _ browser: Browser) throws(Notice.Problem) -> [Action] {
        selection = try CacheSelection(text: text, order: selection.order)
        return open(.tiles, browser)
    }
}

extension Prompt {
    fileprivate static func filter(_ selection: CacheSelection) -> Prompt {
        Prompt(
            label: "show: ", example: "osm  ·  z12  ·  stale  ·  osm z12 fresh",
            line: LineEditor(selection.text),
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

/// A row of the sources page: a whole source, or one of its zooms.
struct CacheSourceRow {
    let source: String
    /// The zoom; nil for the whole source.
    let zoom: Int?
    let entries: Int
    let bytes: Int
    private let present: Int
    private let fresh: Int?
    /// True for documents, which have no zooms.
    let isDocuments: Bool

    private init(_ source: String, _ zoom: Int?, _ rows: [CacheOverview.Row]) {
        self.source = source
        self.zoom = zoom
        entries = rows.reduce(0) { $0 + $1.entries }
        bytes = rows.reduce(0) { $0 + $1.bytes }
        present = rows.reduce(0) { $0 + $1.entries - $1.absent }
        let counts = rows.compactMap(\.fresh)
        fresh = counts.count == rows.count ? counts.reduce(0, +) : nil
        isDocuments = rows.allSatisfy { $0.zoom < 0 }
    }

    /// Returns the sources with their zooms, largest source first.
    /// - Parameter isListed: Returns true for the names to list.
    static func list(_ rows: [CacheOverview.Row], _ isListed: (String) -> Bool) -> [CacheSourceRow] {
        let wanted = rows.filter { isListed($0.name) }
        let sources = Dictionary(grouping: wanted, by: \.name).map { CacheSourceRow($0.key, nil, $0.value) }
            .sorted { ($1.bytes, $0.source) < ($0.bytes, $1.source) }
        return sources.flatMap { source in
            let zooms = wanted.filter { $0.name == source.source && $0.zoom >= 0 }.sorted {
                $0.zoom < $1.zoom
            }
            return [source] + zooms.map { CacheSourceRow($0.name, $0.zoom, [$0]) }
        }
    }

    var title: String { zoom.map { "  z\($0)" } ?? source }

    /// The share of fresh entries, in percent; "…" while it is unknown.
    var freshText: String { fresh.map { present > 0 ? "\(100 * $0 / present) %" : "–" } ?? "…" }
}
