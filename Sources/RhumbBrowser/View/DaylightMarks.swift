internal import RhumbCore

/// Draws day and night where there are few colours. The night is hatched, its edge is a dotted line, and
/// cities are points.
struct DaylightMarks {
    private let viewport: Viewport
    private let settings: Settings
    private let daylight: Daylight

    /// The minimum brightness of a light that is drawn as a point.
    private static let leastLight = 0.5

    /// - Returns: Nil if there are enough colours for shading, or daylight is off.
    init?(_ viewport: Viewport, _ settings: Settings) {
        guard let daylight = settings.daylight, settings.depth.needsGlyphs else { return nil }
        self.viewport = viewport
        self.settings = settings
        self.daylight = daylight
    }

    func draw(on grid: inout CellGrid) {
        let nights = (0...viewport.rows).map { row in (0...viewport.columns).map { isNight(row, $0) } }
        for row in 0..<viewport.rows {
            for column in 0..<viewport.columns {
                let night = nights[row][column]
                if night != nights[row][column + 1] || night != nights[row + 1][column] {
                    edge(&grid[row, column])
                } else if night {
                    darken(&grid[row, column], row, column)
                }
            }
        }
        for light in daylight.lights where light.strength >= Self.leastLight { shine(light, on: &grid) }
    }

    private func isNight(_ row: Int, _ column: Int) -> Bool {
        daylight.share(at: viewport.world(column: Double(column) + 0.5, row: Double(row) + 0.5)) < 0.5
    }

    private func edge(_ cell: inout Cell) {
        cell.glyph = settings.isUnicode ? "•" : "."
        cell.style = .bold
        if settings.depth != .mono { cell.ink = .indexed(cell.paper == .indexed(3) ? 0 : 11) }
    }

    /// Draws black dots over a colour; on an empty background only the dots.
    private func darken(_ cell: inout Cell, _ row: Int, _ column: Int) {
        guard cell.glyph == " " || cell.glyph == "\u{2800}" else { return }
        if settings.depth == .mono {
            if (column + row * 2) % 4 == 0 { cell.glyph = settings.isUnicode ? "·" : "." }
        } else if cell.paper != .indexed(0) {
            cell.glyph = settings.isUnicode ? "▒" : ":"
            cell.ink = .indexed(0)
        }
    }

    private func shine(_ light: Daylight.Light, on grid: inout CellGrid) {
        let at = viewport.cell(of: light.point)
        let row = Int(at.row.rounded(.down)), column = Int(at.column.rounded(.down))
        guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column),
            daylight.share(at: light.point) < 0.5
        else { return }
        grid[row, column].glyph = settings.isUnicode ? "▪" : "*"
        if settings.depth != .mono { grid[row, column].ink = .indexed(11) }
    }
}
