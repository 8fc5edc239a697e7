internal import RhumbCore
internal import RhumbEngine

/// The parts of the last frame that affect names on the map.
public struct FrameLayout: Equatable, Sendable {
    /// The cells below panels and legends.
    var covered: [CellBox] = []
    /// The drawn panel; nil for none.
    var panel: DrawnPanel?
    /// The area where another map is visible in the base map's gaps; nil for none.
    var open: UncoveredCells?

    init() {}
}

/// The position, lines and keys of a panel on the screen.
struct DrawnPanel: Equatable, Sendable {
    /// Identifies the panel in its stack.
    let id: Int
    let frame: PanelFrame
    let position: ScrollPosition
    /// The first line shown.
    let top: Int
    let keys: [[PanelKey]]
}

/// The visible area where the base map is empty.
struct UncoveredCells: Equatable, Sendable {
    /// The box outside which the base map is empty; nil for a map of the whole world.
    let bounds: Bounds?
    /// The empty tiles within the view.
    let tiles: [TileID]
    /// True if the base map is empty everywhere.
    let isEverywhere: Bool

    func contains(_ place: Coordinate) -> Bool {
        if isEverywhere || bounds?.contains(place) == false { return true }
        let point = Mercator.world(place)
        return tiles.contains { TileID(zoom: $0.zoom, containing: point) == $0 }
    }
}

extension PanelFrame {
    /// The cells of the panel.
    var box: CellBox { CellBox(columns: column..<(column + columns), rows: row..<(row + rows)) }
}

/// The visible part of a panel's lines.
struct ScrollPosition: Equatable, Sendable {
    let lines: Int
    /// The number of visible lines.
    let room: Int
    /// The index of the first visible line without scrolling.
    let first: Int

    /// Returns the index of the first visible line.
    func top(_ scroll: Int) -> Int { min(max(min(first, most) + scroll, 0), most) }

    /// Returns the scroll value after `steps` more lines.
    func scroll(_ scroll: Int, by steps: Int) -> Int {
        min(max(top(scroll) + steps, 0), most) - min(first, most)
    }

    private var most: Int { max(lines - room, 0) }
}

/// The position of a panel: a drawer on the right, or a sheet over the lower half of narrow screens.
struct PanelFrame: Equatable {
    let row: Int
    let column: Int
    let rows: Int
    let columns: Int

    /// True for a sheet over the lower part of the map.
    private var isSheet: Bool { column == 0 }

    /// Returns the frame reduced to the height that its content needs.
    func fitted(to lines: Int) -> PanelFrame {
        let needed = min(lines, rows)
        return PanelFrame(
            row: isSheet ? row + rows - needed : row, column: column, rows: needed, columns: columns)
    }
}
