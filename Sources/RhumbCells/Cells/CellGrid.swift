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
}
