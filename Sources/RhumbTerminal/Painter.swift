package import RhumbCore

/// Tracks the terminal's content and encodes the changes that make it show a grid.
///
/// ncurses manages the terminal, but its `refresh` is unsuited to maps. Its table of colour pairs costs 50 ms
/// or more per frame at 240 × 67 cells of new colours. Its character widths come from the C library, which
/// drops characters newer than itself.
package struct Painter {
    private let reduction: CellReduction
    let columns: Int
    let rows: Int
    var encoder: FrameEncoder
    /// The reduced cells the terminal shows, apart from colours within the tolerance; nil if unknown.
    var shown: [Cell]?
    /// True for each shown cell whose colours are not exact.
    var isInexact: [Bool]
    /// True while cells are drawn in their exact colours only.
    private var isSharpening = false
    private(set) var wanted: [Cell]
    /// The index of the cell where the cursor is left; nil for any.
    private var cursor: Int?
    /// True if the terminal may scroll its cells. Images below them would scroll, too.
    package var scrolls = true
    /// The number of bytes after which a frame over a slow line is interrupted; nil for whole frames.
    package var pieceSize: Int?
    /// True if the last frame was interrupted. The next frame draws the rest of its own grid.
    var isInterrupted = false

    /// - Parameter tolerance: The largest difference in a channel of a direct colour for which the terminal's
    ///   last colour may be kept. Single cells need far fewer bytes with it; flat areas are always exact.
    package init(
        _ capabilities: Capabilities, depth: ColorDepth, isUTF8: Bool, columns: Int, rows: Int,
        tolerance: UInt8 = 0
    ) {
        reduction = CellReduction(
            depth: depth, isUTF8: isUTF8,
            foldsBright: depth == .indexed16 && capabilities.inks.count == 8)
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        encoder = FrameEncoder(capabilities, columns: columns, tolerance: tolerance)
        wanted = Array(repeating: .blank, count: self.columns * self.rows)
        isInexact = Array(repeating: false, count: wanted.count)
    }

    /// Discards the known terminal content, so that the next frame paints every cell.
    package mutating func forget() { shown = nil }

    /// The rows that the last frame changed.
    var changedRows: Set<Int> = []

    /// True if the next frame clears the screen.
    package var clears: Bool { shown == nil }

    /// Discards the known content of the cells in a box.
    /// - Parameter onlyText: True to keep blank cells in the terminal's own colours.
    package mutating func forget(_ box: CellBox, onlyText: Bool) {
        guard var cells = shown else { return }
        for row in box.rows.clamped(to: 0..<rows) {
            for column in box.columns.clamped(to: 0..<columns) {
                let at = row * columns + column
                if !onlyText || cells[at] != .blank { cells[at] = .unknown }
            }
        }
        shown = cells
    }

    /// Discards the known position of the cursor.
    package mutating func forgetCursor() { encoder.forgetCursor() }

    /// Discards the known colours and styles of the terminal.
    mutating func forgetPen() { encoder.forgetPen() }

    /// Returns the bytes that make the terminal show the grid; empty if it already does. A smaller grid is
    /// padded with blank cells and a larger one is cropped.
    package mutating func frame(_ grid: CellGrid) -> [UInt8] { frame(grid, movedBy: nil, in: nil) }

    /// Returns the bytes that make the terminal show the grid.
    /// - Parameters:
    ///   - shift: The movement of the map; nil if unknown. The terminal moves its cells if that takes fewer
    ///     bytes.
    ///   - box: The cells of the map.
    mutating func frame(_ grid: CellGrid, movedBy shift: ScreenShift?, in box: CellBox?) -> [UInt8] {
        reduce(grid)
        let isSameSize = grid.columns == columns && grid.rows == rows
        cursor = isSameSize ? grid.cursor.flatMap { wanted.indices.contains($0) ? $0 : nil } : nil
        changedRows = []
        if shown == nil {
            encoder.clear()
            shown = Array(repeating: .blank, count: wanted.count)
            isInexact = Array(repeating: false, count: wanted.count)
        } else if let shift, let box {
            var other = self
            other.shift(by: shift, in: box)
            let moving = other.paint(), still = paint()
            guard moving.count < still.count else { return still }
            self = other
            return moving
        }
        if scrolls { self.shift() }
        return paint()
    }

    /// Returns the bytes that give all shown cells their exact colours; empty if they have them.
    package mutating func sharpen() -> [UInt8] {
        guard var cells = shown, isInexact.contains(true) else { return [] }
        for at in cells.indices where isInexact[at] { cells[at] = .unknown }
        shown = cells
        isSharpening = true
        defer { isSharpening = false }
        return paint()
    }

    // MARK: Wanted cells

    private mutating func reduce(_ grid: CellGrid) {
        let width = min(columns, grid.columns)
        for row in 0..<rows {
            let line = row * columns
            let known = row < grid.rows ? width : 0
            for column in 0..<known { reduce(grid, row, column, lastColumn: known - 1) }
            for column in known..<columns { wanted[line + column] = .blank }
        }
        if !encoder.capabilities.fillsLastCell && !wanted.isEmpty { wanted[wanted.count - 1] = .blank }
    }

    @inline(__always)
    private mutating func reduce(_ grid: CellGrid, _ row: Int, _ column: Int, lastColumn: Int) {
        let at = row * columns + column
        let source = row * grid.columns + column
        let cell = grid.cells[source]
        if cell.isContinuation, column > 0, isWideLead(at - 1) {
            wanted[at] = wanted[at - 1].continuation
        } else {
            wanted[at] = reduction.reduced(
                cell, next: column < lastColumn ? grid.cells[source + 1] : nil)
        }
    }

    private func isWideLead(_ at: Int) -> Bool {
        !wanted[at].isContinuation && TextWidth.columns(of: wanted[at].glyph) == 2
    }

    // MARK: Painting

    private mutating func paint() -> [UInt8] {
        isInterrupted = false
        if let pieceSize, !isSharpening {
            paintByColour(upTo: pieceSize)
        } else {
            for row in 0..<rows { paint(row) }
        }
        if let cursor { encoder.move(toRow: cursor / columns, column: cursor % columns) }
        return encoder.takeBytes()
    }

    mutating func paint(_ row: Int) {
        guard var shown else { return }
        self.shown = nil
        defer { self.shown = shown }
        let line = row * columns
        releaseHalves(of: &shown, line)
        var column = 0, isChanged = false
        while column < columns {
            if shown[line + column] == wanted[line + column] {
                column += 1
            } else {
                if !isChanged { changedRows.insert(row) }
                isChanged = true
                bridge(row, to: column)
                column += draw(shown, row, column)
            }
        }
        for at in line..<(line + columns) { shown[at] = wanted[at] }
    }

    /// Marks both halves of a wide character as changed if one is, because overwriting one erases both.
    func releaseHalves(of shown: inout [Cell], _ line: Int) {
        for at in line..<(line + columns) where shown[at].isContinuation && at > line {
            guard shown[at] != wanted[at] || shown[at - 1] != wanted[at - 1] else { continue }
            shown[at] = .unknown
            shown[at - 1] = .unknown
        }
    }

    /// Moves to a changed cell. Redraws a short gap if that takes fewer bytes than moving.
    mutating func bridge(_ row: Int, to column: Int) {
        if encoder.row == row, let from = encoder.column, from < column, column - from <= 4 {
            let gap = wanted[(row * columns + from)..<(row * columns + column)]
            let isPlain = gap.allSatisfy {
                $0.mark == nil && !$0.isContinuation && encoder.hasPen(for: $0)
                    && TextWidth.columns(of: $0.glyph) == 1
            }
            let length = gap.reduce(0) { $0 + UTF8.byteCount($1.glyph) }
            if isPlain && length < encoder.costOfMoving(column - from) {
                for (at, cell) in zip(gap.indices, gap) {
                    isInexact[at] = !encoder.put(cell, width: 1, isExact: true)
                }
            }
        }
        encoder.move(toRow: row, column: column)
    }

    /// Draws from a changed cell on and returns the number of columns drawn.
    /// - Parameter near: The cell to draw instead, with colours within the tolerance; nil to choose them.
    mutating func draw(_ shown: [Cell], _ row: Int, _ column: Int, as near: Cell? = nil) -> Int {
        let at = row * columns + column
        let cell = wanted[at]
        let capabilities = encoder.capabilities
        var isFlat = false
        if cell.isBlank, encoder.canErase(to: cell) {
            let run = blankRun(shown, row, column)
            isFlat = run.length > 3
            if run.reachesEnd, capabilities.erasesLine, run.length > 3 {
                encoder.eraseLine(cell)
                return exact(columns - column, from: at)
            }
            if capabilities.erasesCells, run.length > 9 {
                encoder.erase(run.length, cell)
                return exact(run.length, from: at)
            }
        }
        let isWide = column + 1 < columns && wanted[at + 1].isContinuation
        let isExact = encoder.put(
            near ?? cell, width: isWide ? 2 : 1, isExact: isFlat || isSharpening || near != nil)
        let count = exact(isWide ? 2 : 1, from: at)
        isInexact[at] = !isExact || near.map { $0 != cell && $0.complement != cell } ?? false
        return count
    }

    /// Marks cells as shown in their exact colours, and returns their number.
    private mutating func exact(_ count: Int, from start: Int) -> Int {
        for at in start..<(start + count) { isInexact[at] = false }
        return count
    }

    /// Returns the run of equal blank cells from a column, up to the last changed one.
    func blankRun(
        _ shown: [Cell], _ row: Int, _ column: Int
    ) -> (length: Int, reachesEnd: Bool) {
        let start = row * columns + column
        let end = (row + 1) * columns
        var at = start
        var lastChanged = start
        while at < end, wanted[at] == wanted[start] {
            if shown[at] != wanted[at] { lastChanged = at }
            at += 1
        }
        return (lastChanged - start + 1, at == end)
    }
}

extension UTF8 {
    /// Returns the number of bytes of a character in UTF-8.
    fileprivate static func byteCount(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x80: 1
        case ..<0x800: 2
        case ..<0x10000: 3
        default: 4
        }
    }
}

extension Cell {
    /// The right half of this wide character.
    fileprivate var continuation: Cell {
        var half = self
        half.glyph = " "
        half.mark = nil
        half.isContinuation = true
        return half
    }

    /// A cell that differs from every reduced cell.
    static let unknown = Cell("\u{0}")
}

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
