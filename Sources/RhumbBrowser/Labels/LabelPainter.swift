internal import RhumbCore

/// Writes names over the map so that they can be read: every letter stands on a colour made of
/// what lies beneath, moved away from the ink until the contrast is enough (WCAG 2, 4.5 to 1).
struct LabelPainter {
    let viewport: Viewport
    let theme: Settings.Theme
    let depth: ColorDepth
    let isUnicode: Bool

    private static let contrast = 4.5

    func draw(_ labels: [LabelLayout.Label], on grid: inout CellGrid) {
        for label in labels where (0..<viewport.rows).contains(label.row) {
            // A name that the edge cuts would be read wrong.
            guard label.column >= 0, label.column + label.text.width <= viewport.columns else { continue }
            if let mark = label.mark { put(sign(label.place.kind), label.row, mark, ink(label.place), on: &grid) }
            var column = label.column
            for character in label.text {
                put(String(character), label.row, column, ink(label.place), on: &grid)
                column += String(character).width
            }
        }
    }

    private func sign(_ kind: NamedPlace.Kind) -> String {
        switch kind {
        case .capital: isUnicode ? "●" : "*"
        case .city: isUnicode ? "○" : "o"
        default: isUnicode ? "·" : "."
        }
    }

    private func ink(_ place: NamedPlace) -> RGB {
        let isCountry = place.kind == .country
        switch theme {
        case .day: return isCountry ? RGB(0x5A4864) : RGB(0x1E1E1E)
        case .night: return isCountry ? RGB(0xC9B8D6) : RGB(0xF2F2F2)
        }
    }

    private func put(_ glyph: String, _ row: Int, _ column: Int, _ ink: RGB, on grid: inout CellGrid) {
        let width = glyph.width
        guard width > 0, column >= 0, column + width <= viewport.columns else { return }
        guard isUnicode || glyph.unicodeScalars.allSatisfy(\.isASCII) else {
            return write("?", row, column, ink, on: &grid)
        }
        write(glyph, row, column, ink, on: &grid)
    }

    private func write(_ glyph: String, _ row: Int, _ column: Int, _ ink: RGB, on grid: inout CellGrid) {
        switch depth {
        case .truecolor, .indexed256:
            let beneath = LabelPainter.mean(grid.cells[row * grid.columns + column])
            grid.write(
                glyph, row: row, column: column, ink: .rgb(ink), paper: .rgb(readable(beneath, under: ink)))
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
        let away = theme == .day ? RGB(0xFFFFFF) : RGB(0)
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
