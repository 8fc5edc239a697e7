public import RhumbCore

/// Random screens as programs draw them: images with flat areas, text in several scripts, panels, small
/// changes and complete ones. The same seed produces the same screens.
public struct RandomGrids {
    private let palette: [CellColor]
    private var generator: SplitMix
    private var grid: CellGrid

    public init(columns: Int, rows: Int, palette: [CellColor], seed: UInt64) {
        self.palette = palette
        generator = SplitMix(seed: seed)
        grid = CellGrid(columns: columns, rows: rows)
    }

    public mutating func next() -> CellGrid {
        for _ in 0..<Int.random(in: 0...4, using: &generator) { change() }
        return grid
    }

    private mutating func change() {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: fill { $0.randomCell() }
        case 1: fill { Cell(" ", ink: $0.color(), paper: .terminal) }
        case 2: fill(with: color())
        case 3: shift(by: Int.random(in: -9...9, using: &generator))
        default: write()
        }
    }

    private mutating func color() -> CellColor {
        palette.randomElement(using: &generator) ?? .terminal
    }

    private mutating func randomCell() -> Cell {
        let glyph = "▀▄▌▐▘▚█ \u{1FB00}\u{1FB1E}\u{1CD00}⣿a".unicodeScalars.randomElement(using: &generator)
        var cell = Cell(glyph ?? " ", ink: color(), paper: color())
        if Int.random(in: 0..<8, using: &generator) == 0 {
            cell.style = Cell.Style(rawValue: UInt8.random(in: 0..<16, using: &generator))
        }
        return cell
    }

    private mutating func area() -> (rows: Range<Int>, columns: Range<Int>) {
        let rows = [0, grid.rows].map { _ in Int.random(in: 0...grid.rows, using: &generator) }.sorted()
        let columns = [0, 0].map { _ in Int.random(in: 0...grid.columns, using: &generator) }.sorted()
        return (rows[0]..<rows[1], columns[0]..<columns[1])
    }

    private mutating func fill(_ make: (inout RandomGrids) -> Cell) {
        let (rows, columns) = area()
        for row in rows { for column in columns { set(row, column, make(&self)) } }
    }

    private mutating func fill(with color: CellColor) {
        fill { _ in Cell(" ", paper: color) }
    }

    /// Sets a cell. Half a wide character never remains, because the old content is overwritten as text
    /// first.
    private mutating func set(_ row: Int, _ column: Int, _ cell: Cell) {
        grid.write(" ", row: row, column: column)
        grid[row, column] = cell
    }

    private mutating func shift(by count: Int) {
        let old = grid
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let from = column + count
                let isInside = from >= 0 && from < grid.columns
                set(row, column, isInside && !hasWide(old, row) ? old[row, from] : .blank)
            }
        }
    }

    private func hasWide(_ grid: CellGrid, _ row: Int) -> Bool {
        (0..<grid.columns).contains { grid[row, $0].isContinuation }
    }

    private mutating func write() {
        let texts = ["Helsinki", "東京都", "cafe\u{301} ñ", "Åland ├── 2 km ──┤", "한국 🗺 x", "  "]
        grid.write(
            texts.randomElement(using: &generator) ?? "",
            row: Int.random(in: 0...grid.rows, using: &generator),
            column: Int.random(in: -3...grid.columns, using: &generator), ink: color(),
            paper: Bool.random(using: &generator) ? color() : nil,
            style: Cell.Style(rawValue: UInt8.random(in: 0..<16, using: &generator)))
    }
}
