public import RhumbCore
public import RhumbEngine

/// The inspector of the shared cache: its size, sources, entries, and tiles on the map.
struct CachePanel: Panel {
    enum Tab: Int, CaseIterable, Sendable { case overview = 1, sources, tiles, heat }

    var entry: PanelEntry { .cache }
    var tab = Tab.overview
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
    mutating func ask(_ browser: inout Browser) -> [Effect] {
        var effects: [Effect] = []
        if browser.stored.cache.overview.ask(
            tab, at: browser.map.now, lifetime: tab == .tiles ? nil : CacheAnswers.lifetime)
        {
            if tab == .heat { browser.stored.cache.heat.expire() }
            effects = [.ask(CacheOverviewQuery()), .wake(after: CacheAnswers.lifetime)]
        }
        if tab == .tiles, items.ask(selection, at: browser.map.now) {
            effects.append(.ask(CacheListQuery(selection: selection, limit: CacheAnswers.listLimit)))
        }
        return tab == .heat ? effects + browser.askHeat(offset: heatOffset) : effects
    }

    mutating func receive(_ list: [CacheItem], of selection: CacheSelection) -> [Effect] {
        guard items.receive(list, to: selection) else { return [] }
        marked.formIntersection(list.map(\.key))
        row = min(row, max(list.count - 1, 0))
        return []
    }
}

extension PanelEntry {
    static let cache = PanelEntry("cache") { browser in
        browser.stored.cache.overview.expire()
        return browser.show(CachePanel())
    }
}

/// The last responses of the cache.
struct CacheAnswers: Sendable {
    /// The overview, requested by the page that shows it; nil if there is no cache.
    var overview = Loadable<CachePanel.Tab, CacheOverview?>()
    var heat = Loadable<HeatQuestion, HeatMap>()

    static let listLimit = 500
    /// The interval of updates while the inspector is open.
    static let lifetime = Duration.seconds(2)
}

/// A query for the stored tiles of a layer at a zoom, within an area.
public struct HeatQuestion: Query {
    /// The layer.
    public let layer: TileLayer.ID
    /// The zoom of the tiles.
    public let zoom: Int
    /// The part of the world.
    public let box: WorldBox

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    /// Draws the tiles on the map.
    public func receive(_ heat: HeatMap, in browser: inout Browser) -> [Effect] {
        browser.stored.cache.heat.receive(heat, to: self)
        return []
    }
}

/// A query that changes entries of the shared cache.
public struct CacheChange: Query {
    /// The action.
    public let act: CacheAct

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    /// Shows the result, and reads the cache again.
    public func receive(_ outcome: Result<String, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        browser.cacheChanged(outcome)
    }
}

/// A query for the figures of the shared cache.
public struct CacheOverviewQuery: Query {
    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    /// - Parameter overview: The figures; nil if there is no cache.
    public func receive(_ overview: CacheOverview?, in browser: inout Browser) -> [Effect] {
        if let asked = browser.stored.cache.overview.asked {
            browser.stored.cache.overview.receive(overview, to: asked)
        }
        return []
    }
}

/// A query for entries of the shared cache.
public struct CacheListQuery: Query {
    /// The filter and order of the entries.
    public let selection: CacheSelection
    /// The maximum number of entries listed.
    public let limit: Int

    /// All reads and changes of the cache run in order.
    public static var scheduling: QueryScheduling { .inOrder("cache") }

    /// Lists the entries.
    public func receive(_ list: [CacheItem], in browser: inout Browser) -> [Effect] {
        browser.withEach(CachePanel.self) { panel, _ in panel.receive(list, of: selection) }
    }
}

/// The display of stored tiles over the map.
struct HeatOverlay {
    /// True if only tiles of regions are shown.
    let onlyPinned: Bool
}

extension Browser {
    /// Shows the result of an action, and reads the cache again.
    mutating func cacheChanged(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        let said: [Effect] =
            switch outcome {
            case .success(let words): say(words)
            case .failure(let problem): complain(problem.description)
            }
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
