internal import RhumbCore

/// The directions of tracks: arrows along them, and marks at their starts and ends.
extension OverlayPainter {
    mutating func drawSigns(of patches: [OverlayPatch], isFaint: Bool, on grid: inout CellGrid) {
        for sign in patches.lazy.flatMap(\.signs) where cells.contains(column: sign.column, row: sign.row) {
            put(sign, isFaint, &grid)
        }
    }

    /// Draws a sign, but not over names and other marks.
    private mutating func put(_ sign: OverlayPatch.Sign, _ isFaint: Bool, _ grid: inout CellGrid) {
        let row = sign.row - cells.rows.lowerBound, column = sign.column - cells.columns.lowerBound
        guard taken.insert(row * viewport.columns + column).inserted else { return }
        let (glyph, ink) = look(of: sign.kind), (pen, paper, style) = single(ink, grid[row, column])
        grid.write(glyph, row: row, column: column, ink: pen, paper: paper, style: isFaint ? .dim : style)
    }

    private func look(of kind: OverlayPatch.Sign.Kind) -> (glyph: String, ink: RGB) {
        switch kind {
        case .start: (settings.isUnicode ? "○" : "o", RGB(0x12A150))
        case .end: (settings.isUnicode ? "⚑" : "#", RGB(0xE5383B))
        case .arrow(let degrees):
            (
                Heading.arrow(degrees, isUnicode: settings.isUnicode),
                theme == .day ? RGB(0x101418) : RGB(0xFFFFFF)
            )
        }
    }
}
