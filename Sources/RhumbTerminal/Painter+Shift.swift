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
        guard let plan = plan(shift, in: changedBox, uncovering: .unknown, &moved),
            changes(in: moved, 0..<moved.count) * 4 < before * 3
        else { return }
        carryOut(plan)
        shown = moved
    }

    /// Lets the terminal move the cells of a box by a known offset, in the rows in which that saves changes.
    mutating func shift(by shift: ScreenShift, in box: CellBox) {
        guard var moved = shown else { return }
        let changed = changedBox.common(with: box)
        guard changed.count > 0, let plan = plan(shift, in: changed, uncovering: .blank, &moved) else {
            return
        }
        // Uncovered cells take the background of the pen.
        encoder.usePlainPen()
        carryOut(plan)
        shown = moved
    }

    /// The rows and the columns to move.
    private struct ShiftPlan {
        let shift: ScreenShift
        let box: CellBox
        /// The rows whose cells move to the left or right.
        var rows: [Int] = []
    }

    /// Moves cells, and returns the steps; nil if the terminal can't.
    /// - Parameter blank: The content of uncovered cells.
    private func plan(
        _ shift: ScreenShift, in box: CellBox, uncovering blank: Cell, _ cells: inout [Cell]
    ) -> ShiftPlan? {
        var plan = ShiftPlan(shift: shift, box: box)
        if shift.rows != 0 {
            guard encoder.capabilities.movesLines, abs(shift.rows) < box.rows.count else { return nil }
            moveLines(&cells, box.rows, by: shift.rows, uncovering: blank)
        }
        if shift.columns != 0 {
            guard encoder.capabilities.movesCells, abs(shift.columns) < box.columns.count else { return nil }
            plan.rows = box.rows.filter {
                moveCells(&cells, $0, box.columns, by: shift.columns, uncovering: blank)
            }
        }
        return plan
    }

    private func changes(in cells: [Cell], _ range: Range<Int>) -> Int {
        range.reduce(0) { $0 + (cells[$1] == wanted[$1] ? 0 : 1) }
    }

    /// The smallest rectangle that contains every changed cell.
    private var changedBox: CellBox {
        var top = rows, bottom = 0, left = columns, right = 0
        guard let shown else { return CellBox(columns: 0..<0, rows: 0..<0) }
        for at in shown.indices where shown[at] != wanted[at] {
            top = min(top, at / columns)
            bottom = at / columns + 1
            left = min(left, at % columns)
            right = max(right, at % columns + 1)
        }
        return CellBox(columns: left..<max(right, left), rows: top..<max(bottom, top))
    }

    private func moveLines<Value>(
        _ cells: inout [Value], _ range: Range<Int>, by count: Int, uncovering blank: Value
    ) {
        let old = cells
        for row in range {
            for column in 0..<columns {
                let isKnown = range.contains(row + count)
                cells[row * columns + column] = isKnown ? old[(row + count) * columns + column] : blank
            }
        }
    }

    /// Moves a row's cells if that saves more than four changed cells; returns true if moved. Rows with wide
    /// characters stay, because a shift may split one.
    private func moveCells(
        _ cells: inout [Cell], _ row: Int, _ range: Range<Int>, by count: Int, uncovering blank: Cell
    ) -> Bool {
        let line = (row * columns)..<((row + 1) * columns)
        guard !cells[line].contains(where: \.isContinuation) else { return false }
        let before = changes(in: cells, line)
        let old = Array(cells[line])
        moveColumns(&cells, row, range, by: count, uncovering: blank)
        if changes(in: cells, line) + 4 < before { return true }
        cells.replaceSubrange(line, with: old)
        return false
    }

    private func moveColumns<Value>(
        _ cells: inout [Value], _ row: Int, _ range: Range<Int>, by count: Int, uncovering blank: Value
    ) {
        let line = row * columns, old = Array(cells[line..<(line + columns)])
        for column in range {
            cells[line + column] = range.contains(column + count) ? old[column + count] : blank
        }
    }

    private mutating func carryOut(_ plan: ShiftPlan) {
        let shift = plan.shift
        if shift.rows != 0 {
            encoder.moveLines(plan.box.rows, by: shift.rows)
            moveLines(&isInexact, plan.box.rows, by: shift.rows, uncovering: false)
        }
        for row in plan.rows {
            encoder.moveCells(row, plan.box.columns, by: shift.columns)
            moveColumns(&isInexact, row, plan.box.columns, by: shift.columns, uncovering: false)
        }
    }
}
