internal import RhumbCore

/// The colours around the map: an accent and the bar below the map, both chosen for the terminal's
/// background. Everything else uses the terminal's own colours.
struct UIPalette {
    /// The colour of titles and keys.
    let accent: CellColor
    /// The colour of problems.
    let alarm: CellColor
    /// The colours of the bar, and its style in terminals without colours.
    let bar: (ink: CellColor, paper: CellColor, style: Cell.Style)

    /// - Parameter theme: The theme that fits the terminal's background.
    init(_ theme: Settings.Theme, _ depth: ColorDepth) {
        alarm = depth == .mono ? .terminal : .indexed(theme == .day ? 1 : 9)
        accent = depth == .mono ? .terminal : .indexed(theme == .day ? 4 : 14)
        switch (depth, theme) {
        case (.truecolor, .night): bar = (.rgb(RGB(0xC9D3DA)), .rgb(RGB(0x1F2A33)), [])
        case (.truecolor, .day): bar = (.rgb(RGB(0x2B2B28)), .rgb(RGB(0xE4DFD3)), [])
        case (.indexed256, .night): bar = (.indexed(252), .indexed(236), [])
        case (.indexed256, .day): bar = (.indexed(235), .indexed(253), [])
        default: bar = (.terminal, .terminal, .reverse)
        }
    }
}

extension Browser {
    var face: UIPalette { UIPalette(terminalTheme, map.settings.depth) }
}

/// A progress bar.
struct ShareBar {
    /// The filled share, from 0 to 1.
    let share: Double
    let width: Int

    /// Returns the bar as cells of a panel's line: a thick line over a thin one.
    func cells(_ face: UIPalette, isUnicode: Bool) -> [Cell] {
        let full = min(max(Int(clamping: share * Double(width)), share > 0 ? 1 : 0), width)
        let done = Cell(isUnicode ? "━" : "#", ink: face.accent, style: .bold)
        let rest = Cell(isUnicode ? "─" : "-", style: .dim)
        return Array(repeating: done, count: full) + Array(repeating: rest, count: max(width - full, 0))
    }
}
