internal import RhumbCore

/// Encodes drawing steps in as few bytes as possible, tracking the terminal's cursor and pen.
struct FrameEncoder {
    private struct Pen {
        var ink = CellColor.terminal
        var paper = CellColor.terminal
        var style: Cell.Style = []
    }

    let capabilities: Capabilities
    /// The largest difference in a channel of the pen's colour from the colour of a cell that it may draw.
    let tolerance: UInt8
    private(set) var bytes: [UInt8] = []
    /// The row of the cursor; nil if unknown.
    private(set) var row: Int?
    private(set) var column: Int?
    private let columns: Int
    private var pen: Pen?
    /// True inside a Select Graphic Rendition sequence.
    private var isSettingPen = false

    init(_ capabilities: Capabilities, columns: Int, tolerance: UInt8 = 0) {
        self.capabilities = capabilities
        self.tolerance = tolerance
        self.columns = columns
    }

    /// Returns the bytes so far and removes them. Position and pen carry over to the next frame.
    mutating func takeBytes() -> [UInt8] {
        let taken = bytes
        bytes = []
        return taken
    }

    /// Clears the screen and moves the cursor home, from any previous state.
    mutating func clear() {
        pen = nil
        setPen(Cell.blank)
        if capabilities.freesRegion { control("r", 1) }
        bytes += capabilities.clear
        row = 0
        column = 0
    }

    // MARK: Cursor

    /// Discards the known position of the cursor, after other code has moved it.
    mutating func forgetCursor() { (row, column) = (nil, nil) }

    /// Uses the terminal's own background.
    mutating func usePlainPen() { setPen(.blank) }

    /// Discards the known pen, after other code has set it.
    mutating func forgetPen() { pen = nil }

    mutating func move(toRow row: Int, column: Int) {
        guard self.row != row || self.column != column else { return }
        if self.row == row, let from = self.column, column > from, capabilities.movesRight {
            control("C", column - from)
        } else if self.row == row, column == 0 {
            bytes.append(0x0D)
        } else if column == 0, let from = self.row, from + 1 == row {
            bytes += [0x0D, 0x0A]
        } else if self.row == row, capabilities.movesToColumn {
            control("G", column + 1)
        } else if !moveNearby(toRow: row, column: column) {
            address(row: row, column: column)
        }
        self.row = row
        self.column = column
    }

    /// Moves to another row relative to the cursor.
    /// - Returns: False if addressing the cell takes fewer bytes, or if the cursor's cell is unknown.
    private mutating func moveNearby(toRow row: Int, column: Int) -> Bool {
        guard let fromRow = self.row, let fromColumn = self.column, fromRow != row, capabilities.movesNearby
        else { return false }
        let down = row - fromRow, right = column - fromColumn, isNearLeft = (-3...0).contains(right)
        let across = isNearLeft ? -right : costOfMoving(abs(right))
        // One sequence with both numbers takes two bytes less than two with one each.
        let addressing = costOfMoving(row + 1) + costOfMoving(column + 1) - 2
        guard costOfMoving(abs(down)) + across < addressing else { return false }
        control(down > 0 ? "B" : "A", abs(down))
        if isNearLeft {
            for _ in right..<0 { bytes.append(0x08) }
        } else {
            control(right > 0 ? "C" : "D", abs(right))
        }
        return true
    }

    private mutating func address(row: Int, column: Int) {
        guard capabilities.addressing == .standard else {
            bytes += capabilities.address(row: row, column: column)
            return
        }
        bytes += [0x1B, 0x5B]
        append(decimal: row + 1)
        bytes.append(0x3B)
        append(decimal: column + 1)
        bytes.append(UInt8(ascii: "H"))
    }

    /// Returns the number of bytes that moving by a number of cells in one direction takes.
    func costOfMoving(_ count: Int) -> Int { count == 1 ? 3 : count < 10 ? 4 : count < 100 ? 5 : 6 }

    // MARK: Moving cells

    /// Scrolls a range of rows up by `count` lines, or down if `count` is negative. The content of the
    /// uncovered lines is unknown afterwards.
    mutating func moveLines(_ rows: Range<Int>, by count: Int) {
        bytes += Array("\u{1B}[\(rows.lowerBound + 1);\(rows.upperBound)r".utf8)
        row = nil
        column = nil
        move(toRow: rows.lowerBound, column: 0)
        control(count > 0 ? "M" : "L", abs(count))
        control("r", 1)
        row = nil
        column = nil
    }

    /// Shifts a range of a row's columns left by `count` cells, or right if `count` is negative. Cells
    /// outside the range stay in place.
    mutating func moveCells(_ row: Int, _ range: Range<Int>, by count: Int) {
        let far = range.upperBound - abs(count)
        let deleted = count > 0 ? range.lowerBound : far
        let inserted = count > 0 ? far : range.lowerBound
        if count > 0 || range.upperBound < columns {
            move(toRow: row, column: deleted)
            control("P", abs(count))
        }
        if count < 0 || range.upperBound < columns {
            move(toRow: row, column: inserted)
            control("@", abs(count))
        }
    }

    // MARK: Drawing at the cursor

    /// Draws a cell.
    /// - Parameter isExact: False if colours within the tolerance are good enough.
    /// - Returns: True if the colours are exact.
    @discardableResult
    mutating func put(_ asked: Cell, width: Int, isExact: Bool) -> Bool {
        let tolerance = isExact ? 0 : tolerance
        let cell = cheaper(asked, tolerance)
        setPen(cell, tolerance)
        append(cell.glyph)
        if let mark = cell.mark { append(mark) }
        advance(width, isCertain: width == 1 && cell.mark == nil)
        return hasPen(for: cell)
    }

    /// Returns the cell, or its complement if that needs fewer colour changes.
    private func cheaper(_ cell: Cell, _ tolerance: UInt8) -> Cell {
        func isNear(_ a: CellColor, _ b: CellColor) -> Bool { a.isNear(b, tolerance) }
        guard let pen, !isNear(pen.ink, cell.ink) || !isNear(pen.paper, cell.paper),
            isNear(pen.ink, cell.paper) || isNear(pen.paper, cell.ink),
            cell.ink.isExchangeable, cell.paper.isExchangeable
        else { return cell }
        func changes(_ ink: CellColor, _ paper: CellColor) -> Int {
            (isNear(pen.ink, ink) ? 0 : 1) + (isNear(pen.paper, paper) ? 0 : 1)
        }
        guard changes(cell.paper, cell.ink) < changes(cell.ink, cell.paper) else { return cell }
        return cell.complement ?? cell
    }

    /// Erases to the end of the line with a blank cell's background.
    mutating func eraseLine(_ blank: Cell) {
        setPen(blank)
        bytes += [0x1B, 0x5B, UInt8(ascii: "K")]
    }

    mutating func erase(_ count: Int, _ blank: Cell) {
        setPen(blank)
        control("X", count)
    }

    /// Returns true if erasing leaves the background of this blank cell.
    func canErase(to blank: Cell) -> Bool {
        capabilities.erasesWithPaper || blank.paper == .terminal
    }

    /// Advances the tracked column. Past the last column, and after characters with an ambiguous width, the
    /// position of the cursor is unknown.
    private mutating func advance(_ width: Int, isCertain: Bool) {
        guard let from = column, isCertain, from + width < columns else {
            column = nil
            return
        }
        column = from + width
    }

    // MARK: Pen

    /// Returns true if drawing the cell needs no pen change.
    func hasPen(for cell: Cell) -> Bool { hasPen(for: cell, 0) }

    private func hasPen(for cell: Cell, _ tolerance: UInt8) -> Bool {
        guard let pen, pen.paper.isNear(cell.paper, tolerance) else { return false }
        return cell.isBlank
            ? pen.style.isDisjoint(with: [.reverse, .underline])
            : pen.ink.isNear(cell.ink, tolerance) && pen.style == cell.style
    }

    private mutating func setPen(_ cell: Cell, _ tolerance: UInt8 = 0) {
        guard !hasPen(for: cell, tolerance) else { return }
        let old = pen
        let needsReset = old.map { mustReset($0, for: cell) } ?? true
        var now = needsReset ? Pen() : old ?? Pen()
        if needsReset { add(capabilities.reset) }
        addStyles(cell.style.subtracting(now.style))
        now.style.formUnion(cell.style)
        if !cell.isBlank, !now.ink.isNear(cell.ink, tolerance) {
            addInk(cell.ink)
            now.ink = cell.ink
        }
        if !now.paper.isNear(cell.paper, tolerance) {
            addPaper(cell.paper)
            now.paper = cell.paper
        }
        endPen()
        pen = now
    }

    private func mustReset(_ pen: Pen, for cell: Cell) -> Bool {
        let visible: Cell.Style = cell.isBlank ? [.reverse, .underline] : pen.style
        let isStyleLost = !pen.style.intersection(visible).isSubset(of: cell.style)
        let isInkLost = !cell.isBlank && cell.ink == .terminal && pen.ink != .terminal
        let isPaperLost = cell.paper == .terminal && pen.paper != .terminal
        return isStyleLost || (isInkLost && capabilities.ownInk == nil)
            || (isPaperLost && capabilities.ownPaper == nil)
    }

    private mutating func addStyles(_ styles: Cell.Style) {
        guard !styles.isEmpty else { return }
        if styles.contains(.bold) { add(capabilities.bold) }
        if styles.contains(.dim) { add(capabilities.dim) }
        if styles.contains(.reverse) { add(capabilities.reverse) }
        if styles.contains(.underline) { add(capabilities.underline) }
    }

    private mutating func addInk(_ color: CellColor) {
        switch color.kind {
        case .terminal: add(capabilities.ownInk)
        case .indexed(let index): add(capabilities.inks, index)
        case .rgb(let rgb): add(rgb, UInt8(ascii: "3"))
        }
    }

    private mutating func addPaper(_ color: CellColor) {
        switch color.kind {
        case .terminal: add(capabilities.ownPaper)
        case .indexed(let index): add(capabilities.papers, index)
        case .rgb(let rgb): add(rgb, UInt8(ascii: "4"))
        }
    }

    private mutating func add(_ palette: [Attribute], _ index: UInt8) {
        if Int(index) < palette.count { add(palette[Int(index)]) }
    }

    private mutating func add(_ attribute: Attribute?) {
        switch attribute {
        case .parameters(let parameters):
            openPen()
            bytes += parameters
        case .sequence(let sequence):
            endPen()
            bytes += sequence
        case nil: break
        }
    }

    /// Adds `38;2;red;green;blue` for the foreground or `48;2;…` for the background (ISO 8613-6, with
    /// semicolons as terminals expect).
    private mutating func add(_ color: RGB, _ target: UInt8) {
        openPen()
        bytes.append(target)
        bytes.append(0x38)
        bytes.append(0x3B)
        bytes.append(0x32)
        append(channel: color.red)
        append(channel: color.green)
        append(channel: color.blue)
    }

    private mutating func append(channel: UInt8) {
        bytes.append(0x3B)
        append(decimal: Int(channel))
    }

    private mutating func openPen() {
        if isSettingPen {
            bytes.append(0x3B)
        } else {
            bytes.append(0x1B)
            bytes.append(0x5B)
        }
        isSettingPen = true
    }

    private mutating func endPen() {
        if isSettingPen { bytes.append(UInt8(ascii: "m")) }
        isSettingPen = false
    }

    // MARK: Bytes

    private mutating func control(_ final: Unicode.Scalar, _ count: Int) {
        bytes += [0x1B, 0x5B]
        if count != 1 { append(decimal: count) }
        bytes.append(UInt8(ascii: final))
    }

    private mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        bytes.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            UTF8.encode(scalar).map { bytes += $0 }
        }
    }
}

extension CellColor {
    /// Returns true if both are the same colour, or direct colours that differ by at most `tolerance` in each
    /// channel.
    @inline(__always)
    func isNear(_ other: CellColor, _ tolerance: UInt8) -> Bool {
        if self == other { return true }
        guard tolerance > 0, case .rgb(let a) = kind, case .rgb(let b) = other.kind else { return false }
        return a.red.distance(to: b.red) <= tolerance && a.green.distance(to: b.green) <= tolerance
            && a.blue.distance(to: b.blue) <= tolerance
    }
}

extension UInt8 {
    /// Returns the absolute difference.
    @inline(__always)
    fileprivate func distance(to other: UInt8) -> UInt8 { self > other ? self - other : other - self }
}
