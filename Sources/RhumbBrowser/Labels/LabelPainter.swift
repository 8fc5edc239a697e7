internal import RhumbCore

/// Writes names over the map so that they can be read: every letter stands on a colour made of
/// what lies beneath, moved away from the ink until the contrast is enough (WCAG 2, 4.5 to 1).
struct LabelPainter {
    /// What the map's cells are of the layout's.
    let view: CellBox
    let theme: Settings.Theme
    let depth: ColorDepth
    let isUnicode: Bool

    private static let contrast = 4.5
    /// How far what lies beneath may be moved for a style's colour; beyond, the theme's is used.
    private static let mostShade = 0.75

    func draw(_ names: [NameLayout.Placed], on grid: inout CellGrid) {
        for name in names {
            let row = name.row - view.rows.lowerBound, first = name.columns.lowerBound - view.columns.lowerBound
            let ink = ink(name, row, first, on: grid)
            if let sign = name.sign {
                let glyph = isUnicode ? sign.sign.unicode : sign.sign.ascii
                put(glyph, sign.row - view.rows.lowerBound, sign.column - view.columns.lowerBound, ink, [], on: &grid)
            }
            let style: Cell.Style = name.isBold ? .bold : []
            var column = first
            for character in name.text {
                put(String(character), row, column, ink, style, on: &grid)
                column += String(character).width
            }
        }
    }

    /// A style's colour where it can be read on what lies beneath, a little shaded; else the
    /// theme's own.
    private func ink(_ name: NameLayout.Placed, _ row: Int, _ column: Int, on grid: CellGrid) -> RGB {
        switch (name.ink, theme) {
        case (.country, .day): return RGB(0x5A4864)
        case (.country, .night): return RGB(0xC9B8D6)
        case (.style(let own), _) where isReadable(own, grid, row, column..<(column + max(name.columns.count, 1))): return own
        case (_, .day): return RGB(0x1E1E1E)
        case (_, .night): return RGB(0xF2F2F2)
        }
    }

    private func isReadable(_ ink: RGB, _ grid: CellGrid, _ row: Int, _ columns: Range<Int>) -> Bool {
        columns.allSatisfy { column in
            let beneath = LabelPainter.mean(grid.cells[row * grid.columns + column])
            return LabelPainter.contrast(ink, beneath.mixed(with: away, LabelPainter.mostShade)) >= LabelPainter.contrast
        }
    }

    private var away: RGB { theme == .day ? RGB(0xFFFFFF) : RGB(0) }

    private func put(_ glyph: String, _ row: Int, _ column: Int, _ ink: RGB, _ style: Cell.Style, on grid: inout CellGrid) {
        let width = glyph.width
        guard width > 0, column >= 0, column + width <= grid.columns else { return }
        guard isUnicode || glyph.unicodeScalars.allSatisfy(\.isASCII) else {
            return write("?", row, column, ink, style, on: &grid)
        }
        write(glyph, row, column, ink, style, on: &grid)
    }

    private func write(
        _ glyph: String, _ row: Int, _ column: Int, _ ink: RGB, _ style: Cell.Style, on grid: inout CellGrid
    ) {
        switch depth {
        case .truecolor, .indexed256:
            let beneath = LabelPainter.mean(grid.cells[row * grid.columns + column])
            grid.write(
                glyph, row: row, column: column, ink: .rgb(ink), paper: .rgb(readable(beneath, under: ink)),
                style: style)
        case .indexed16, .mono:
            grid.write(glyph, row: row, column: column, paper: .terminal, style: .bold)
        }
    }

    private static func mean(_ cell: Cell) -> RGB {
        let paper = rgb(cell.paper), ink = rgb(cell.ink)
        guard cell.glyph != " ", let ink else { return paper ?? RGB(0) }
        guard let paper else { return ink }
        return paper.mixed(with: ink, 0.5)
    }

    private static func rgb(_ colour: CellColor) -> RGB? {
        switch colour.kind {
        case .rgb(let own): own
        case .indexed(let index): index >= 16 ? Palette256.colour(Int(index)) : nil
        case .terminal: nil
        }
    }

    /// The colour nearest to what lies beneath on which the ink can be read.
    private func readable(_ beneath: RGB, under ink: RGB) -> RGB {
        for step in 0...8 {
            let colour = beneath.mixed(with: away, Double(step) / 8)
            if LabelPainter.contrast(ink, colour) >= LabelPainter.contrast { return colour }
        }
        return away
    }

    private static func contrast(_ a: RGB, _ b: RGB) -> Double {
        let lights = (a.luminance, b.luminance)
        return (max(lights.0, lights.1) + 0.05) / (min(lights.0, lights.1) + 0.05)
    }
}

extension RGB {
    /// WCAG 2's relative luminance, with the square for the power of 2.4.
    fileprivate var luminance: Double {
        func linear(_ level: UInt8) -> Double { Double(level) * Double(level) / 65_025 }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
