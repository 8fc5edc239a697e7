internal import RhumbCore

/// Writes labels over the map so that they can be read.
struct LabelPainter {
    /// What the map's cells are of the layout's.
    let view: CellBox
    let theme: Settings.Theme
    let depth: ColorDepth
    let isUnicode: Bool

    func draw(_ labels: [LabelLayout.Placed], on grid: inout CellGrid) {
        for label in labels {
            let row = label.row - view.rows.lowerBound, first = label.columns.lowerBound - view.columns.lowerBound
            let sign = label.sign.map { ($0.sign, $0.row - view.rows.lowerBound, $0.column - view.columns.lowerBound) }
            let beneath = (first..<(first + label.columns.count)).map { LabelPainter.mean(grid[row, $0]) }
            let ground = beneath.isEmpty ? sign.map { [LabelPainter.mean(grid[$0.1, $0.2])] } ?? [] : beneath
            let ink = LabelInk(label.ink, on: ground, theme)
            let covered = (sign.map { [grid[$0.1, $0.2]] } ?? []) + (first..<(first + label.columns.count)).map { grid[row, $0] }
            let indexed = ink.indexed(over: covered, theme)
            if let (sign, row, column) = sign {
                put(isUnicode ? sign.unicode : sign.ascii, row, column, ink, indexed, [], on: &grid)
            }
            var column = first
            for character in label.text {
                put(String(character), row, column, ink, indexed, label.isBold ? .bold : [], on: &grid)
                column += String(character).width
            }
        }
    }

    private func put(
        _ glyph: String, _ row: Int, _ column: Int, _ ink: LabelInk, _ indexed: (ink: UInt8, paper: UInt8),
        _ style: Cell.Style, on grid: inout CellGrid
    ) {
        let width = glyph.width
        guard width > 0, column >= 0, column + width <= grid.columns else { return }
        let shown = isUnicode || glyph.unicodeScalars.allSatisfy(\.isASCII) ? glyph : "?"
        switch depth {
        case .truecolor, .indexed256:
            let paper = ink.paper(over: LabelPainter.mean(grid[row, column]))
            grid.write(shown, row: row, column: column, ink: .rgb(ink.ink), paper: .rgb(paper), style: style)
        case .indexed16:
            // Terminals that brighten bold letters make grey ones of black.
            grid.write(
                shown, row: row, column: column, ink: .indexed(indexed.ink), paper: .indexed(indexed.paper),
                style: indexed.ink == 0 ? [] : style)
        case .mono:
            grid.write(shown, row: row, column: column, paper: .terminal, style: .bold)
        }
    }

    /// The colour that a cell has from afar.
    private static func mean(_ cell: Cell) -> RGB {
        let paper = rgb(cell.paper), ink = rgb(cell.ink)
        guard cell.glyph != " ", let ink else { return paper ?? RGB(0) }
        guard let paper else { return ink }
        return paper.mixed(with: ink, 0.5)
    }

    private static func rgb(_ colour: CellColor) -> RGB? {
        switch colour.kind {
        case .rgb(let own): own
        case .indexed(let index): index >= 16 ? Palette256.colour(Int(index)) : Palette16.colour(index)
        case .terminal: nil
        }
    }
}
