internal import RhumbCore
internal import RhumbEngine

/// A panel beside the map: a value that handles keys and returns its text. It changes only its own state. For
/// everything else, it returns actions. Each has a file of its own, with its `PanelEntry`, and a line in the
/// key table.
protocol Panel: Sendable {
    /// The entry that opens the panel, and closes it if it is open.
    var entry: PanelEntry { get }

    /// Handles a key before the keys that all panels share.
    /// - Returns: nil for a key that is not the panel's own.
    mutating func press(_ key: Key, _ browser: Browser) -> [Action]?

    /// Handles Enter, which opens or starts the selection.
    /// - Returns: nil if Enter does nothing in this panel.
    mutating func act(_ browser: Browser) -> [Action]?

    /// Handles `x` and Del, which remove the selection, after a confirmation if that can't be undone.
    /// - Returns: nil if nothing can be removed in this panel.
    mutating func remove(_ browser: Browser) -> [Action]?

    /// Returns the text that `y` copies: that of the selection, or of the whole panel if nothing is selected.
    func copied(_ browser: Browser) -> String

    /// The words that filter the list, typed after `/`; nil for a panel without a list.
    var filter: String? { get set }

    /// The tab of the panel of offline maps; nil for another panel.
    var tab: OfflineTab? { get }

    /// True if arrows move the map and only PgUp, PgDn, Home, End and the wheel scroll the panel.
    var arrowsMoveMap: Bool { get }

    /// Returns the content of the panel.
    func text(_ browser: Browser, _ scene: Scene) -> PanelText

    /// Returns the keys of this panel, most useful first, without the keys that all panels share.
    func keys(_ browser: Browser) -> [PanelKey]

    /// Handles a click on the map, at the browser's pointer.
    /// - Returns: Nil to let the map mark the point.
    mutating func click(_ browser: Browser) -> [Action]?

    /// Leaves the innermost level.
    /// - Returns: True if that was the last one, so that the panel closes.
    mutating func close() -> Bool

    /// Requests missing data. Called when the panel opens, with every tick, and after the view moved.
    mutating func ask(_ browser: Browser) -> [Action]

    /// Accepts the responses to the panel's own queries, and ignores others.
    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action]

    /// Handles `y` as the answer to a question of the panel, if the question's actions include `agreed`.
    mutating func agree(_ browser: Browser) -> [Action]

    /// True if the panel describes a point of the map, which is then marked.
    var marksPoint: Bool { get }

    /// True if the panel is always drawn across the screen, over the lower part of the map.
    var spansScreen: Bool { get }

    /// Returns the overlay of stored tiles to draw on the map; nil for none.
    func heat(_ browser: Browser) -> HeatOverlay?

    /// Returns rings of coordinates to draw on the map.
    func rings(_ browser: Browser) -> [[Position]]

    /// Handles a frame that the user draws on the map with the mouse.
    /// - Returns: Nil to move the map instead.
    mutating func take(_ frame: Bounds, _ browser: Browser) -> [Action]?
}

extension Panel {
    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? { nil }
    mutating func act(_ browser: Browser) -> [Action]? { nil }
    mutating func remove(_ browser: Browser) -> [Action]? { nil }
    func copied(_ browser: Browser) -> String { text(browser, Scene(layers: [])).plain }
    var filter: String? {
        get { nil }
        set {}
    }
    var tab: OfflineTab? { nil }
    var arrowsMoveMap: Bool { marksPoint }
    func keys(_ browser: Browser) -> [PanelKey] { [] }
    mutating func click(_ browser: Browser) -> [Action]? { nil }
    mutating func close() -> Bool { true }
    mutating func ask(_ browser: Browser) -> [Action] { [] }
    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] { [] }
    mutating func agree(_ browser: Browser) -> [Action] { [] }
    var marksPoint: Bool { false }
    var spansScreen: Bool { false }
    func heat(_ browser: Browser) -> HeatOverlay? { nil }
    func rings(_ browser: Browser) -> [[Position]] { [] }
    mutating func take(_ frame: Bounds, _ browser: Browser) -> [Action]? { nil }
}

/// A panel with a prompt of its own, such as that of a search.
protocol PromptPanel: Panel {
    /// Handles a key before the prompt does.
    /// - Returns: nil if the prompt should handle the key.
    mutating func pressInPrompt(_ key: Key, _ browser: Browser) -> [Action]?

    /// Handles a change of the line.
    mutating func promptChanged(_ line: String, _ browser: Browser) -> [Action]

    /// Handles Enter, which has closed the prompt.
    mutating func answer(_ line: String, _ browser: Browser) throws(Notice.Problem) -> [Action]
}

extension PromptPanel {
    mutating func pressInPrompt(_ key: Key, _ browser: Browser) -> [Action]? { nil }
    mutating func promptChanged(_ line: String, _ browser: Browser) -> [Action] { [] }
}

/// The ways to open a panel: a command of the key table, and a word after `:`.
public struct PanelEntry: Hashable, Sendable {
    /// The word that opens the panel after `:`.
    public let word: String
    /// Returns the actions that open the panel.
    let opening: @Sendable (Browser) -> [Action]

    init(_ word: String, opening: @escaping @Sendable (Browser) -> [Action]) {
        self.word = word
        self.opening = opening
    }

    public static func == (a: PanelEntry, b: PanelEntry) -> Bool { a.word == b.word }
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

extension Key {
    /// Returns the row that a key selects in a list; nil for a key that doesn't move in lists.
    func row(from row: Int, of count: Int, page: Int) -> Int? {
        steps(page: page).map { min(max(row + $0, 0), max(count - 1, 0)) }
    }

    /// Moves the selection in a list.
    /// - Returns: False for a key that doesn't move in lists.
    func move(_ row: inout Int, of count: Int, page: Int) -> Bool {
        guard let next = self.row(from: row, of: count, page: page) else { return false }
        row = next
        return true
    }

    /// Moves the selection in a list whose rows may change under it.
    /// - Returns: False for a key that doesn't move in lists.
    func move<ID>(_ cursor: inout ListCursor<ID>, in ids: [ID], page: Int) -> Bool {
        guard !ids.isEmpty, let next = row(from: cursor.row(in: ids), of: ids.count, page: page) else {
            return false
        }
        cursor.choose(next, in: ids)
        return true
    }

    /// Returns the number of lines that a key moves down, or up if negative; nil for a key that doesn't move
    /// in lists.
    func steps(page: Int) -> Int? {
        switch self {
        case .arrow(.down, _), .character("j"): 1
        case .arrow(.up, _), .character("k"): -1
        case .pageDown: page
        case .pageUp: -page
        case .home: -1_000_000
        case .end: 1_000_000
        default: nil
        }
    }

    /// True for the keys that also move the map: arrows, `j` and `k`.
    var isArrow: Bool {
        switch self {
        case .arrow, .character("j"), .character("k"): true
        default: false
        }
    }
}

/// The display of stored tiles over the map.
struct HeatOverlay {
    /// True if only tiles of regions are shown.
    let onlyPinned: Bool
}

/// The filter of a panel's list by words typed after `/`.
extension Panel {
    /// Returns true if the filter is empty or part of one of the texts, ignoring case and accents.
    func matches(_ texts: String...) -> Bool {
        guard let filter, !filter.isEmpty else { return true }
        let folded = FoldedName.fold(filter)
        return texts.contains { FoldedName.fold($0).contains(folded) }
    }
}

extension Prompt {
    /// Returns the prompt for the filter of the open panel, which is applied while the user types.
    static func panelFilter(_ text: String) -> Prompt {
        var prompt = Prompt(
            label: "filter: ", example: SearchText.filterExample, line: LineEditor(text), mayBeEmpty: true,
            owner: .filter)
        prompt.enterVerb = "done"
        return prompt
    }
}

extension Browser {
    /// Filters the list of the open panel. Empty words show the whole list.
    mutating func filterPanel(_ text: String) {
        _ = offerToPanel { panel, _ in
            panel.filter = text
            return []
        }
        panels.scroll = 0
    }

    mutating func pressInFilter(_ key: Key) -> [Effect]? {
        switch key {
        case .escape:
            input.prompt = nil
            filterPanel("")
            return []
        case .arrow(.up, _), .arrow(.down, _): return pressInPanel(key)
        default: return nil
        }
    }
}

/// The selected row of a list that may change at any time, such as when another program adds a region. The
/// selection stays on its item, or in its place if the item is gone.
struct ListCursor<ID: Equatable & Sendable>: Sendable {
    private var chosen: ID?
    private var lastRow: Int

    /// - Parameter row: The row that is selected at first.
    init(row: Int = 0) { lastRow = row }

    /// True if an item was selected.
    var isSet: Bool { chosen != nil }

    /// Returns the selected row.
    /// - Parameter ids: The ids of all rows, at least one.
    func row(in ids: [ID]) -> Int {
        chosen.flatMap { id in ids.firstIndex(of: id) } ?? min(lastRow, max(ids.count - 1, 0))
    }

    mutating func choose(_ row: Int, in ids: [ID]) {
        chosen = ids[row]
        lastRow = row
    }
}
