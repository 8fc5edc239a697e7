package import RhumbCore

/// Writes the changes that make the terminal show a grid.
///
/// ncurses manages the terminal, but its `refresh` is unsuitable for maps: its table of colour pairs costs 50
/// ms and more for a frame of 240 × 67 cells with new colours, and it uses the character widths of the C
/// library, which drops newer characters.
package struct Painter {
    private let reduction: CellReduction
    let columns: Int
    let rows: Int
    var encoder: FrameEncoder
    /// The contents of the terminal, reduced; nil if unknown.
    var shown: [Cell]?
    private(set) var wanted: [Cell]

    package init(_ capabilities: Capabilities, depth: ColorDepth, isUTF8: Bool, columns: Int, rows: Int) {
        reduction = CellReduction(
            depth: depth, isUTF8: isUTF8,
            foldsBright: depth == .indexed16 && capabilities.inks.count == 8)
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        encoder = FrameEncoder(capabilities, columns: columns)
        wanted = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// Forgets the terminal's contents; the next frame is written completely.
    package mutating func forget() { shown = nil }

    /// Returns the bytes that make the terminal show the grid, none if it does already. Cells that the grid
    /// lacks stay blank, and surplus ones are cut off.
    package mutating func frame(_ grid: CellGrid) -> [UInt8] {
        reduce(grid)
        if shown == nil {
            encoder.clear()
            shown = Array(repeating: .blank, count: wanted.count)
        }
        shift()
        for row in 0..<rows { paint(row) }
        return encoder.takeBytes()
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

    private mutating func paint(_ row: Int) {
        guard var shown else { return }
        self.shown = nil
        defer { self.shown = shown }
        let line = row * columns
        releaseHalves(of: &shown, line)
        var column = 0
        while column < columns {
            if shown[line + column] == wanted[line + column] {
                column += 1
            } else {
                bridge(row, to: column)
                column += draw(shown, row, column)
            }
        }
        for at in line..<(line + columns) { shown[at] = wanted[at] }
    }

    /// A wide character loses both halves when one is overwritten, so both count as changed.
    private func releaseHalves(of shown: inout [Cell], _ line: Int) {
        for at in line..<(line + columns) where shown[at].isContinuation && at > line {
            guard shown[at] != wanted[at] || shown[at - 1] != wanted[at - 1] else { continue }
            shown[at] = .unknown
            shown[at - 1] = .unknown
        }
    }

    /// Goes to a changed cell; over a short gap by drawing it again where that is shorter.
    private mutating func bridge(_ row: Int, to column: Int) {
        if encoder.row == row, let from = encoder.column, from < column, column - from <= 4 {
            let gap = wanted[(row * columns + from)..<(row * columns + column)]
            let isPlain = gap.allSatisfy {
                $0.mark == nil && !$0.isContinuation && encoder.hasPen(for: $0)
                    && TextWidth.columns(of: $0.glyph) == 1
            }
            let length = gap.reduce(0) { $0 + UTF8.byteCount($1.glyph) }
            if isPlain && length < encoder.costOfMovingRight(column - from) {
                for cell in gap { encoder.put(cell, width: 1) }
            }
        }
        encoder.move(toRow: row, column: column)
    }

    /// Draws from a changed cell on; returns how many columns are done.
    private mutating func draw(_ shown: [Cell], _ row: Int, _ column: Int) -> Int {
        let at = row * columns + column
        let cell = wanted[at]
        let capabilities = encoder.capabilities
        if cell.isBlank, encoder.canErase(to: cell) {
            let run = blankRun(shown, row, column)
            if run.reachesEnd, capabilities.erasesLine, run.length > 3 {
                encoder.eraseLine(cell)
                return columns - column
            }
            if capabilities.erasesCells, run.length > 9 {
                encoder.erase(run.length, cell)
                return run.length
            }
        }
        let isWide = column + 1 < columns && wanted[at + 1].isContinuation
        encoder.put(cell, width: isWide ? 2 : 1)
        return isWide ? 2 : 1
    }

    /// Returns the length of the run of blank cells with one paper from here to the last changed one.
    private func blankRun(
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
    /// Returns the number of bytes of a character.
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

    /// Equal to no reduced cell.
    static let unknown = Cell("\u{0}")
}
