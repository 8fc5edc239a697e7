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
