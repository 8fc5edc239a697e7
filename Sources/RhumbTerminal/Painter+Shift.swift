internal import RhumbCore

/// Scrolling: after a pan, the terminal moves the cells it already shows, and only uncovered cells are drawn.
extension Painter {
    /// Lets the terminal move its cells if over a quarter of the screen changed and moving saves over
    /// a quarter of those changes.
    mutating func shift() {
        let capabilities = encoder.capabilities
        guard var moved = shown, capabilities.movesLines || capabilities.movesCells else { return }
        let before = changes(in: moved, 0..<moved.count)
        guard before * 4 > moved.count,
            let shift = ScreenShift.find(from: moved, to: wanted, columns: columns)
        else { return }
        let box = changedBox
        var plan = ShiftPlan()
        if shift.rows != 0 {
            guard capabilities.movesLines, abs(shift.rows) < box.rows.count else { return }
            plan.lines = (box.rows, shift.rows)
            moveLines(&moved, box.rows, by: shift.rows)
        }
        if shift.columns != 0 {
            guard capabilities.movesCells, abs(shift.columns) < box.columns.count else { return }
            for row in box.rows where moveCells(&moved, row, box.columns, by: shift.columns) {
                plan.rows.append(row)
            }
        }
        guard changes(in: moved, 0..<moved.count) * 4 < before * 3 else { return }
        carryOut(plan, box.columns, by: shift.columns)
        shown = moved
    }

    /// The rows and the columns to move.
    private struct ShiftPlan {
        var lines: (rows: Range<Int>, count: Int)?
        var rows: [Int] = []
    }

    private func changes(in cells: [Cell], _ range: Range<Int>) -> Int {
        range.reduce(0) { $0 + (cells[$1] == wanted[$1] ? 0 : 1) }
    }

    /// The smallest rectangle that contains every changed cell.
    private var changedBox: (rows: Range<Int>, columns: Range<Int>) {
        var top = rows, bottom = 0, left = columns, right = 0
        guard let shown else { return (0..<0, 0..<0) }
        for at in shown.indices where shown[at] != wanted[at] {
            top = min(top, at / columns)
            bottom = at / columns + 1
            left = min(left, at % columns)
            right = max(right, at % columns + 1)
        }
        return (top..<max(bottom, top), left..<max(right, left))
    }

    private func moveLines(_ cells: inout [Cell], _ range: Range<Int>, by count: Int) {
        let old = cells
        for row in range {
            for column in 0..<columns {
                let isKnown = range.contains(row + count)
                cells[row * columns + column] = isKnown ? old[(row + count) * columns + column] : .unknown
            }
        }
    }

    /// Moves a row's cells if that saves more than four changed cells; returns true if moved. Rows with wide
    /// characters stay, because a shift may split one.
    private func moveCells(
        _ cells: inout [Cell], _ row: Int, _ range: Range<Int>, by count: Int
    ) -> Bool {
        let line = (row * columns)..<((row + 1) * columns)
        guard !cells[line].contains(where: \.isContinuation) else { return false }
        let before = changes(in: cells, line)
        let old = Array(cells[line])
        for column in range {
            let isKnown = range.contains(column + count)
            cells[line.lowerBound + column] = isKnown ? old[column + count] : .unknown
        }
        if changes(in: cells, line) + 4 < before { return true }
        cells.replaceSubrange(line, with: old)
        return false
    }

    private mutating func carryOut(_ plan: ShiftPlan, _ range: Range<Int>, by count: Int) {
        if let (rows, count) = plan.lines { encoder.moveLines(rows, by: count) }
        for row in plan.rows { encoder.moveCells(row, range, by: count) }
    }
}
