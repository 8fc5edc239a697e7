internal import RhumbCore
internal import RhumbEngine

/// The edges of tiles on the map, coloured by their state.
struct TileBorders {
    let viewport: Viewport
    let isUnicode: Bool
    /// False to write only the names of tiles.
    var hasLines = true
    /// The indices of cells that stay unchanged, row by row.
    let avoided: Set<Int>

    /// A tile's state, which the colour of its border shows.
    enum Mark: UInt8 {
        case current = 7, fresh = 10, stale = 11, pinned = 12, loading = 14, absent = 8, failed = 9

        fileprivate init(_ mark: TileMark) {
            self =
                switch mark.standing {
                case _ where mark.isPinned: .pinned
                case .current: .current
                case .fresh: .fresh
                case .stale: .stale
                }
        }
    }

    func draw(_ scene: LayerScene, on grid: inout CellGrid) {
        for (area, mark) in Self.marks(scene) { outline(area, mark, on: &grid) }
    }

    /// Returns the tiles with their states, in order.
    static func marks(_ scene: LayerScene) -> [(area: PlacedTile, mark: Mark)] {
        var marks: [PlacedTile: Mark] = [:]
        for picture in scene.pictures where picture.tile == picture.area {
            marks[picture.area] = Mark(picture.mark)
        }
        for gap in scene.gaps {
            switch gap.reason {
            case .loading: marks[gap.area] = .loading
            case .absent: marks[gap.area] = .absent
            case .failed: marks[gap.area] = .failed
            }
        }
        return marks.filter { $0.key.tile.zoom == scene.tileZoom }.map { ($0.key, $0.value) }.sorted {
            ($0.0.copy, $0.0.tile) < ($1.0.copy, $1.0.tile)
        }
    }

    private func outline(_ area: PlacedTile, _ mark: Mark, on grid: inout CellGrid) {
        let box = CellPlacement(viewport).box(of: area)
        let left = box.x0 >> 16, right = box.x1 >> 16, top = box.y0 >> 16, bottom = box.y1 >> 16
        if hasLines { outline(left, right, top, bottom, mark, on: &grid) }
        writeName(area, left, right, top, bottom, mark, on: &grid)
    }

    private func outline(
        _ left: Int, _ right: Int, _ top: Int, _ bottom: Int, _ mark: Mark, on grid: inout CellGrid
    ) {
        let pen = isUnicode ? ("─", "│", "┌") : ("-", "|", "+")
        for column in max(left, 0)..<max(min(right, viewport.columns), 0, left) {
            put(pen.0, row: top, column: column, mark, on: &grid)
        }
        for row in max(top, 0)..<max(min(bottom, viewport.rows), 0, top) {
            put(pen.1, row: row, column: left, mark, on: &grid)
        }
        put(pen.2, row: top, column: left, mark, on: &grid)
    }

    private func writeName(
        _ area: PlacedTile, _ left: Int, _ right: Int, _ top: Int, _ bottom: Int, _ mark: Mark,
        on grid: inout CellGrid
    ) {
        guard right - left > 12, left + 1 < viewport.columns, left + 1 >= 0 else { return }
        let name = area.tile.description, width = min(right - left - 1, viewport.columns - left - 1)
        func isFree(_ row: Int) -> Bool {
            (0..<min(name.width, width)).allSatisfy { !avoided.contains(row * grid.columns + left + 1 + $0) }
        }
        guard let row = (max(top, 0)..<max(min(bottom, viewport.rows), 0, top)).first(where: isFree) else {
            return
        }
        // Over pixels, only the name has a background.
        grid.write(
            hasLines ? name : name.clipped(to: width), row: row, column: left + 1,
            ink: .indexed(mark.rawValue), paper: hasLines ? nil : .terminal, width: hasLines ? width : nil)
    }

    private func put(
        _ glyph: String, row: Int, column: Int, _ mark: Mark, on grid: inout CellGrid
    ) {
        guard row >= 0, row < viewport.rows, column >= 0, column < viewport.columns,
            !avoided.contains(row * grid.columns + column)
        else { return }
        grid.write(glyph, row: row, column: column, ink: .indexed(mark.rawValue))
    }
}
