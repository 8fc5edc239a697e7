internal import RhumbCore
internal import RhumbEngine

/// The list of regions, and the actions on each.
struct RegionsPanel: Panel {
    var entry: PanelEntry { .regions }
    var tab: OfflineTab? { .regions }
    /// The chosen region; an unfinished download, or else the first row, until one is chosen.
    private var cursor = ListCursor<String>()
    /// The reason why the regions can't be listed; nil if they can.
    private var problem: String?
    var filter: String? = "" { didSet { cursor = ListCursor() } }

    private func listed(_ browser: Browser) -> [RegionItem] {
        browser.stored.regions.filter { matches($0.name, $0.id) }
    }

    private func chosen(_ browser: Browser) -> RegionItem? {
        let listed = listed(browser)
        return listed.isEmpty ? nil : listed[row(in: listed)]
    }

    private func row(in listed: [RegionItem]) -> Int {
        let isUnset = !cursor.isSet
        return isUnset ? listed.firstIndex { !$0.isFinished } ?? 0 : cursor.row(in: listed.map(\.id))
    }

    func heat(_ browser: Browser) -> HeatOverlay? { HeatOverlay(onlyPinned: true) }

    func rings(_ browser: Browser) -> [[Position]] { chosen(browser)?.bounds.map { [$0.ring] } ?? [] }

    mutating func ask(_ browser: Browser) -> [Action] { [.heat()] }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        switch response[RegionListQuery.self]?.value {
        case .success: problem = nil
        case .failure(let problem): self.problem = problem.description
        case nil: break
        }
        return []
    }

    // MARK: Keys

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        let listed = listed(browser)
        guard !listed.isEmpty else { return nil }
        var row = row(in: listed)
        let isMove = key.move(&row, of: listed.count, page: 5)
        cursor.choose(row, in: listed.map(\.id))
        if isMove { return [] }
        let item = listed[row]
        switch key {
        case .character("R"): return [.ask(RegionAction(.refresh, item.id))]
        case .character("t"): return [.ask(RegionAction(.retry, item.id))]
        case .character("P") where item.isFinished:
            return [.say(RegionsText.cannotPause(item))]
        case .character("P"):
            return [.ask(RegionAction(item.isRunning ? .pause : .resume, item.id))]
        case .character("e"): return [.ask(RegionAction(.export, item.id))]
        case .character("n"): return [.prompt(.name(of: item))]
        case .character("c"): return ReadyPanel.opening(item.id)
        case .character("C"):
            return confirm(RegionsText.stop(item), .cancel, item)
        default: return nil
        }
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        chosen(browser).flatMap { browser.showing($0) }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        let listed = listed(browser)
        guard !listed.isEmpty else { return nil }
        // The highlight stays on the region that the question is about.
        cursor.choose(row(in: listed), in: listed.map(\.id))
        return chosen(browser).map { confirm(RegionsText.removal($0), .remove, $0) }
    }

    func copied(_ browser: Browser) -> String { chosen(browser)?.id ?? "" }

    private func confirm(
        _ question: String, _ act: RegionAction.Kind, _ item: RegionItem
    ) -> [Action] {
        [.push(.asking(question, entry, accept: .ask(RegionAction(act, item.id))))]
    }

    // MARK: Text

    func keys(_ browser: Browser) -> [PanelKey] {
        guard let item = chosen(browser) else { return [.init("d", "download")] }
        let care =
            item.isFinished ? [] : [PanelKey("P", item.isRunning ? "pause" : "resume"), .init("C", "stop")]
        return [.init("Enter", "go there")] + care
            + [
                .init("R", "refresh"), .init("t", "retry"), .init("c", "check"), .init("e", "export"),
                .init("n", "name"), .remove,
            ]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard problem == nil, !browser.stored.regions.isEmpty else {
            let none = RegionsText.empty(browser.hasUse(for: .panel(.download)))
            let hint = problem ?? (browser.stored.areRegionsListed ? none : HereText.loading)
            return PanelText(title: "Regions", lines: browser.wrapped(hint))
        }
        let chosen = chosen(browser)?.id
        let lines = listed(browser).flatMap { self.lines($0, isChosen: $0.id == chosen, browser) }
        return PanelText(title: "Regions", lines: lines)
    }

    private func lines(_ item: RegionItem, isChosen: Bool, _ browser: Browser) -> [PanelText.Line] {
        var lines: [PanelText.Line] = [
            .row(item.name, right: AmountText.bytes(item.bytes), isSelected: isChosen, style: .bold),
            .init(text: "  \(stateText(item))", right: item.isUnderWay ? item.pace : item.age),
        ]
        guard isChosen else { return lines }
        let counts =
            "  \(RegionsText.counts(item))"
        lines.append(
            .init(text: counts, right: item.zooms.map { "z\($0.lowerBound)–\($0.upperBound)" } ?? ""))
        if item.isUnderWay { lines += browser.silenceLines(indent: 2) }
        if item.failed > 0 {
            lines.append(.init(text: "  \(RegionsText.failed(item.failed))"))
        }
        if !item.expiry.isEmpty { lines.append(.init(text: "  \(item.expiry)", right: item.id)) }
        return lines + (item.reason.isEmpty ? [] : browser.wrapped(item.reason, indent: 2))
    }

    private func stateText(_ item: RegionItem) -> String {
        let state = item.settled < item.planned ? "\(item.state) \(item.percent) %" : item.state
        return item.state == RegionItem.interrupted ? "\(state), P: resume" : state
    }
}

extension Browser {
    /// Returns the actions that show a region: on the open map if it has the region's tiles, or else on the
    /// map of the region's first source. Returns nil if the area of the region is unknown.
    fileprivate func showing(_ item: RegionItem) -> [Action]? {
        guard let bounds = item.bounds else { return nil }
        let whole = map.viewport.fitted(to: bounds, margin: 0.9)
        let lowest = Double(item.zooms?.lowerBound ?? 0)
        // Farther out than its first zoom, a region has nothing to show.
        let camera = whole.zoom.rounded() < lowest ? whole.zoomed(to: lowest) : whole
        let isShown = map.layers.contains { layer in
            layer.isVisible
                && (item.sources.contains(layer.specifier)
                    || layer.isStoredStreets && layer.id.hasSuffix(".\(item.id)"))
        }
        guard !isShown, let source = item.sources.first else { return [.fly(to: camera)] }
        return [.open(map: source, landing: camera)]
    }
}

extension PanelEntry {
    static let regions = PanelEntry("regions") { _ in [.show(RegionsPanel()), .ask(RegionListQuery())] }
}

extension Prompt {
    fileprivate static func name(of item: RegionItem) -> Prompt {
        Prompt(label: "name: ", example: RegionsText.nameExample, line: LineEditor(item.name)) {
            (_, text) throws(Notice.Problem) in
            [.ask(RenameRegion(id: item.id, name: text))]
        }
    }
}

/// A query for all regions.
public struct RegionListQuery: Query {
    public typealias Response = Result<[RegionItem], Notice.Problem>
}

/// An action on a region.
public struct RegionAction: Query {
    /// The kind of action.
    public enum Kind: Equatable, Sendable { case refresh, retry, pause, resume, cancel, remove, export }

    /// Regions are changed independently.
    public static var scheduling: QueryScheduling { .each }

    /// The kind of action.
    public let kind: Kind
    /// The id of the region.
    public let id: String

    init(_ kind: Kind, _ id: String) { (self.kind, self.id) = (kind, id) }

    public typealias Response = Result<String, Notice.Problem>
}

/// A query that renames a region.
public struct RenameRegion: Query {
    /// Regions are changed independently.
    public static var scheduling: QueryScheduling { .each }

    /// The id of the region.
    public let id: String
    /// The new name.
    public let name: String

    public typealias Response = Result<String, Notice.Problem>
}

/// The texts of the regions panel.
enum RegionsText {
    static func cannotPause(_ item: RegionItem) -> String {
        "\(item.name) is \(item.state); nothing to pause"
    }

    static func stop(_ item: RegionItem) -> String {
        "Stop \(item.name.clipped(to: 16))? Tiles already downloaded are kept."
    }

    static func removal(_ item: RegionItem) -> String { "Delete \(item.name.clipped(to: 16)) and its tiles?" }

    /// - Parameter isDownloadable: True if the view can be downloaded.
    static func empty(_ isDownloadable: Bool) -> String {
        "No offline regions yet. "
            + (isDownloadable
                ? "Press d to download this view." : "Press m to choose a map you can download.")
    }

    static let nameExample = "a name for the region"

    static func counts(_ item: RegionItem) -> String {
        "\(AmountText.count(item.tiles)) of \(AmountText.count(item.planned)) tiles"
            + (item.absent > 0 ? ", \(AmountText.count(item.absent)) absent" : "")
    }

    static func failed(_ tiles: Int) -> String { "\(AmountText.count(tiles)) failed, t: retry" }
}
