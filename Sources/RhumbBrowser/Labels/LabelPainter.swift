internal import RhumbCore

/// Writes labels over the map with readable colours.
struct LabelPainter {
    /// The visible cells, in the layout's grid.
    let view: CellBox
    let theme: Settings.Theme
    let depth: ColorDepth
    let isUnicode: Bool
    var inks = LabelInk.Memory()
    /// True if each text has one background colour, because its cells are over pixels.
    var inPixels = false

    /// The colours of a label.
    private enum Pen {
        /// Colours between those below the text. The paper is that of the whole text; nil if each cell
        /// has its own.
        case fine(LabelInk, paper: CellColor?)
        case sixteen(SixteenInk)
        case bare
    }

    func draw(_ labels: [LabelLayout.Placed], on grid: inout CellGrid) {
        for label in labels {
            let row = label.row - view.rows.lowerBound,
                first = label.columns.lowerBound - view.columns.lowerBound
            let sign = label.sign.map {
                ($0.sign, $0.row - view.rows.lowerBound, $0.column - view.columns.lowerBound)
            }
            let beneath = (first..<(first + label.columns.count)).map { grid[row, $0] }
            let ground =
                depth == .indexed16 ? around(row, first..<(first + label.columns.count), on: grid) : beneath
            let pen = pen(for: label.ink, over: ground, sign: sign.map { grid[$0.1, $0.2] })
            if let (sign, row, column) = sign {
                let own = sign.ink.map { self.pen(for: .style($0), over: [], sign: grid[row, column]) }
                put(isUnicode ? sign.unicode : sign.ascii, row, column, own ?? pen, [], on: &grid)
            }
            var column = first
            for character in label.text {
                column += put(String(character), row, column, pen, label.isBold ? .bold : [], on: &grid)
                for _ in 0..<label.blanks where column < first + label.columns.count {
                    put(" ", row, column, pen, [], on: &grid)
                    column += 1
                }
            }
        }
    }

    /// Returns the cells below and around a text. With few background colours, the text must not look like a
    /// box in a colour of its own.
    private func around(_ row: Int, _ columns: Range<Int>, on grid: CellGrid) -> [Cell] {
        let wide = max(columns.lowerBound - 4, 0)..<min(columns.upperBound + 4, grid.columns)
        return (max(row - 2, 0)...min(row + 2, grid.rows - 1)).flatMap { row in wide.map { grid[row, $0] } }
    }

    /// - Parameters:
    ///   - cells: The cells below the text.
    ///   - sign: The cell below the sign; nil for none.
    private func pen(for wanted: MapLabel.Ink, over cells: [Cell], sign: Cell?) -> Pen {
        guard depth != .mono else { return .bare }
        let sign = sign.map { [$0] } ?? []
        if depth == .indexed16 { return .sixteen(SixteenInk(wanted, over: sign + cells, theme)) }
        let ground = (cells.isEmpty ? sign : cells).map(\.mean)
        let ink = inks.ink(wanted, on: ground, theme, depth)
        return .fine(ink, paper: inPixels ? ink.paper(over: .mean(of: ground)) : nil)
    }

    /// Writes a character, and returns its width.
    @discardableResult
    private func put(
        _ glyph: String, _ row: Int, _ column: Int, _ pen: Pen, _ style: Cell.Style, on grid: inout CellGrid
    ) -> Int {
        let width = glyph.width
        guard width > 0, column >= 0, column + width <= grid.columns else { return width }
        let isShown = isUnicode || glyph.unicodeScalars.allSatisfy(\.isASCII)
        let shown = isShown ? glyph : glyph == "…" ? "." : "?"
        switch pen {
        case .fine(let ink, let shared):
            let paper = shared ?? ink.paper(over: grid[row, column].mean)
            grid.write(shown, row: row, column: column, ink: ink.ink, paper: paper, style: style)
        case .sixteen(let pair):
            grid.write(
                shown, row: row, column: column, ink: .indexed(pair.ink), paper: .indexed(pair.paper),
                style: pair.mayBeBold ? style : [])
        case .bare:
            grid.write(shown, row: row, column: column, paper: .terminal, style: .bold)
        }
        return width
    }
}

extension RGB {
    /// Returns the mean of some colours; black if there are none.
    fileprivate static func mean(of colours: [RGB]) -> RGB {
        let sum = colours.reduce(SIMD3<Int>.zero) { $0 &+ SIMD3(Int($1.red), Int($1.green), Int($1.blue)) }
        let mean = sum / max(colours.count, 1)
        return RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}

extension Cell {
    /// The mean of both colours if the glyph is part of a picture, otherwise the background colour.
    var mean: RGB {
        guard glyph != " ", let ink = ink.rgb else { return paper.rgb ?? RGB(0) }
        guard let paper = paper.rgb else { return ink }
        return isBlock ? paper.mixed(with: ink, 0.5) : paper
    }

    /// True for glyphs that fill parts of a cell: block elements, Braille patterns, and symbols for legacy
    /// computing.
    private var isBlock: Bool {
        switch glyph.value {
        case 0x2580...0x259F, 0x2800...0x28FF, 0x1FB00...0x1FBAF, 0x1CD00...0x1CDEB: true
        default: false
        }
    }
}
