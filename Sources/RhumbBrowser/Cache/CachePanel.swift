internal import RhumbCore
internal import RhumbEngine

/// The inspector as it stands: which page, what is chosen, what is being asked.
public struct CachePanel: Equatable, Sendable {
    public enum Tab: Int, CaseIterable, Sendable { case overview = 1, sources, tiles, heat }

    /// What waits for a yes.
    enum Question: Equatable, Sendable { case delete, invalidate }

    public internal(set) var tab = Tab.overview
    var row = 0
    var selection = CacheSelection()
    var marked: Set<ResourceKey> = []
    /// Whether all that is known of the chosen entry is shown.
    var showsDetail = false
    var question: Question?
    /// The zoom whose tiles are drawn on the map, less the view's.
    var heatOffset = 0

    public init() {}
}

/// What the cache answered last.
struct CacheAnswers: Equatable, Sendable {
    var overview: CacheOverview?
    var items: [CacheItem] = []
    var heat: HeatMap?
    /// When it was last asked how full it is.
    var asked = Duration.seconds(-100)

    static let listLimit = 500
    /// While the inspector is open it asks again this often.
    static let pause = Duration.seconds(2)
}

extension Browser {
    var cachePanel: CachePanel? { if case .cache(let panel) = panel { panel } else { nil } }

    // MARK: Answers

    mutating func learn(_ overview: CacheOverview?) -> [Effect] {
        cache.overview = overview
        return []
    }

    mutating func learn(_ items: [CacheItem]) -> [Effect] {
        cache.items = items
        guard var panel = cachePanel else { return [] }
        panel.marked.formIntersection(items.map(\.key))
        panel.row = min(panel.row, max(items.count - 1, 0))
        self.panel = .cache(panel)
        return []
    }

    mutating func learn(_ heat: HeatMap) -> [Effect] {
        cache.heat = heat
        return []
    }

    /// After an act: what is shown is asked for anew.
    mutating func cacheChanged(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        let said: [Effect] =
            switch outcome {
            case .success(let words): say(words)
            case .failure(let problem): complain(problem.description)
            }
        return said + [.look] + cacheQuestions()
    }

    /// What the open page needs to know.
    mutating func cacheQuestions() -> [Effect] {
        guard let panel = cachePanel else { return [] }
        cache.asked = now
        let more: [Effect] =
            switch panel.tab {
            case .overview, .sources: []
            case .tiles: [.ask(.list(panel.selection, limit: CacheAnswers.listLimit))]
            case .heat: heatQuestion
            }
        return [.ask(.overview), .wake(after: CacheAnswers.pause)] + more
    }

    /// Asks again while the inspector stays open.
    mutating func refreshCache() -> [Effect] {
        guard let panel = cachePanel, panel.tab != .tiles, now - cache.asked >= CacheAnswers.pause else { return [] }
        return cacheQuestions()
    }

    // MARK: The map of the cache

    /// Whether what is kept is drawn on the map: in its page of the inspector, and beside regions.
    var showsHeat: Bool {
        switch panel {
        case .cache(let panel): panel.tab == .heat
        case .regions, .download: true
        default: false
        }
    }

    /// The zoom whose tiles are drawn.
    func heatZoom(of layer: TileLayer) -> Int {
        let range = layer.dataZooms, offset = cachePanel?.heatOffset ?? 0
        return min(max(layer.tileZoom(at: viewport.camera.zoom) + offset, range.lowerBound), range.upperBound)
    }

    private var heatQuestion: [Effect] {
        guard let base else { return [] }
        return [.ask(.spots(layer: base.id, zoom: heatZoom(of: base), box: viewport.box))]
    }

    /// The view moved: the map of what is kept needs the tiles that came in.
    mutating func followHeat() -> [Effect] {
        guard showsHeat, let base else { return [] }
        let zoom = heatZoom(of: base), heat = cache.heat
        let isKnown = heat?.layer == base.id && heat?.zoom == zoom && heat?.box == viewport.box
        return isKnown && cachePanel != nil ? [] : heatQuestion
    }
}
