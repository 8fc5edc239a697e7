public import RhumbCore

extension CellGrid {
    /// The grid without invisible differences: the ink and weight of blank cells, the choice between two
    /// blocks with exchanged colours, and blocks of one colour.
    public var visible: CellGrid {
        var grid = self
        for at in grid.cells.indices {
            let cell = grid.cells[at]
            if let twin = cell.complement, cell.ink.isExchangeable, cell.paper.isExchangeable,
                twin.glyph < cell.glyph
            {
                grid.cells[at] = twin
            }
            if cell.complement != nil, cell.ink.isExchangeable, cell.ink == cell.paper {
                grid.cells[at] = Cell(" ", paper: cell.paper)
            }
            guard cell.glyph == " ", cell.mark == nil, !cell.isContinuation,
                cell.style.isDisjoint(with: [.reverse, .underline])
            else { continue }
            grid.cells[at] = Cell(" ", paper: cell.paper)
        }
        return grid
    }

    /// Returns a description of the first visible difference between two grids; nil if they look the same.
    /// - Parameter tolerance: The largest difference in a channel of direct colours that counts as equal.
    public func difference(from other: CellGrid, tolerance: Int = 0) -> String? {
        guard columns == other.columns, rows == other.rows else {
            return "\(columns)x\(rows) is not \(other.columns)x\(other.rows)"
        }
        let one = visible.cells
        let two = other.visible.cells
        return one.indices.first { !one[$0].isNear(two[$0], tolerance) }.map {
            "row \($0 / columns) column \($0 % columns): \(one[$0]) is not \(two[$0])"
        }
    }
}

extension Cell {
    fileprivate func isNear(_ other: Cell, _ tolerance: Int) -> Bool {
        // A block of two similar colours looks like a blank cell.
        if tolerance > 0, (glyph == " ") != (other.glyph == " ") {
            let (blank, block) = glyph == " " ? (self, other) : (other, self)
            return block.complement != nil && blank.style.isEmpty
                && [block.ink, block.paper].allSatisfy { $0.difference(from: blank.paper) <= tolerance }
        }
        var other = other
        if ink.difference(from: other.ink) <= tolerance { other.ink = ink }
        if paper.difference(from: other.paper) <= tolerance { other.paper = paper }
        return self == other
    }
}

extension CellColor {
    /// Returns the largest difference in a channel; 255 between different kinds of colours.
    public func difference(from other: CellColor) -> Int {
        guard case .rgb(let a) = kind, case .rgb(let b) = other.kind else { return self == other ? 0 : 255 }
        let channels = [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)]
        return channels.reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
    }
}
