internal import RhumbCore
internal import RhumbEngine

/// The search panel, with the results for the text on the bottom line.
struct SearchPanel: PromptPanel {
    var entry: PanelEntry { .search }
    /// The location that the text specifies, such as coordinates or a link; nil for a name.
    private(set) var spot: ParsedLocation?
    private(set) var found = Loadable<MapSearchQuery, SearchResult>()
    /// The search on the web.
    private(set) var online = OnlineSearch()
    /// The query, once its local result is known.
    var settled: MapSearchQuery? { found.current != nil || problem != nil ? found.asked : nil }
    /// The listed results, local and online.
    private(set) var shown: SearchResult?
    /// The features of overlays whose names match.
    private(set) var own: [OverlayMatch] = []
    private var awaited: OverlayNamesQuery?
    /// The selected row. The rows are the spot, if there is one, the overlay features and the matches. -1
    /// while a growing index has no match, so that no offer is selected.
    private(set) var row = 0
    /// The reason why the text can't be searched.
    private(set) var problem: String?
    /// The area of the search.
    private(set) var extent = SearchExtent.everywhere
    private(set) var earlyEnter = PendingEnter()
    /// True while the streets of the view are fetched.
    private(set) var isFetching = false
    /// The view whose streets were fetched last; nil for none.
    private var fetchedView: Bounds?

    var matches: [SearchMatch] { shown?.matches ?? [] }

    /// True if matches may still follow, because the index grows.
    var isIndexing: Bool { found.current.map { $0.indexedShare < 1 } ?? false }

    /// The results that are marked on the map.
    var marks: SearchMarkers { SearchMarkers(matches, chosen: row - first) }

    /// Returns the number of selectable lines.
    private func count(_ browser: Browser) -> Int {
        first + matches.count + (offersView(browser) ? 1 : 0)
            + (online.offer(settled, browser) == nil ? 0 : 1)
    }

    /// The row of the first match.
    private var first: Int { own.count + (spot == nil ? 0 : 1) }

    /// Returns the selected result.
    private func chosen(_ browser: Browser) -> Choice? {
        if let spot, row == 0 { return .spot(spot) }
        let ownAt = row - (spot == nil ? 0 : 1), at = row - first
        if own.indices.contains(ownAt) { return .feature(own[ownAt]) }
        if at == matches.count, offersView(browser) { return .view }
        if at == count(browser) - first - 1, online.offer(settled, browser) != nil { return .online }
        return matches.indices.contains(at) ? .match(matches[at]) : nil
    }

    // MARK: The line

    /// Returns the actions that open the search, optionally with text already typed.
    static func opening(_ text: String, _ browser: Browser) -> [Action] {
        var panel = text.isEmpty ? browser.panels[SearchPanel.self] ?? SearchPanel() : SearchPanel()
        let actions = panel.start(text, browser)
        return [.prompt(.search(text)), .show(panel)] + actions + [.ask(browser.searchServiceQuery)]
    }

    /// Returns the actions that search for the text of a new prompt.
    private mutating func start(_ text: String, _ browser: Browser) -> [Action] {
        found.expire()
        return promptChanged(text.trimmed, browser)
    }

    /// Handles keys while the prompt is open.
    mutating func pressInPrompt(_ key: Key, _ browser: Browser) -> [Action]? {
        let line = browser.input.prompt?.line
        switch key {
        case .escape: return [.prompt(nil), .closePanels]
        case .backspace where line?.text.isEmpty != false: return [.prompt(nil), .closePanels]
        case .enter: return goSoon(line?.string.trimmed, browser)
        case .tab:
            extent = extent.next(browser)
            return line.map { promptChanged($0.string.trimmed, browser) } ?? []
        case .arrow(.down, _), .control("n"): choose(by: 1, browser)
        case .arrow(.up, _), .control("p"): choose(by: -1, browser)
        case .pageDown: choose(by: 10, browser)
        case .pageUp: choose(by: -10, browser)
        default: return nil
        }
        return []
    }

    mutating func answer(_ text: String, _ browser: Browser) throws(Notice.Problem) -> [Action] {
        go(browser)
    }

    /// Handles Enter before there is a result, or if there is none.
    /// - Returns: nil if Enter may go to the selected result.
    private mutating func goSoon(_ text: String?, _ browser: Browser) -> [Action]? {
        if settled != nil && found.asked?.text == text.map(SearchPanel.place) || spot != nil {
            guard chosen(browser) == nil else { return nil }
            if isIndexing { earlyEnter.press(at: browser.map.now) }
            return []
        }
        guard problem == nil else { return [] }
        earlyEnter.press(at: browser.map.now)
        return []
    }

    /// Returns the name to search for. If the text is a short plus code with its town, this is the town.
    static func place(_ text: String) -> String { ParsedLocation.shortCode(in: text)?.town ?? text }

    /// Moves the selection. Up from the first row selects the last one, where the online search is.
    private mutating func choose(by step: Int, _ browser: Browser) {
        let last = max(count(browser) - 1, 0)
        row = row == 0 && step == -1 ? last : min(max(row + step, 0), last)
    }

    /// Returns the query for the text in the prompt; nil if there is none.
    private func query(_ text: String, _ browser: Browser) -> MapSearchQuery? {
        guard !text.isEmpty else { return nil }
        var query = MapSearchQuery(
            SearchPanel.place(text), near: browser.map.viewport.camera.coordinate,
            area: extent.area(browser),
            limit: Browser.searchLimit)
        if let spot { (query.spot, query.near, query.area) = (spot.coordinate, spot.coordinate, .everywhere) }
        return query
    }

    /// Searches for the text in the prompt.
    mutating func promptChanged(_ text: String, _ browser: Browser) -> [Action] {
        problem = readSpot(text, browser)
        row = 0
        let actions = searchOverlays(text, browser)
        earlyEnter = PendingEnter()
        guard problem == nil, let query = query(text, browser) else {
            found = Loadable()
            shown = nil
            return actions
        }
        return actions
            + (found.ask(query, at: browser.map.now)
                ? [.ask(SearchMap(query: query))] : readShortCode(text))
    }

    /// Reads text as coordinates.
    /// - Returns: The problem with coordinates out of range; nil for others and for names.
    private mutating func readSpot(_ text: String, _ browser: Browser) -> String? {
        spot = nil
        do throws(ParsedLocation.Misread) {
            spot = try ParsedLocation(text, near: browser.map.viewport.camera.coordinate)
            return nil
        } catch {
            return error.isOutOfRange ? Notice.Problem(error).description : nil
        }
    }

    /// Searches the names of the overlays' features: at once if they are few.
    private mutating func searchOverlays(_ text: String, _ browser: Browser) -> [Action] {
        let query = OverlayNamesQuery(text: text)
        awaited = query
        guard browser.searchableFeatures > OverlayNamesQuery.searchedAtOnce else {
            own = query.matches(in: browser.map.layers)
            preferNamedFeature(text)
            return []
        }
        own = []
        return [.ask(query)]
    }

    /// Selects the feature of an overlay that has the typed name, rather than the place that the name also
    /// denotes: "hut2" is a geohash.
    private mutating func preferNamedFeature(_ text: String) {
        let isNamed = own.first.map { $0.feature.name.lowercased() == text.lowercased() } ?? false
        if spot != nil, row == 0, isNamed { row = 1 }
    }

    /// Lists the features of overlays. The selected row stays.
    private mutating func receive(_ matches: [OverlayMatch], to query: OverlayNamesQuery) {
        guard awaited == query else { return }
        if row >= first, row > 0 { row += matches.count - own.count }
        own = matches
        if row < 0, !matches.isEmpty { row = 0 }
        preferNamedFeature(query.text)
    }

    /// Repeats the search while the index grows.
    mutating func ask(_ browser: Browser) -> [Action] {
        guard let answer = found.current, answer.indexedShare < 1,
            let query = browser.input.prompt.flatMap({ query($0.line.string.trimmed, browser) })
        else { return [] }
        return earlyEnter.searchAgain(query, in: &found, at: browser.map.now)
    }

    /// Resolves a short plus code once the town near it is found.
    private mutating func readShortCode(_ text: String) -> [Action] {
        if let code = ParsedLocation.shortCode(in: text)?.code,
            let town = found.current?.matches.first?.coordinate
        {
            spot = try? ParsedLocation(code, near: town)
        }
        return []
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if let response = response[SearchMap.self] {
            return receive(response.value, to: response.query.query, browser)
        }
        if let response = response[OverlayNamesQuery.self] {
            receive(response.value, to: response.query)
        }
        if let service = response[OnlineServiceQuery.self]?.value {
            return online.receive(service).map { online.ask($0, of: browser.search.service) } ?? []
        }
        if let response = response[OnlineSearchQuery.self] {
            receive(response.value, to: response.query.query)
        }
        return response[FetchStreetsQuery.self].map {
            receive($0.value, of: $0.query.box, browser)
        } ?? []
    }

    private mutating func receive(
        _ answer: Result<SearchResult, Notice.Problem>, to query: MapSearchQuery, _ browser: Browser
    ) -> [Action] {
        guard found.asked == query else { return [] }
        switch answer {
        case .success(let result):
            let isFirst = found.answered != query
            found.receive(result, to: query)
            join()
            let waits = isIndexing && first + matches.count == 0
            if isFirst || row < 0 { row = waits ? -1 : 0 }
            _ = readShortCode(browser.input.prompt?.line.string.trimmed ?? "")
            let isAwaited = earlyEnter.finds(
                result, query, isCertain: (0..<first).contains(row), at: browser.map.now)
            if isAwaited, first + matches.count > 0 { return go(browser) }
            return result.indexedShare < 1 ? [.effect(.wake(after: earlyEnter.pace))] : []
        case .failure(let problem):
            self.problem = problem.description
            return []
        }
    }

    // MARK: The web

    /// Stores the results of a service, and selects the first of them.
    private mutating func receive(
        _ outcome: Result<OnlineSearchAnswer, Notice.Problem>, to query: MapSearchQuery
    ) {
        guard online.receive(outcome, to: query) else { return }
        join()
        row = matches.firstIndex { !["", "GeoNames"].contains($0.provider) }.map { $0 + first } ?? 0
    }

    /// Sends the query to the service, after the user's consent.
    private mutating func askOnline(_ browser: Browser) -> [Action] {
        guard let query = found.asked, let service = online.service else { return [] }
        guard !service.isAccepted else { return online.ask(query, of: browser.search.service) }
        online.await(query)
        return [.prompt(nil), .push(.searching(service))]
    }

    // MARK: The streets of the view

    /// The zoom at which vector tiles have all streets and addresses.
    static let streetZoom = 14
    /// The lowest zoom of a view whose streets are offered: some hundred tiles.
    private static let lowestOffer = 11.0

    /// The streets layers on the screen whose tiles of zoom 14 can be fetched; empty if the view has them, or
    /// is too large.
    private func streetLayers(_ browser: Browser) -> [TileLayer] {
        let zoom = browser.map.viewport.camera.zoom
        guard found.current != nil, spot == nil, !browser.map.isOffline, zoom >= Self.lowestOffer,
            zoom < Double(Self.streetZoom), fetchedView != (try? browser.seenBounds())
        else { return [] }
        return browser.map.layers.filter {
            $0.drawing != nil && $0.isShown(at: zoom) && $0.policy.viewing
                && $0.source.origin(of: $0) != nil && $0.dataZooms.contains(Self.streetZoom)
        }
    }

    func offersView(_ browser: Browser) -> Bool { !isFetching && !streetLayers(browser).isEmpty }

    private mutating func fetchView(_ browser: Browser) -> [Action] {
        guard let layer = streetLayers(browser).first, let box = try? browser.seenBounds() else { return [] }
        isFetching = true
        return [.ask(FetchStreetsQuery(layer: layer.id, box: box, zoom: Self.streetZoom))]
    }

    /// Repeats the search in the fetched streets, or reports why they were not fetched.
    private mutating func receive(
        _ outcome: Result<Int, Notice.Problem>, of box: Bounds, _ browser: Browser
    ) -> [Action] {
        isFetching = false
        fetchedView = box
        switch outcome {
        case .failure(let problem): return [.complain(problem.description)]
        case .success:
            guard let query = found.asked else { return [] }
            found.expire()
            return found.ask(query, at: browser.map.now) ? [.ask(SearchMap(query: query))] : []
        }
    }

    private mutating func join() {
        guard let query = settled else { return }
        let answer = found.current ?? SearchResult([])
        shown = online.answer(to: query).map { answer.joined(with: $0, to: query) } ?? answer
    }

    // MARK: The list

    /// Handles keys in the list, after the prompt is closed.
    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        switch key {
        case .character("/"), .tab: return [.prompt(.search(""))] + start("", browser)
        default:
            return key.move(&row, of: count(browser), page: 10) ? [] : nil
        }
    }

    mutating func act(_ browser: Browser) -> [Action]? { go(browser) }

    /// Returns the coordinates of the selected result.
    func copied(_ browser: Browser) -> String {
        switch chosen(browser) {
        case .spot(let spot): PlaceFormat.decimal(spot.coordinate)
        case .match(let match): PlaceFormat.decimal(match.coordinate)
        case .feature(let match): PlaceFormat.decimal(match.feature.coordinate)
        case .online, .view, nil: ""
        }
    }

    /// Shows the remark of the result on a chosen street, such as an unknown house number.
    private func note(on choice: Choice) -> [Action] {
        guard case .match(.feature(let match)) = choice, match.category == .street else { return [] }
        return [found.current?.note].compactMap(\.self).map { .say($0) }
    }

    /// Returns the actions that go to the selected result, and mark only this one.
    private mutating func go(_ browser: Browser) -> [Action] {
        guard let chosen = chosen(browser) else { return [] }
        let actions: [Action]
        switch chosen {
        case .online: return askOnline(browser)
        case .view: return fetchView(browser)
        case .spot(let spot): actions = browser.flight(to: spot) + [.effect(.wake(after: Notice.life))]
        case .feature(let match): actions = browser.going(to: match.feature, match.layer)
        case .match(let match): actions = browser.going(to: match)
        }
        return [.mark(marks.chosenAlone), .prompt(nil), .closePanels, .markCenter] + actions
            + note(on: chosen)
    }
}

extension PanelEntry {
    static let search = PanelEntry("search") { SearchPanel.opening("", $0) }
}

extension Prompt {
    /// Returns the search prompt. The text is searched for while the user types it.
    fileprivate static func search(_ text: String) -> Prompt {
        Prompt(label: "search: ", example: SearchText.example, line: LineEditor(text), owner: .panel)
    }
}

extension Browser {
    /// The maximum number of places that a search requests.
    public static let searchLimit = 40

    /// Returns the actions that fly to a search result, and show its name.
    func going(to match: SearchMatch) -> [Action] {
        let name = match.title(in: map.settings)
        switch match {
        case .place(let match):
            let edge = match.place.coordinate.mapEdge.map { "the map ends at \($0)" } ?? ""
            let text = [name, match.place.whereabouts, edge].filter { !$0.isEmpty }.joined(separator: ", ")
            return [
                .found(name: name, match.place.coordinate), .fly(to: camera(over: match.place)),
                .say(match.mark + text),
            ]
        case .feature(let feature):
            let isMapStreet = feature.category == .street && feature.provider.isEmpty
            return [
                .found(name: feature.name, feature.coordinate), .fly(to: camera(over: feature)),
                .say(text(of: feature)),
            ] + (isMapStreet ? [.ask(StreetLinesQuery(street: feature))] : [])
        }
    }
}
