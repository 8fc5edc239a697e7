public import RhumbCore

extension CellGrid {
    /// The grid without invisible differences: the ink and weight of blank cells, and the choice between two
    /// blocks with exchanged colours.
    public var visible: CellGrid {
        var grid = self
        for at in grid.cells.indices {
            let cell = grid.cells[at]
            if let twin = cell.complement, cell.ink.isExchangeable, cell.paper.isExchangeable,
                twin.glyph < cell.glyph
            {
                grid.cells[at] = twin
            }
            guard cell.glyph == " ", cell.mark == nil, !cell.isContinuation,
                cell.style.isDisjoint(with: [.reverse, .underline])
            else { continue }
            grid.cells[at] = Cell(" ", paper: cell.paper)
        }
        return grid
    }

    /// Returns a description of the first visible difference between two grids; nil if they look the same.
    public func difference(from other: CellGrid) -> String? {
        guard columns == other.columns, rows == other.rows else {
            return "\(columns)x\(rows) is not \(other.columns)x\(other.rows)"
        }
        let one = visible.cells
        let two = other.visible.cells
        return one.indices.first { one[$0] != two[$0] }.map {
            "row \($0 / columns) column \($0 % columns): \(one[$0]) is not \(two[$0])"
        }
    }
}
