internal import RhumbCore
internal import RhumbEngine

/// The search for places: typing, choosing, going there.
extension Browser {
    var searchPanel: SearchPanel? { if case .search(let panel) = panel { panel } else { nil } }

    /// Opens the search, with words already typed or none.
    mutating func startSearch(_ words: String = "") -> [Effect] {
        if searchPanel == nil || !words.isEmpty { panel = .search(SearchPanel()) }
        var line = Prompt(kind: .search)
        line.line = LineEditor(words.isEmpty ? searchPanel?.answered ?? "" : words)
        prompt = line
        return searchAgain()
    }

    mutating func typeIntoSearch(_ key: Key, _ old: Prompt) -> [Effect] {
        var open = old
        switch key {
        case .escape: return endSearch()
        case .backspace where open.line.text.isEmpty: return endSearch()
        case .enter: return enter(open)
        case .tab:
            prompt = nil
            return []
        case .arrow(.down, _), .control("n"): return choose(by: 1)
        case .arrow(.up, _), .control("p"): return choose(by: -1)
        case .pageDown: return choose(by: 10)
        case .pageUp: return choose(by: -10)
        default: break
        }
        guard open.line.type(key) else { return [] }
        open.complaint = nil
        prompt = open
        return open.line.text == old.line.text ? [] : searchAgain()
    }

    /// What keys do in the list once Tab has left the line.
    mutating func pressInSearch(_ key: Key) -> [Effect]? {
        switch key {
        case .enter: return goToChosen()
        case .character("/"), .tab: return startSearch()
        default: return key.scroll(page: 10).map { choose(by: $0) }
        }
    }

    /// What was found; nothing if other words have been typed since.
    mutating func learn(
        _ found: Result<[PlaceMatch], Notice.Problem>, for words: String
    ) -> [Effect] {
        guard var panel = searchPanel, let line = prompt?.line, line.string.trimmed == words else { return [] }
        switch found {
        case .success(let matches):
            panel.matches = matches
            panel.answered = words
            panel.row = 0
            let isHurried = panel.isHurried && panel.chosen != nil
            panel.isHurried = false
            self.panel = .search(panel)
            return isHurried ? goToChosen() : []
        case .failure(let problem):
            prompt?.complaint = problem.description
            return []
        }
    }

    /// Goes to what is chosen, or as soon as it is known.
    private mutating func enter(_ open: Prompt) -> [Effect] {
        guard var panel = searchPanel else { return [] }
        if panel.answered == open.line.string.trimmed || panel.spot != nil {
            return panel.chosen == nil ? [] : answer(open)
        }
        panel.isHurried = true
        self.panel = .search(panel)
        return []
    }

    private mutating func searchAgain() -> [Effect] {
        guard var panel = searchPanel, let words = prompt?.line.string.trimmed else { return [] }
        let center = viewport.camera.coordinate
        panel.spot = try? PlaceText(words, near: center)
        panel.row = 0
        panel.isHurried = false
        if words.isEmpty {
            panel.matches = []
            panel.answered = ""
        }
        self.panel = .search(panel)
        return words.isEmpty ? [] : [.searchPlaces(words, near: center)]
    }

    private mutating func choose(by step: Int) -> [Effect] {
        guard var panel = searchPanel else { return [] }
        panel.row = min(max(panel.row + step, 0), max(panel.count - 1, 0))
        self.panel = .search(panel)
        return []
    }

    private mutating func endSearch() -> [Effect] {
        prompt = nil
        panel = nil
        return []
    }

    mutating func goToChosen() -> [Effect] {
        guard let choice = searchPanel?.chosen else { return [] }
        _ = endSearch()
        pointer = nil
        centerMarkUntil = now + Notice.life
        switch choice {
        case .spot(let spot): return fly(to: spot.camera(on: viewport)) + [.wake(after: Notice.life)]
        case .place(let place):
            let words = [place.name, place.whereabouts].filter { !$0.isEmpty }.joined(separator: ", ")
            return fly(to: camera(over: place)) + say(words)
        }
    }

    private func camera(over place: NamedPlace) -> Camera {
        let here = viewport.with(Camera(center: place.coordinate, zoom: 0))
        let camera = here.camera(widthInMetres: place.viewWidth)
        return camera.zoomed(to: min(camera.zoom, closestUsefulZoom))
    }

    /// Farther in than this the base map is only enlarged.
    private var closestUsefulZoom: Double {
        guard let base else { return Camera.zoomRange.upperBound }
        return Double(base.sourceZooms.upperBound - base.tileSize.zoomOffset) + 2
    }
}
