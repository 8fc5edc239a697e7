internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The search for places as it stands: what was found for the words on the bottom line.
struct SearchPanel: Panel {
    var entry: PanelEntry { .search }
    /// The place that the words say by themselves, as coordinates or a link do.
    private(set) var spot: PlaceText?
    private(set) var found = Inquiry<String, [PlaceMatch]>()
    /// Features of overlays that are called so.
    private(set) var own: [OwnMatch] = []
    /// The chosen row: of the spot, if there is one, and the matches after it.
    private(set) var row = 0
    /// Why the words can't be looked for.
    private(set) var problem: String?
    /// Whether Enter was pressed before the answer came: then it goes to the first match at once.
    private var isHurried = false

    init() {}

    var matches: [PlaceMatch] { found.answer ?? [] }

    /// Lines that can be chosen.
    private var count: Int { matches.count + own.count + (spot == nil ? 0 : 1) }

    /// What Enter goes to.
    private var chosen: Choice? {
        if let spot, row == 0 { return .spot(spot) }
        let ownAt = row - (spot == nil ? 0 : 1), at = ownAt - own.count
        if own.indices.contains(ownAt) { return .feature(own[ownAt]) }
        return matches.indices.contains(at) ? .place(matches[at].place) : nil
    }

    enum Choice {
        case spot(PlaceText)
        case place(NamedPlace)
        case feature(OwnMatch)
    }

    // MARK: The line

    /// Has words typed, at first those given or those that were answered last.
    mutating func start(_ words: String, _ browser: inout Browser) -> [Effect] {
        browser.prompt = .search(words.isEmpty ? found.answered ?? "" : words)
        found.expire()
        return search(browser)
    }

    /// Keys while the line is typed.
    fileprivate mutating func pressInLine(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        let line = browser.prompt?.line
        switch key {
        case .escape: return browser.endSearch()
        case .backspace where line?.text.isEmpty != false: return browser.endSearch()
        case .enter: return hurry(line?.string.trimmed)
        case .tab: browser.prompt = nil
        case .arrow(.down, _), .control("n"): choose(by: 1)
        case .arrow(.up, _), .control("p"): choose(by: -1)
        case .pageDown: choose(by: 10)
        case .pageUp: choose(by: -10)
        default: return nil
        }
        return []
    }

    /// What Enter does before there is an answer, or where there is nothing.
    /// - Returns: nil when it may go to what is chosen.
    private mutating func hurry(_ words: String?) -> [Effect]? {
        if found.answered == words.map(SearchPanel.place) || spot != nil { return chosen == nil ? [] : nil }
        isHurried = true
        return []
    }

    /// What is looked for by name: the town, where the words are a short plus code and its town.
    static func place(_ words: String) -> String { PlaceText.shortCode(in: words)?.town ?? words }

    private mutating func choose(by step: Int) { row = min(max(row + step, 0), max(count - 1, 0)) }

    /// Looks for the words on the line.
    fileprivate mutating func search(_ browser: Browser) -> [Effect] {
        guard let words = browser.prompt?.line.string.trimmed else { return [] }
        let center = browser.viewport.camera.coordinate
        spot = try? PlaceText(words, near: center)
        row = 0
        own = browser.ownMatches(words)
        (isHurried, problem) = (false, nil)
        guard !words.isEmpty else {
            found = Inquiry()
            return []
        }
        let place = SearchPanel.place(words)
        return found.ask(place, at: browser.now) ? [.searchPlaces(place, near: center)] : readShortCode(browser)
    }

    /// The spot that a short plus code says, once the town it is near to is found.
    private mutating func readShortCode(_ browser: Browser) -> [Effect] {
        let words = browser.prompt?.line.string.trimmed ?? ""
        if let code = PlaceText.shortCode(in: words)?.code, let town = found.current?.first?.place.coordinate {
            spot = try? PlaceText(code, near: town)
        }
        return []
    }

    mutating func learn(_ event: Event, _ browser: inout Browser) -> [Effect] {
        guard case .placesFound(let answer, let words) = event, found.asked == words else { return [] }
        switch answer {
        case .success(let matches):
            found.learn(matches, to: words)
            row = 0
            _ = readShortCode(browser)
            defer { isHurried = false }
            return isHurried ? go(&browser) : []
        case .failure(let problem):
            self.problem = problem.description
            return []
        }
    }

    // MARK: The list

    /// Keys in the list once Tab has left the line.
    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .enter: return go(&browser)
        case .character("/"), .tab: return start("", &browser)
        default:
            guard let row = key.row(from: row, of: count, page: 10) else { return nil }
            self.row = row
            return []
        }
    }

    /// Goes to what is chosen.
    fileprivate func go(_ browser: inout Browser) -> [Effect] { chosen.map { browser.go(to: $0) } ?? [] }
}

extension PanelEntry {
    static let search = PanelEntry("search") { $0.startSearch() }
}

extension Prompt {
    /// The words to search for, which are followed as they are typed.
    fileprivate static func search(_ words: String) -> Prompt {
        @Sendable func inPanel<Outcome>(
            _ browser: inout Browser, _ body: (inout SearchPanel, inout Browser) -> Outcome
        ) -> Outcome? {
            guard var panel = browser.panels[SearchPanel.self] else { return nil }
            defer { browser.panels[SearchPanel.self] = panel }
            return body(&panel, &browser)
        }
        return Prompt(
            label: "search: ", example: "Turku  ·  Paris, Texas  ·  9GG499QC+X2", line: LineEditor(words),
            press: { browser, key in inPanel(&browser) { $0.pressInLine(key, &$1) } ?? nil },
            follow: { browser in inPanel(&browser) { $0.search($1) } ?? [] },
            answer: { (browser, _) throws(Notice.Problem) in inPanel(&browser) { $0.go(&$1) } ?? [] })
    }
}

extension Browser {
    /// The most places the search asks for.
    public static let searchLimit = 40

    /// Opens the search, with words already typed or none.
    mutating func startSearch(_ words: String = "") -> [Effect] {
        var panel = words.isEmpty ? panels[SearchPanel.self] ?? SearchPanel() : SearchPanel()
        let effects = panel.start(words, &self)
        return show(panel) + effects
    }

    fileprivate mutating func endSearch() -> [Effect] {
        prompt = nil
        panels.removeAll()
        return []
    }

    fileprivate mutating func go(to choice: SearchPanel.Choice) -> [Effect] {
        _ = endSearch()
        pointer = nil
        centerMarkUntil = now + Notice.life
        switch choice {
        case .spot(let spot): return fly(to: spot.camera(on: viewport)) + [.wake(after: Notice.life)]
        case .feature(let match): return go(to: match.feature, match.layer)
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

extension NamedPlace {
    /// How wide a view shows it whole or nearly, in metres: a guess from what it is and how many
    /// people live there.
    var viewWidth: Double {
        switch kind {
        case .country: min(max(600_000 * crowd(0.4), 20_000), 6_500_000)
        case .region: min(max(250_000 * crowd(0.35), 20_000), 1_500_000)
        case .capital, .city: population >= 1_000_000 ? 60_000 : 30_000
        case .town: 14_000
        case .village: 7000
        case .water, .landscape: min(pow(10, 2.7 + 0.55 * importance), 12_000_000)
        }
    }

    /// A power of its millions of people.
    private func crowd(_ exponent: Double) -> Double { pow(Double(population) / 1_000_000, exponent) }

    /// The sign of its kind on a map.
    func sign(isUnicode: Bool) -> String {
        switch kind {
        case .country, .region: isUnicode ? "□" : "#"
        case .capital: isUnicode ? "●" : "*"
        case .city: isUnicode ? "○" : "o"
        case .town, .village: isUnicode ? "·" : "."
        case .water: isUnicode ? "≈" : "~"
        case .landscape: isUnicode ? "▲" : "^"
        }
    }
}
