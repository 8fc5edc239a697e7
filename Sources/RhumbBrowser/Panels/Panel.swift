internal import RhumbCore
internal import RhumbEngine

/// What stands in the drawer beside the map: a value that takes keys and says what it shows. Each
/// has a file of its own, where its `PanelEntry` is too, and a line in the key table.
protocol Panel: Sendable {
    /// What calls it up, and closes it when it is open.
    var entry: PanelEntry { get }

    /// Takes a key.
    /// - Returns: nil when the key is not the panel's; then it does what it does on the map.
    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]?

    /// What it shows.
    func text(_ browser: Browser, _ scene: Scene) -> PanelText

    /// Its keys, the one needed most first; Esc is added to them.
    func keys(_ browser: Browser) -> [PanelKey]

    /// Takes a click on the map, at the browser's pointer.
    /// - Returns: nil where it wants none; then the map marks the point.
    mutating func click(_ browser: inout Browser) -> [Effect]?

    /// Goes one level out.
    /// - Returns: whether that was the last one, so that the panel itself closes.
    mutating func close() -> Bool

    /// Asks for what it shows and doesn't know: when it opens, with every tick, and when the view
    /// moved.
    mutating func ask(_ browser: inout Browser) -> [Effect]

    /// Takes in an answer that no other part of the program waits for.
    mutating func learn(_ event: Event, _ browser: inout Browser) -> [Effect]

    /// Whether it describes a point of the map, which is then marked.
    var marksPoint: Bool { get }

    /// Whether it lies under the map across the screen, rather than beside it.
    var spansScreen: Bool { get }

    /// What it has drawn of the stored tiles on the map; nil: nothing.
    func heat(_ browser: Browser) -> HeatOverlay?

    /// Rings of coordinates that it has drawn on the map.
    func rings(_ browser: Browser) -> [[Position]]

    /// Takes a frame that is being drawn on the map with the mouse.
    /// - Returns: nil where it wants none; then the map moves.
    mutating func take(_ frame: Bounds, _ browser: inout Browser) -> [Effect]?
}

extension Panel {
    mutating func click(_ browser: inout Browser) -> [Effect]? { nil }
    mutating func close() -> Bool { true }
    mutating func ask(_ browser: inout Browser) -> [Effect] { [] }
    mutating func learn(_ event: Event, _ browser: inout Browser) -> [Effect] { [] }
    var marksPoint: Bool { false }
    var spansScreen: Bool { false }
    func heat(_ browser: Browser) -> HeatOverlay? { nil }
    func rings(_ browser: Browser) -> [[Position]] { [] }
    mutating func take(_ frame: Bounds, _ browser: inout Browser) -> [Effect]? { nil }
}

/// A key of a panel, as a person reads it: "Enter open".
struct PanelKey: Equatable, Sendable {
    let key: String
    let verb: String

    init(_ key: String, _ verb: String) { (self.key, self.verb) = (key, verb) }

    static let move = PanelKey("j k", "move")
    static let pages = PanelKey("1–4", "pages")
    static let close = PanelKey("Esc", "close")
}

/// What calls up a panel: a command of the key table, and a word after `:`.
public struct PanelEntry: Hashable, Sendable {
    /// The word that calls it up after `:`.
    public let word: String
    let open: @Sendable (inout Browser) -> [Effect]

    init(_ word: String, open: @escaping @Sendable (inout Browser) -> [Effect]) {
        self.word = word
        self.open = open
    }

    public static func == (a: PanelEntry, b: PanelEntry) -> Bool { a.word == b.word }
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }
}

extension Key {
    /// The row a key chooses in a list, if it is one of those that move in lists.
    func row(from row: Int, of count: Int, page: Int) -> Int? {
        scroll(page: page).map { min(max(row + $0, 0), max(count - 1, 0)) }
    }

    private func scroll(page: Int) -> Int? {
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
}
