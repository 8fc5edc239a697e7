internal import RhumbCore
internal import RhumbEngine

/// The inspector of the shared cache: how full it is, of what, what is kept, and where on the map.
struct CachePanel: Panel {
    enum Tab: Int, CaseIterable, Sendable { case overview = 1, sources, tiles, heat }

    var entry: PanelEntry { .cache }
    var tab = Tab.overview
    var row = 0
    var selection = CacheSelection()
    var items = Inquiry<CacheSelection, [CacheItem]>()
    var marked: Set<ResourceKey> = []
    /// The filter of the page of sources; the page of tiles has its own words.
    private var sourceFilter = "" { didSet { row = 0 } }
    var filter: String? {
        get { tab == .sources ? sourceFilter : nil }
        set { sourceFilter = newValue ?? "" }
    }
    /// On the page of the map, arrows move the map.
    var arrowsMoveMap: Bool { tab == .heat }
    /// Whether all that is known of the chosen entry is shown.
    var showsDetail = false
    /// The zoom whose tiles are drawn on the map, less the view's.
    var heatOffset = 0

    var listed: [CacheItem] { items.answer ?? [] }

    func heat(_ browser: Browser) -> HeatOverlay? { tab == .heat ? HeatOverlay(onlyPinned: false) : nil }

    mutating func close() -> Bool {
        defer { showsDetail = false }
        return !showsDetail
    }

    /// How full the cache is is asked again and again, but for the list, whose rows would change
    /// under the cursor.
    mutating func ask(_ browser: inout Browser) -> [Effect] {
        var effects: [Effect] = []
        if browser.cache.overview.ask(
            tab, at: browser.now, lifetime: tab == .tiles ? nil : CacheAnswers.lifetime)
        {
            if tab == .heat { browser.cache.heat.expire() }
            effects = [.ask(.overview), .wake(after: CacheAnswers.lifetime)]
        }
        if tab == .tiles, items.ask(selection, at: browser.now) {
            effects.append(.ask(.list(selection, limit: CacheAnswers.listLimit)))
        }
        return tab == .heat ? effects + browser.askHeat(offset: heatOffset) : effects
    }

    mutating func learn(_ event: Event, _ browser: inout Browser) -> [Effect] {
        guard case .cacheItems(let list, let selection) = event, items.learn(list, to: selection) else {
            return []
        }
        marked.formIntersection(list.map(\.key))
        row = min(row, max(list.count - 1, 0))
        return []
    }
}

extension PanelEntry {
    static let cache = PanelEntry("cache") { browser in
        browser.cache.overview.expire()
        return browser.show(CachePanel())
    }
}

/// What the cache answered last.
struct CacheAnswers: Sendable {
    /// How full the cache is, asked by the page that shows it; nil: there is no cache.
    var overview = Inquiry<CachePanel.Tab, CacheOverview?>()
    var heat = Inquiry<HeatQuestion, HeatMap>()

    static let listLimit = 500
    /// While the inspector is open it asks again this often.
    static let lifetime = Duration.seconds(2)
}

/// Which tiles of a layer are kept at a zoom, within a part of the world?
struct HeatQuestion: Equatable, Sendable {
    let layer: TileLayer.ID
    let zoom: Int
    let box: WorldBox
}

/// How the map of what is kept lies over the picture.
struct HeatOverlay {
    /// Only what regions hold, not all that is kept.
    let onlyPinned: Bool
}

extension Browser {
    mutating func learn(_ overview: CacheOverview?) -> [Effect] {
        if let asked = cache.overview.asked { cache.overview.learn(overview, to: asked) }
        return []
    }

    mutating func learn(_ heat: HeatMap) -> [Effect] {
        cache.heat.learn(heat, to: HeatQuestion(layer: heat.layer, zoom: heat.zoom, box: heat.box))
        return []
    }

    /// After an act: what is shown is asked for anew.
    mutating func cacheChanged(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        let said: [Effect] =
            switch outcome {
            case .success(let words): say(words)
            case .failure(let problem): complain(problem.description)
            }
        cache.overview.expire()
        panels[CachePanel.self]?.items.expire()
        return said + [.look] + askInPanels()
    }

    /// Asks which tiles of the base map in view are kept.
    /// - Parameter offset: of their zoom, from the view's.
    mutating func askHeat(offset: Int = 0) -> [Effect] {
        guard let base else { return [] }
        let question = HeatQuestion(
            layer: base.id, zoom: heatZoom(of: base, offset: offset), box: viewport.box)
        guard cache.heat.ask(question, at: now) else { return [] }
        return [.ask(.spots(layer: question.layer, zoom: question.zoom, box: question.box))]
    }

    /// The zoom whose tiles are drawn.
    func heatZoom(of layer: TileLayer, offset: Int) -> Int {
        let range = layer.dataZooms
        return min(max(layer.tileZoom(at: viewport.camera.zoom) + offset, range.lowerBound), range.upperBound)
    }
}
