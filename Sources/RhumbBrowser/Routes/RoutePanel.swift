internal import RhumbCore
internal import RhumbEngine

/// The route beside the map: start and destination, then the instructions step by step.
struct RoutePanel: Panel {
    var entry: PanelEntry { .route }
    /// The field with the cursor; nil for none.
    private(set) var field: Field?
    private(set) var found = Loadable<MapSearchQuery, SearchResult>()
    /// The selected row of the search results.
    private(set) var row = 0
    /// The selected row of the stored routes.
    private(set) var keptRow = 0
    private(set) var earlyEnter = PendingEnter()
    /// True if the profile opens as soon as its heights are known. The next key ends this.
    private(set) var awaitsProfile = false

    enum Field: Sendable { case from, via, to }

    init() {}

    var matches: [SearchMatch] { found.answer?.matches ?? [] }

    /// True while Enter waits for the result of a search.
    var isFindingPlace: Bool { field != nil && earlyEnter.isPressed }

    mutating func close() -> Bool { true }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        awaitsProfile = false
        if key == .escape, let effects = browser.cancelRoute() { return effects }
        if let effects = pressForPlaces(key, &browser) { return effects }
        guard browser.route.found != nil else { return pressInForm(key, &browser) }
        switch key {
        case .tab: return browser.chooseRoute(by: 1)
        case .character("w"):
            browser.route.step = nil
            return browser.flyToRoute()
        case .character("P"):
            awaitsProfile = true
            return browser.showRouteProfile()
        case .character("d"): return browser.downloadRoute()
        default:
            let count = browser.route.route?.steps.count ?? 0
            // The first key down shows the first step.
            guard let row = key.row(from: browser.route.step ?? -1, of: count, page: 10) else { return nil }
            return browser.walk(to: row)
        }
    }

    /// Handles keys that change the request; each requests a new route.
    private mutating func pressForPlaces(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .character("t"): return start(.to, "", &browser)
        case .character("f"): return start(.from, "", &browser)
        case .character("v"): return start(.via, "", &browser)
        case .character("T"): return browser.setStop(.to, browser.stopHere)
        case .character("F"): return browser.setStop(.from, browser.stopHere)
        case .character("V"): return browser.setStop(.via, browser.stopHere)
        case .character("z"): return browser.removeVia()
        case .character("b"): return browser.turnRouteRound()
        case .character("m"): return browser.changeRouteMode()
        case .character("1"): return browser.toggle(.tolls)
        case .character("2"): return browser.toggle(.motorways)
        case .character("3"): return browser.toggle(.ferries)
        case .character("a"): return browser.askRouteFromPosition()
        default: return nil
        }
    }

    private mutating func pressInForm(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let count = offers(browser)?.count ?? browser.route.kept.count
        guard let row = key.row(from: keptRow, of: count, page: 5) else { return nil }
        keptRow = row
        return []
    }

    mutating func act(_ browser: inout Browser) -> [Effect]? {
        let plan = browser.route
        if plan.found != nil { return browser.walk(to: plan.step ?? 0) }
        if let offers = offers(browser), offers.indices.contains(keptRow) {
            browser.route.engines = [offers[keptRow].id]
            return browser.askRoute()
        }
        if plan.request != nil { return browser.askRoute() }
        return plan.kept.indices.contains(keptRow) ? browser.show(plan.kept[keptRow]) : nil
    }

    /// The engines to choose from, because none is configured; nil if that is not the problem.
    func offers(_ browser: Browser) -> [ServiceOffer]? {
        guard browser.route.asked == nil, browser.route.problem == .noEngine, !browser.route.offers.isEmpty
        else { return nil }
        return browser.route.offers
    }

    mutating func remove(_ browser: inout Browser) -> [Effect]? {
        browser.route.found == nil ? nil : browser.forgetRoute()
    }

    func copied(_ browser: Browser) -> String {
        let text = text(browser, Scene(layers: []))
        return text.title + "\n" + text.plain
    }

    // MARK: Typing a place

    /// Opens a field for a place.
    mutating func start(_ field: Field, _ words: String, _ browser: inout Browser) -> [Effect] {
        self.field = field
        found = Loadable()
        row = 0
        earlyEnter = PendingEnter()
        browser.input.prompt = .routePlace(field, words)
        return search(browser)
    }

    fileprivate mutating func search(_ browser: Browser) -> [Effect] {
        row = 0
        earlyEnter = PendingEnter()
        guard let words = browser.input.prompt?.line.string.trimmed, !words.isEmpty else {
            found = Loadable()
            return []
        }
        let query = MapSearchQuery(
            words, near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
        return found.ask(query, at: browser.map.now) ? [.ask(SearchMap(query: query))] : []
    }

    /// Repeats the search while the user types a place and the search index grows.
    mutating func ask(_ browser: inout Browser) -> [Effect] {
        guard field != nil, let query = found.asked, let answer = found.current, answer.indexedShare < 1
        else { return [] }
        return earlyEnter.searchAgain(query, in: &found, at: browser.map.now)
    }

    fileprivate mutating func pressInLine(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .escape:
            browser.input.prompt = nil
            field = nil
        case .arrow(.down, _): row = min(row + 1, max(matches.count - 1, 0))
        case .arrow(.up, _): row = max(row - 1, 0)
        default: return nil
        }
        return []
    }

    /// Uses the typed place: coordinates directly, a name through the gazetteer.
    mutating func take(_ words: String, _ browser: inout Browser) throws(Notice.Problem) -> [Effect] {
        guard let field else { return [] }
        if let spot = try? ParsedLocation(words, near: browser.map.viewport.camera.coordinate) {
            self.field = nil
            return browser.setStop(field, browser.stop(at: spot.coordinate))
        }
        guard found.answered?.text == words else {
            earlyEnter.press(at: browser.map.now)
            return []
        }
        guard matches.indices.contains(row) else { throw Notice.Problem(RoutesText.noMatch) }
        return take(matches[row], as: field, &browser)
    }

    private mutating func take(_ match: SearchMatch, as field: Field, _ browser: inout Browser) -> [Effect] {
        self.field = nil
        browser.input.prompt = nil
        return browser.setStop(
            field, RouteStop(place: match.coordinate, name: match.title(in: browser.map.settings)))
    }

    mutating func receive(
        _ answer: Result<SearchResult, Notice.Problem>, to query: MapSearchQuery, _ browser: inout Browser
    ) -> [Effect] {
        guard found.asked == query else { return [] }
        guard case .success(let result) = answer else {
            earlyEnter = PendingEnter()
            if case .failure(let problem) = answer { return browser.complain(problem.description) }
            return []
        }
        if found.answered != query { row = 0 }
        found.receive(result, to: query)
        return takeEarly(result, query, &browser)
            ?? (result.indexedShare < 1 ? [.wake(after: earlyEnter.pace)] : [])
    }

    /// Uses the first match if Enter was pressed before the results arrived. If that fails, the field stays
    /// open.
    /// - Returns: Nil if nothing is used.
    private mutating func takeEarly(
        _ result: SearchResult, _ query: MapSearchQuery, _ browser: inout Browser
    ) -> [Effect]? {
        guard earlyEnter.isPressed, let field else { return nil }
        if earlyEnter.finds(result, query, at: browser.map.now) {
            guard let first = result.matches.first else { return browser.complain(RoutesText.noMatch) }
            return take(first, as: field, &browser)
        }
        if !earlyEnter.isPressed, browser.panels.top is RoutePanel {
            browser.input.prompt = .routePlace(field, query.text)
        }
        return nil
    }
}

extension PanelEntry {
    static let route = PanelEntry("route") { $0.startRoute() }
}

extension Prompt {
    fileprivate static func routePlace(_ field: RoutePanel.Field, _ words: String) -> Prompt {
        @Sendable func inPanel<Outcome>(
            _ browser: inout Browser, _ body: (inout RoutePanel, inout Browser) -> Outcome
        ) -> Outcome? {
            guard var panel = browser.panels[RoutePanel.self] else { return nil }
            defer { browser.panels[RoutePanel.self] = panel }
            return body(&panel, &browser)
        }
        return Prompt(
            label: field.label, example: "Nice  ·  43.7032,7.2783  ·  9G8F+5W Zurich",
            line: LineEditor(words),
            press: { browser, key in inPanel(&browser) { $0.pressInLine(key, &$1) } ?? nil },
            follow: { browser in inPanel(&browser) { $0.search($1) } ?? [] },
            answer: { (browser, words) throws(Notice.Problem) in
                guard var panel = browser.panels[RoutePanel.self] else { return [] }
                let effects = try panel.take(words.trimmed, &browser)
                browser.panels[RoutePanel.self] = panel
                return effects
            })
    }
}

extension RoutePanel.Field {
    fileprivate var label: String {
        switch self {
        case .from: "from: "
        case .via: "via: "
        case .to: "to: "
        }
    }
}
