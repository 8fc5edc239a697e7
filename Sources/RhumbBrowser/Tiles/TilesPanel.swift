internal import RhumbCore
internal import RhumbEngine

/// The list of the tiles with the largest values or changes.
struct TilesPanel: Panel {
    var entry: PanelEntry { .tiles }
    private var row: Int
    var filter: String? = "" { didSet { row = 0 } }

    init(row: Int) { self.row = row }

    mutating func ask(_ browser: Browser) -> [Action] { browser.askingRanking() }

    /// The tiles that match the filter, with their indices.
    private func rows(_ browser: Browser) -> [(index: Int, tile: ListedTile)] {
        (browser.listedTiles ?? []).enumerated().filter { matches("\($1.tile)", $1.text) }
            .map { ($0.offset, $0.element) }
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        key.move(&row, of: rows(browser).count, page: 10) ? [] : nil
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        let rows = rows(browser)
        return rows.indices.contains(row) ? browser.going(toListed: rows[row].index) : nil
    }

    func copied(_ browser: Browser) -> String {
        let rows = rows(browser)
        return rows.indices.contains(row) ? "\(rows[row].tile.tile)" : ""
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        browser.listedTiles?.isEmpty == false
            ? [.init("Enter", "go"), .init("b", TilesText.next), .copy] : []
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let title = TilesText.listTitle(browser.tiles.view)
        guard browser.tiles.view == .changes || browser.tiles.view.measure != nil else {
            return PanelText(title: title, lines: browser.wrapped(TilesText.pressB))
        }
        guard browser.listedTiles != nil else {
            return PanelText(title: title, lines: [.init(text: TilesText.measuring)])
        }
        let lines = rows(browser).enumerated().map { at, row in
            PanelText.Line.row("\(row.tile.tile)", right: row.tile.text, isSelected: at == self.row)
        }
        let isEmpty = browser.listedTiles?.isEmpty ?? true
        return PanelText(title: title, lines: isEmpty ? browser.wrapped(TilesText.nothingListed) : lines)
    }
}

extension PanelEntry {
    static let tiles = PanelEntry("tiles") { [.show(TilesPanel(row: $0.tiles.walked ?? 0))] }
}

/// The texts about tiles on the map.
enum TilesText {
    static let noComparison = "Nothing to compare: these keys need two versions of an archive"
    static let swiping = "← → move the edge, or drag it; X ends this"
    static let measuring = "Measuring all tiles …"
    static let nothingListed = "No tiles to list"
    static let pressB = "Press b to show the sizes, features, vertices or ages of tiles."
    static let next = "next property"

    static func title(_ measure: TileMeasure) -> String {
        measure == .bytes ? "size of tiles" : "\(measure.rawValue) of tiles"
    }

    static func shown(_ view: TileView) -> String {
        switch view {
        case .none: "Tiles hidden"
        case .borders: "Borders of tiles"
        case .changes: "Changed tiles (next . list B other archive x)"
        case .bytes, .features, .vertices, .age: "Tiles by \(view.rawValue) (next . list B)"
        }
    }

    static func listTitle(_ view: TileView) -> String {
        switch view {
        case .none, .borders: "Tiles"
        case .changes: "Changed tiles"
        case .age: "Oldest tiles"
        case .bytes, .features, .vertices: "Tiles with most \(view.rawValue)"
        }
    }
}
