internal import RhumbBase

/// A screen, or a part of one: rows × columns of cells, row by row from the top left.
public struct CellGrid: Equatable, Sendable {
    /// The number of columns, at least 0.
    public let columns: Int
    /// The number of rows, at least 0.
    public let rows: Int
    /// The `rows * columns` cells, row by row.
    public var cells: [Cell]
    /// The index of the cell for the terminal's cursor, which screen readers follow; nil for none.
    public var cursor: Int?

    /// A grid of equal cells.
    public init(columns: Int, rows: Int, filledWith cell: Cell = .blank) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        cells = Array(repeating: cell, count: self.columns * self.rows)
    }

    /// The cell at a row and column, both counted from 0 and inside the grid.
    public subscript(row: Int, column: Int) -> Cell {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    /// The screen as lines of text without colours, including trailing spaces.
    public var lines: [String] {
        (0..<rows).map { row in
            var line = String.UnicodeScalarView()
            for cell in cells[(row * columns)..<((row + 1) * columns)] where !cell.isContinuation {
                line.append(cell.glyph)
                if let mark = cell.mark { line.append(mark) }
            }
            return String(line)
        }
    }

    /// Writes one line of text into a row, starting at a column, and clips it at the grid's edges and at the
    /// limit. A wide character that does not fit becomes a space. Only the first combining mark of a
    /// character is kept; control characters are dropped.
    /// - Parameters:
    ///   - row: Any number; a row outside the grid draws nothing.
    ///   - column: Any number; the text left of column 0 is clipped.
    ///   - paper: The background; nil keeps the current one, which for a wide character is that of its left
    ///     half.
    ///   - limit: The maximum number of columns; nil for no limit but the grid's edge.
    /// - Returns: The number of columns of the text, including the part clipped on the left.
    @discardableResult
    public mutating func write(
        _ text: String, row: Int, column: Int, ink: CellColor = .terminal,
        paper: CellColor? = nil, style: Cell.Style = [], width limit: Int? = nil
    ) -> Int {
        guard rows > row, row >= 0, column < columns else { return 0 }
        let end = min(columns, limit.map { column.saturatingAdd(max($0, 0)) } ?? columns)
        var at = column
        let line = TextLine(row: row, ink: ink, paper: paper, style: style)
        for scalar in text.unicodeScalars {
            let width = TextWidth.columns(of: scalar)
            if width == 0 {
                line.combine(scalar, endingAt: at, in: &self)
            } else if at < end {
                line.put(scalar, width: min(width, end - at), of: width, at: at, in: &self)
                at += min(width, end - at)
            } else {
                break
            }
        }
        return at - column
    }

    /// Blanks the other half of a wide character before one half of it is overwritten.
    fileprivate mutating func splitWide(row: Int, column: Int) {
        if self[row, column].isContinuation, column > 0 { empty(row: row, column: column - 1) }
        if column + 1 < columns, self[row, column + 1].isContinuation {
            empty(row: row, column: column + 1)
        }
    }

    private mutating func empty(row: Int, column: Int) {
        self[row, column].glyph = " "
        self[row, column].mark = nil
        self[row, column].isContinuation = false
    }
}

/// The row and the colours of one line of text.
private struct TextLine {
    let row: Int
    let ink: CellColor
    let paper: CellColor?
    let style: Cell.Style

    /// Draws a character over `width` columns, 1 or 2.
    func put(
        _ scalar: Unicode.Scalar, width: Int, of whole: Int, at column: Int, in grid: inout CellGrid
    ) {
        let fits = width == whole && column >= 0
        // A terminal shows one background behind both halves of a wide character.
        let shared = paper ?? (fits && width == 2 ? grid[row, column].paper : nil)
        for offset in 0..<width where column + offset >= 0 {
            grid.splitWide(row: row, column: column + offset)
            var cell = Cell(
                fits && offset == 0 ? scalar : " ", ink: ink,
                paper: shared ?? grid[row, column + offset].paper, style: style)
            cell.isContinuation = fits && offset == 1
            grid[row, column + offset] = cell
        }
    }

    /// Adds a combining mark to the character that ends before a column.
    func combine(_ mark: Unicode.Scalar, endingAt column: Int, in grid: inout CellGrid) {
        guard column > 0, CellGrid.isDrawableMark(mark) else { return }
        let isWide = grid[row, column - 1].isContinuation && column > 1
        let base = isWide ? column - 2 : column - 1
        guard grid[row, base].mark == nil, grid[row, base].glyph != " " else { return }
        grid[row, base].mark = mark
    }
}

extension CellGrid {
    /// Returns true for combining marks except variation selectors, which change how wide some terminals draw
    /// the character.
    fileprivate static func isDrawableMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: !scalar.properties.isVariationSelector
        default: false
        }
    }
}
