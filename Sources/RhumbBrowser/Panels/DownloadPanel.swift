internal import RhumbCore
internal import RhumbEngine

/// The plan of a download of the view.
struct DownloadPanel: Panel {
    var entry: PanelEntry { .download }
    private var draft: RegionDraft
    private var plan = Loadable<RegionDraft, Result<RegionPlan, Notice.Problem>>()
    /// The name while the user edits it; nil otherwise.
    private var name: LineEditor?
    /// The reason why the plan has no heights although the user wanted them; nil for none.
    private var heightsProblem: Notice.Problem?
    /// True if the area is a drawn frame rather than the view.
    private var isFramed = false

    init(_ draft: RegionDraft) { self.draft = draft }

    /// Creates a panel that already has its plan.
    init(_ draft: RegionDraft, _ answer: Result<RegionPlan, Notice.Problem>, at now: Duration) {
        self.init(draft)
        _ = plan.ask(draft, at: now)
        plan.receive(answer, to: draft)
    }

    func heat(_ browser: Browser) -> HeatOverlay? { HeatOverlay(onlyPinned: true) }

    func rings(_ browser: Browser) -> [[Position]] { [draft.box.ring] }

    mutating func take(_ frame: Bounds, _ browser: Browser) -> [Action]? {
        draft.box = frame
        isFramed = true
        return ask(browser)
    }

    mutating func ask(_ browser: Browser) -> [Action] {
        [.heat()] + (plan.ask(draft, at: browser.map.now) ? [.ask(RegionPlanQuery(draft: draft))] : [])
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        guard let response = response[RegionPlanQuery.self] else { return [] }
        receive(response.value, to: response.query.draft)
        return ask(browser)
    }

    private mutating func receive(_ answer: Result<RegionPlan, Notice.Problem>, to draft: RegionDraft) {
        // A source of heights that can't be reached leaves the plan of the map.
        if case .failure(let problem) = answer, self.draft == draft, draft.hasHeights == true,
            case .success = plan.answer
        {
            self.draft.hasHeights = false
            heightsProblem = problem
            return
        }
        plan.receive(answer, to: draft)
    }

    /// The deepest zoom that the maps have.
    private func deepest(_ browser: Browser) -> Int {
        let layers = browser.map.layers.filter { draft.layers.contains($0.id) }
        return layers.map(\.dataZooms.upperBound).max() ?? TileID.maximumZoom
    }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if let line = name {
            type(key, line)
            return ask(browser)
        }
        var zooms = draft.zooms
        switch key {
        case .arrow(.right, _):
            zooms = zooms.lowerBound...max(min(zooms.upperBound + 1, deepest(browser)), zooms.upperBound)
        case .arrow(.left, _):
            zooms = min(zooms.lowerBound, max(zooms.upperBound - 1, 0))...max(zooms.upperBound - 1, 0)
        case .character("<"): zooms = max(zooms.lowerBound - 1, 0)...zooms.upperBound
        case .character(">"): zooms = min(zooms.lowerBound + 1, zooms.upperBound)...zooms.upperBound
        case .character("w"): draft.isExact.toggle()
        case .character("h") where !draft.heights.isLocal && !draft.isOfHeights:
            heightsProblem = nil
            guard hasHeights || browser.hasAgreed(to: draft.heights.specifier) else {
                return browser.whenHeightsAgreed(from: draft.heights, .download, then: [.agreed])
            }
            draft.hasHeights = !hasHeights
        case .character("t") where browser.stored.heightSources.count > 1 && !draft.isOfHeights:
            selectHeights(browser.stored.heightSources)
            // Another host is contacted only after its question, which belongs to h.
            if hasHeights, !browser.hasAgreed(to: draft.heights.specifier) { draft.hasHeights = false }
        case .character("y"):
            guard asksForPermission else { return start(browser) }
            draft.isPermitted = true
        case .tab: name = LineEditor(draft.name)
        default:
            return key.steps(page: 1) == nil && browser.input.keymap.command(for: key)?.movesMap == true
                ? [] : nil
        }
        draft.zooms = zooms
        return ask(browser)
    }

    mutating func act(_ browser: Browser) -> [Action]? { start(browser) }

    /// Includes the heights.
    mutating func agree(_ browser: Browser) -> [Action] {
        draft.hasHeights = true
        return ask(browser)
    }

    /// True if the download needs the provider's permission.
    private var asksForPermission: Bool {
        if case .success(let plan) = plan.answer, case .ask = plan.verdict { true } else { false }
    }

    /// True if the plan includes heights.
    private var hasHeights: Bool {
        if draft.heights.isLocal { return true }
        if case .success(let plan) = plan.answer, plan.size(of: draft.heights.specifier) != nil {
            return true
        }
        return draft.hasHeights ?? false
    }

    /// Selects the next source of heights.
    private mutating func selectHeights(_ sources: [HeightSourceItem]) {
        let at = sources.firstIndex(of: draft.heights) ?? -1
        draft.heights = sources[(at + 1) % sources.count]
    }

    private mutating func type(_ key: Key, _ line: LineEditor) {
        var line = line
        if key == .enter || key == .tab || key == .escape {
            if key != .escape, !line.string.trimmed.isEmpty { draft.name = line.string.trimmed }
            name = nil
        } else {
            _ = line.type(key)
            name = line
        }
    }

    private mutating func start(_ browser: Browser) -> [Action] {
        if case .failure = plan.answer {
            self.plan.expire()
            return ask(browser)
        }
        guard case .success(let plan) = plan.answer else { return [.say(DownloadText.startsLater)] }
        guard plan.verdict == .allowed else {
            return [.complain(plan.verdict.lines.first ?? DownloadText.denied)]
        }
        return [.closePanels, .ask(StartRegion(draft: draft))]
    }

    // MARK: Text

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        PanelText(title: title, lines: body(browser))
    }

    private var title: String {
        draft.corridor != nil
            ? DownloadText.alongRoute : isFramed ? DownloadText.area : DownloadText.view
    }

    private func body(_ browser: Browser) -> [PanelText.Line] {
        let name = name.map { $0.string + "_" } ?? draft.name
        let open = browser.map.layers.filter { draft.layers.contains($0.id) }.map(\.info.name)
        let sources =
            draft.isOfHeights
            ? [draft.heights.name] : draft.source.map { ["\($0.name) (\($0.host))"] } ?? open
        var lines: [PanelText.Line] = [
            .init(text: "name", right: name, style: self.name == nil ? [] : .bold, isFact: true),
            .fact("source", sources.joined(separator: " + ")),
            .init(text: "zooms", right: zoomText(browser), style: .bold),
        ]
        if let map = draft.deniedMap {
            lines += browser.wrapped(DownloadText.otherSource(than: map))
        }
        switch plan.answer {
        case nil: lines += [.init(text: DownloadText.counting)] + browser.silenceLines()
        case .success(let plan): lines += planLines(plan, browser)
        case .failure(let problem): lines += browser.wrapped(problem.description)
        }
        return lines
    }

    private func zoomText(_ browser: Browser) -> String {
        let arrows = browser.map.settings.isUnicode ? ("◂", "▸") : ("<", ">")
        return "\(arrows.0) \(draft.zooms.lowerBound) – \(draft.zooms.upperBound) \(arrows.1)"
    }

    /// Returns the lines of a plan, with the most important ones first for small screens: the verdict, the
    /// totals, then each zoom.
    private func planLines(_ plan: RegionPlan, _ browser: Browser) -> [PanelText.Line] {
        var lines = plan.verdict == .allowed ? [] : plan.verdict.lines.flatMap { browser.wrapped($0) }
        let time = plan.seconds.map(DownloadText.time) ?? ""
        let isStored = plan.tiles > 0 && plan.stored == plan.tiles
        lines.append(
            .init(
                text: isStored ? DownloadText.allStored : "≈ " + plan.size.text, right: isStored ? "" : time,
                style: .bold))
        if isStored, let name = browser.regionHolding(draft) {
            lines += browser.wrapped(DownloadText.holds(name))
        }
        lines.append(.init(text: "zoom", right: DownloadText.columns, style: .dim))
        lines.append(.init(text: "total", right: amounts(plan.tiles, plan.stored)))
        lines.append(
            .init(
                text: DownloadText.wholePacks(isOn: !draft.isExact),
                right: DownloadText.surplus(plan.packSurplus)))
        let added = plan.size(of: draft.heights.specifier).map { "≈ " + AmountText.bytes($0.bytes) } ?? ""
        lines.append(
            .init(
                text: DownloadText.heights(draft.heights.name, isOn: hasHeights),
                right: draft.heights.isLocal ? DownloadText.noDownload : added))
        if let heightsProblem { lines += browser.wrapped(heightsProblem.description, indent: 2) }
        for packs in plan.sources.compactMap(\.packs)
        where packs.added.total > packs.left / 2 {
            lines.append(
                .init(text: DownloadText.packs(packs.added.total, used: packs.used, limit: packs.limit)))
        }
        for zoom in Set(plan.rows.map(\.zoom)).sorted() {
            let rows = plan.rows.filter { $0.zoom == zoom }
            lines.append(
                .init(
                    text: "\(zoom)",
                    right: amounts(rows.reduce(0) { $0 + $1.tiles }, rows.reduce(0) { $0 + $1.stored })))
        }
        // Above is the size of the download.
        if plan.storedSize.bytes > 0, isStored || plan.size != plan.storedSize {
            lines.append(.fact(DownloadText.onDisk, "≈ " + plan.storedSize.text))
        }
        if let free = plan.freeDisk { lines.append(.fact(DownloadText.freeSpace, AmountText.bytes(free))) }
        return lines
    }

    private func amounts(_ tiles: Int, _ stored: Int) -> String {
        AmountText.count(tiles).leftPadded(to: 9) + AmountText.count(stored).leftPadded(to: 7)
            + AmountText.count(tiles - stored).leftPadded(to: 10)
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        if name != nil { return [.init("Enter", "done")] }
        var change = [
            PanelKey("← →", "last zoom"), .init("< >", "first"), .init("w", "packs"), .init("h", "heights"),
        ]
        if browser.stored.heightSources.count > 1 { change.append(.init("t", DownloadText.nextHeights)) }
        change += [.init("Tab", "name"), .init("drag", "area")]
        if asksForPermission { return [.init("y", DownloadText.permission)] + change }
        let verb = if case .failure = plan.answer { DownloadText.again } else { "start" }
        return [.init("Enter", verb)] + change + [.init("y", verb)]
    }
}

extension PanelEntry {
    static let download = PanelEntry("download") { browser in
        browser.withDraft { browser.whenAgreed(to: $0, then: [.show(DownloadPanel($0))]) }
    }
}

/// The texts of downloads, in their panel and in notices.
enum DownloadText {
    static let denied = "Download not allowed"

    static func refusal(_ verdict: PlanVerdict) -> String {
        "\(verdict.lines.first ?? denied). Press d for details."
    }

    static let alongRoute = "Download along the route"
    static let area = "Download this area"
    static let view = "Download this view"

    static func question(_ source: String) -> String { "Download from \(source)?" }

    /// The data that the host of a download receives, besides the IP address.
    static let sent = "the tile numbers of the area"

    static func otherSource(than map: String) -> String {
        "\(map) doesn't allow downloads; this source does."
    }

    static let counting = "Counting tiles …"
    static let startsLater = "The tiles are still being counted. Start the download when their size is shown."
    static let allStored = "all tiles are stored"

    static let again = "try again"

    static func holds(_ region: String) -> String {
        "The region “\(region)” holds this area already. Update it with r; Enter makes a second region."
    }

    static func time(_ seconds: Double) -> String {
        seconds >= 1 ? "about \(AmountText.seconds(seconds))" : "under 1 s"
    }

    static let columns = "tiles stored  to fetch"

    static func surplus(_ tiles: Int?) -> String {
        tiles.map { "\(AmountText.count($0)) more tiles" } ?? "more tiles"
    }

    static func wholePacks(isOn: Bool) -> String { "[\(isOn ? "x" : " ")] whole packs" }

    static func heights(_ source: String, isOn: Bool) -> String {
        "[\(isOn ? "x" : " ")] heights: \(source)"
    }

    static let noDownload = "no download"
    static let nextHeights = "heights source"

    static func packs(_ count: Int, used: Int, limit: Int) -> String {
        "packs \(AmountText.count(count)), \(AmountText.count(used)) of \(AmountText.count(limit)) used"
    }

    static let onDisk = "on disk"
    static let freeSpace = "free disk space"
    static let permission = "I have the provider's permission"

    static func notNeeded(_ map: String?) -> String {
        "\(map ?? "The map") needs no download. Press m to choose a map you can download."
    }

    static let noMap = "No map in view to download"
    static let noTraffic = "Traffic is not downloaded: it can't be stored"
}
