public import RhumbCore
internal import RhumbEngine

/// An area with the location of its maps.
public struct AreaItem: Equatable, Sendable {
    /// The area.
    public let area: MapArea
    /// The words of the base map; nil for the built-in world.
    public let map: String?
    /// The box around its regions; nil if none is stored.
    public let bounds: Bounds?

    /// Creates an item.
    public init(_ area: MapArea, map: String?, bounds: Bounds?) {
        self.area = area
        self.map = map
        self.bounds = bounds
    }
}

/// The list of areas. Enter shows one with its overlays, style and grid.
struct AreasPanel: Panel {
    var entry: PanelEntry { .areas }
    var tab: OfflineTab? { .areas }
    /// The areas; nil until they are read.
    fileprivate var items: [AreaItem]?
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }

    private var listed: [AreaItem] { (items ?? []).filter { matches($0.area.id) } }
    private var chosen: AreaItem? { listed.isEmpty ? nil : listed[min(row, listed.count - 1)] }

    func rings(_ browser: Browser) -> [[Position]] { chosen?.bounds.map { [$0.ring] } ?? [] }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        if let row = key.row(from: row, of: listed.count, page: 5) {
            self.row = row
            return []
        }
        switch key {
        case .character("n"): return browser.ask(.areaName)
        case .character("c"): return chosen.map { browser.showReadiness(of: $0.area.id) }
        default: return nil
        }
    }

    mutating func act(_ browser: inout Browser) -> [Effect]? { chosen.map { browser.open($0) } }

    mutating func remove(_ browser: inout Browser) -> [Effect]? {
        guard let id = chosen?.area.id else { return nil }
        browser.panels.push(
            Consent.asking(AreasText.removal, entry) { _ in [.ask(ChangeArea(.remove(id)))] })
        return []
    }

    func copied(_ browser: Browser) -> String { chosen?.area.id ?? "" }

    func keys(_ browser: Browser) -> [PanelKey] {
        let new = PanelKey("n", "new from this view")
        return chosen == nil
            ? [new] : [.init("Enter", "open"), .init("c", "check for offline use"), new, .remove]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard items?.isEmpty != true else {
            return PanelText(title: AreasText.title, lines: browser.wrapped(AreasText.empty))
        }
        let selected = chosen?.area.id
        return PanelText(
            title: AreasText.title,
            lines: listed.flatMap { item -> [PanelText.Line] in
                let isChosen = item.area.id == selected
                let head = PanelText.Line.row(item.area.id, isSelected: isChosen, style: .bold)
                let members = browser.wrapped(item.area.summary, indent: 2)
                return [head] + members.map { .init(text: "  " + $0.text) }
            })
    }
}

/// The texts of the areas panel.
enum AreasText {
    static let title = "Areas"
    static let empty = "No areas yet. An area opens its regions with their overlays, style and grid."
    static let removal = "Remove the area? Its regions and files are kept."
    static let nameExample = "a name, such as hike"

    static func invalid(_ name: String) -> String {
        "\(SafeText.sanitised(name, limit: 40)) is no name; use letters, digits, -, _ and ."
    }
}

extension PanelEntry {
    static let areas = PanelEntry("areas") { $0.show(AreasPanel()) + [.ask(AreaListQuery())] }
}

extension Prompt {
    /// The prompt for the name of an area of the current view.
    fileprivate static let areaName = Prompt(label: "area: ", example: AreasText.nameExample) {
        (browser, words) throws(Notice.Problem) in
        guard let area = browser.area(named: words) else { throw Notice.Problem(AreasText.invalid(words)) }
        return [.ask(ChangeArea(.add(area, in: try browser.seenBounds())))]
    }
}

extension Browser {
    /// Returns an area with the overlays, the style and the grid that are shown; nil for an invalid name.
    fileprivate func area(named name: String) -> MapArea? {
        guard var area = MapArea(id: name.trimmed) else { return nil }
        area.overlays = map.layers.filter { $0.isVisible && $0.canBeLaidOver && $0.id != ground?.id }.map(
            \.words)
        area.map = ground.flatMap { $0.role <= .rasterBase && $0.words != Self.worldName ? $0.words : nil }
        area.style = appearance.style == .standard ? nil : appearance.style.words
        area.grid = map.settings.grid?.rawValue
        return area
    }

    /// Shows an area: its map, overlays, style and grid, and all of its regions.
    fileprivate mutating func open(_ item: AreaItem) -> [Effect] {
        panels.removeAll()
        var effects: [Effect] = setGrid(item.area.grid.flatMap(GridKind.init))
        if let style = item.area.style { effects += setStyle(words: style) }
        let camera = item.bounds.map { map.viewport.fitted(to: $0, margin: 0.9) }
        if let map = item.map, map != ground?.words {
            movement.landing = camera
            effects.append(.open(source: map, over: false))
        } else if let camera {
            effects += fly(to: camera)
        }
        let shown = Set(map.layers.map(\.words))
        return effects
            + item.area.overlays.filter { !shown.contains($0) }.map { .open(source: $0, over: true) }
    }
}

/// A query for all areas.
public struct AreaListQuery: Query {
    /// Shows the areas in the panel.
    public func receive(_ outcome: Result<[AreaItem], Notice.Problem>, in browser: inout Browser) -> [Effect]
    {
        switch outcome {
        case .success(let items):
            return browser.panels.withAreas { $0.items = items }
        case .failure(let problem): return browser.complain(problem.description)
        }
    }
}

extension PanelStack {
    fileprivate mutating func withAreas(_ body: (inout AreasPanel) -> Void) -> [Effect] {
        if var panel = self[AreasPanel.self] {
            body(&panel)
            self[AreasPanel.self] = panel
        }
        return []
    }
}

/// A change of the areas.
public struct ChangeArea: Query {
    /// The kind of change.
    public enum Kind: Equatable, Sendable {
        /// Adds an area with the regions that overlap a box.
        case add(MapArea, in: Bounds)
        case remove(String)
    }

    public static var scheduling: QueryScheduling { .files }

    /// The kind of change.
    public let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// Reports the outcome, and lists the areas again.
    public func receive(_ outcome: Result<String, Notice.Problem>, in browser: inout Browser) -> [Effect] {
        browser.report(outcome) + [.ask(AreaListQuery())]
    }
}
