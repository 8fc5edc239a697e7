internal import RhumbCore
internal import RhumbEngine

/// The route beside the map: start and destination, then the instructions step by step.
struct RoutePanel: PromptPanel {
    var entry: PanelEntry { .route }
    /// The field with the cursor; nil for none.
    private(set) var field: RouteField?
    private(set) var found = Loadable<MapSearchQuery, SearchResult>()
    /// The selected row of the search results.
    private(set) var row = 0
    /// The selected row of the stored routes.
    private(set) var storedRow = 0
    private(set) var earlyEnter = PendingEnter()
    /// True if the profile opens as soon as its heights are known. The next key ends this.
    private(set) var awaitsProfile = false

    var matches: [SearchMatch] { found.answer?.matches ?? [] }

    /// True while Enter waits for the result of a search.
    var isFindingPlace: Bool { field != nil && earlyEnter.isPressed }

    mutating func close() -> Bool { true }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        awaitsProfile = false
        if key == .escape, let actions = browser.cancellingRoute() { return actions }
        if let actions = pressForPlaces(key, browser) { return actions }
        guard browser.route.found != nil else { return pressInForm(key, browser) }
        switch key {
        case .tab: return browser.choosingRoute(by: 1)
        case .character("w"):
            var plan = browser.route
            plan.step = nil
            return [.route(plan)] + browser.flyingToRoute()
        case .character("P"):
            awaitsProfile = true
            return browser.showingRouteProfile()
        case .character("d"): return browser.downloadingRoute()
        default:
            let count = browser.route.route?.steps.count ?? 0
            // The first key down shows the first step.
            guard let row = key.row(from: browser.route.step ?? -1, of: count, page: 10) else { return nil }
            return browser.walkingRoute(to: row)
        }
    }

    /// Handles keys that change the request; each requests a new route.
    private mutating func pressForPlaces(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .character("t"): return start(.to, "", browser)
        case .character("f"): return start(.from, "", browser)
        case .character("v"): return start(.via, "", browser)
        case .character("T"): return browser.planningRoute { $0.set(.to, browser.stopHere) }
        case .character("F"): return browser.planningRoute { $0.set(.from, browser.stopHere) }
        case .character("V"): return browser.planningRoute { $0.set(.via, browser.stopHere) }
        case .character("z"): return browser.removingVia()
        case .character("b"): return browser.planningRoute { $0.turnRound() }
        case .character("m"): return browser.changingRouteMode()
        case .character("1"): return browser.toggling(.tolls)
        case .character("2"): return browser.toggling(.motorways)
        case .character("3"): return browser.toggling(.ferries)
        case .character("a"): return browser.planningRouteFromPosition()
        default: return nil
        }
    }

    private mutating func pressInForm(_ key: Key, _ browser: Browser) -> [Action]? {
        let count = offers(browser)?.count ?? browser.route.stored.count
        return key.move(&storedRow, of: count, page: 5) ? [] : nil
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        let plan = browser.route
        if plan.found != nil { return browser.walkingRoute(to: plan.step ?? 0) }
        if let offers = offers(browser), offers.indices.contains(storedRow) {
            return browser.planningRoute { $0.engines = [offers[storedRow].id] }
        }
        if plan.request != nil { return [.askRoute()] }
        return plan.stored.indices.contains(storedRow) ? [.showRoute(plan.stored[storedRow])] : nil
    }

    /// The engines to choose from, because none is configured or the network is off; nil if that is not the
    /// problem.
    func offers(_ browser: Browser) -> [ServiceOffer]? {
        guard browser.route.asked == nil, browser.route.problem?.leavesChoice == true,
            !browser.route.offers.isEmpty
        else { return nil }
        return browser.route.offers
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        browser.route.found == nil ? nil : browser.forgettingRoute()
    }

    func copied(_ browser: Browser) -> String {
        let text = text(browser, Scene(layers: []))
        return text.title + "\n" + text.plain
    }

    // MARK: Typing a place

    /// Returns the actions that open the panel, and its input field if there is no route yet.
    static func opening(_ browser: Browser) -> [Action] {
        guard browser.route.found == nil else { return [.show(RoutePanel())] }
        var browser = browser, panel = RoutePanel()
        if browser.route.from == nil { browser.startRouteHere() }
        let actions = panel.start(.to, "", browser)
        return panel.opening(browser.route, actions)
    }

    /// Returns the actions that open the panel and request the route to a place, as if the user had typed it
    /// there. After another route, this is a new one from here.
    static func opening(to text: String, _ browser: Browser) throws(Notice.Problem) -> [Action] {
        var browser = browser, panel = RoutePanel()
        if browser.route.from == nil || browser.route.startsHere || browser.route.found != nil {
            browser.startRouteHere()
            browser.route.via = []
        }
        var actions = panel.start(.to, text, browser)
        actions += try panel.answer(text, browser)
        return panel.opening(browser.route, actions)
    }

    private func opening(_ plan: RoutePlan, _ actions: [Action]) -> [Action] {
        [.route(plan), .show(self)] + actions
            + (field == nil ? [.prompt(nil)] : []) + [.ask(StoredRoutesQuery()), .ask(RouteEnginesQuery())]
    }

    /// Opens a field for a place.
    private mutating func start(_ field: RouteField, _ text: String, _ browser: Browser) -> [Action] {
        self.field = field
        found = Loadable()
        return [.prompt(.routePlace(field, text))] + promptChanged(text.trimmed, browser)
    }

    mutating func promptChanged(_ text: String, _ browser: Browser) -> [Action] {
        row = 0
        earlyEnter = PendingEnter()
        guard !text.isEmpty else {
            found = Loadable()
            return []
        }
        let query = MapSearchQuery(
            text, near: browser.map.viewport.camera.coordinate, limit: Browser.searchLimit)
        return found.ask(query, at: browser.map.now) ? [.ask(SearchMap(query: query))] : []
    }

    /// Repeats the search while the user types a place and the search index grows.
    mutating func ask(_ browser: Browser) -> [Action] {
        guard field != nil, let query = found.asked, let answer = found.current, answer.indexedShare < 1
        else { return [] }
        return earlyEnter.searchAgain(query, in: &found, at: browser.map.now)
    }

    mutating func pressInPrompt(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .escape:
            field = nil
            return [.prompt(nil)]
        case .arrow(.down, _): row = min(row + 1, max(matches.count - 1, 0))
        case .arrow(.up, _): row = max(row - 1, 0)
        default: return nil
        }
        return []
    }

    /// Uses the typed place: coordinates directly, a name through the gazetteer.
    mutating func answer(_ text: String, _ browser: Browser) throws(Notice.Problem) -> [Action] {
        guard let field else { return [] }
        if let spot = try? ParsedLocation(text, near: browser.map.viewport.camera.coordinate) {
            self.field = nil
            return browser.planningRoute { $0.set(field, browser.stop(at: spot.coordinate)) }
        }
        guard found.answered?.text == text else {
            earlyEnter.press(at: browser.map.now)
            return []
        }
        guard matches.indices.contains(row) else { throw Notice.Problem(RoutesText.noMatch) }
        return take(matches[row], as: field, browser)
    }

    private mutating func take(_ match: SearchMatch, as field: RouteField, _ browser: Browser) -> [Action] {
        self.field = nil
        let stop = RouteStop(place: match.coordinate, name: match.title(in: browser.map.settings))
        return [.prompt(nil)] + browser.planningRoute { $0.set(field, stop) }
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        guard let response = response[SearchMap.self], found.asked == response.query.query else { return [] }
        let query = response.query.query
        switch response.value {
        case .failure(let problem):
            earlyEnter = PendingEnter()
            return [.complain(problem.description)]
        case .success(let result):
            if found.answered != query { row = 0 }
            found.receive(result, to: query)
            return takeEarly(result, query, browser) ?? wake(after: result)
        }
    }

    /// Returns the action that repeats the search while the index grows.
    private func wake(after result: SearchResult) -> [Action] {
        result.indexedShare < 1 ? [.effect(.wake(after: earlyEnter.pace))] : []
    }

    /// Uses the first match if Enter was pressed before the results arrived. If that fails, the field stays
    /// open.
    /// - Returns: Nil if nothing is used.
    private mutating func takeEarly(
        _ result: SearchResult, _ query: MapSearchQuery, _ browser: Browser
    ) -> [Action]? {
        guard earlyEnter.isPressed, let field else { return nil }
        if earlyEnter.finds(result, query, at: browser.map.now) {
            guard let first = result.matches.first else { return [.complain(RoutesText.noMatch)] }
            return take(first, as: field, browser)
        }
        if !earlyEnter.isPressed, browser.panels.top is RoutePanel {
            return [.prompt(.routePlace(field, query.text))] + wake(after: result)
        }
        return nil
    }
}

extension PanelEntry {
    static let route = PanelEntry("route") { RoutePanel.opening($0) }
}

extension Prompt {
    fileprivate static func routePlace(_ field: RouteField, _ text: String) -> Prompt {
        Prompt(
            label: field.label, example: "Nice  ·  43.7032,7.2783  ·  9G8F+5W Zurich",
            line: LineEditor(text), owner: .panel)
    }
}

extension RouteFailure {
    /// True if the user can choose another engine.
    var leavesChoice: Bool {
        if case .offline = self { true } else { self == .noEngine }
    }
}

extension RouteField {
    fileprivate var label: String {
        switch self {
        case .from: "from: "
        case .via: "via: "
        case .to: "to: "
        }
    }
}
