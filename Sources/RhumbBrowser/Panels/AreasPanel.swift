public import RhumbCore
internal import RhumbEngine

/// An area with the location of its maps.
public struct AreaItem: Equatable, Sendable {
    /// The area.
    public let area: MapArea
    /// The specifier of the base map; nil for the built-in world.
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
    private var items: [AreaItem]?
    private var cursor = ListCursor<String>()
    var filter: String? = "" { didSet { cursor = ListCursor() } }

    private var listed: [AreaItem] { (items ?? []).filter { matches($0.area.id) } }
    private var ids: [String] { listed.map(\.area.id) }
    private var chosen: AreaItem? { listed.isEmpty ? nil : listed[cursor.row(in: ids)] }

    func rings(_ browser: Browser) -> [[Position]] { chosen?.bounds.map { [$0.ring] } ?? [] }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&cursor, in: ids, page: 5) { return [] }
        switch key {
        case .character("n"): return [.prompt(.areaName)]
        case .character("c"): return chosen.map { ReadyPanel.opening($0.area.id) }
        default: return nil
        }
    }

    mutating func act(_ browser: Browser) -> [Action]? { chosen.map { browser.opening($0) } }

    mutating func remove(_ browser: Browser) -> [Action]? {
        guard let id = chosen?.area.id else { return nil }
        return [.push(.asking(AreasText.removal, entry, accept: .ask(ChangeArea(.remove(id)))))]
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if case .success(let items) = response[AreaListQuery.self]?.value { self.items = items }
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
    static let areas = PanelEntry("areas") { _ in [.show(AreasPanel()), .ask(AreaListQuery())] }
}

extension Prompt {
    /// The prompt for the name of an area of the current view.
    fileprivate static let areaName = Prompt(label: "area: ", example: AreasText.nameExample) {
        (browser, text) throws(Notice.Problem) in
        guard let area = browser.area(named: text) else { throw Notice.Problem(AreasText.invalid(text)) }
        return [.ask(ChangeArea(.add(area, in: try browser.seenBounds())))]
    }
}

extension Browser {
    /// Returns an area with the overlays, the style and the grid that are shown; nil for an invalid name.
    fileprivate func area(named name: String) -> MapArea? {
        guard var area = MapArea(id: name.trimmed) else { return nil }
        area.overlays = map.layers.filter { $0.isVisible && $0.canBeLaidOver && $0.id != ground?.id }.map(
            \.specifier)
        area.map = ground.flatMap {
            $0.role <= .rasterBase && $0.specifier != Self.worldName ? $0.specifier : nil
        }
        area.style = appearance.style == .standard ? nil : appearance.style.text
        area.grid = map.settings.grid?.rawValue
        return area
    }

    /// Returns the actions that show an area: its map, overlays, style and grid, and all of its regions.
    fileprivate func opening(_ item: AreaItem) -> [Action] {
        var actions = [.closePanels] + showingGrid(item.area.grid.flatMap(GridKind.init))
        if let style = item.area.style { actions.append(Action(style: style)) }
        let camera = item.bounds.map { map.viewport.fitted(to: $0, margin: 0.9) }
        if let map = item.map, map != ground?.specifier {
            actions.append(.open(map: map, landing: camera))
        } else if let camera {
            actions.append(.fly(to: camera))
        }
        let shown = Set(map.layers.map(\.specifier))
        return actions
            + item.area.overlays.filter { !shown.contains($0) }
            .map { .effect(.open(source: $0, over: true)) }
    }
}

/// A query for all areas.
public struct AreaListQuery: Query {
    public typealias Response = Result<[AreaItem], Notice.Problem>
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

    public typealias Response = Result<String, Notice.Problem>
}
