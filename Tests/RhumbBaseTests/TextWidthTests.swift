import RhumbCore
import Testing

struct TextWidthTests {
    @Test(
        arguments: [
            ("a", 1), ("é", 1), ("ß", 1), ("█", 1), ("─", 1), ("○", 1), ("\u{1FB00}", 1),
            ("\u{1CD00}", 1), ("⣿", 1), ("東", 2), ("한", 2), ("あ", 2), ("Ａ", 2), ("🚗", 2), ("⌚", 2),
            ("\u{20000}", 2), ("\u{2A6FF}", 2), ("\u{301}", 0), ("\u{20DD}", 0), ("\u{200D}", 0),
            ("\u{FE0F}", 0), ("\u{1160}", 0), ("\u{0}", 0), ("\u{1B}", 0), ("\u{9B}", 0), ("\u{AD}", 0),
        ] as [(Unicode.Scalar, Int)])
    func `a character has the expected number of columns`(scalar: Unicode.Scalar, columns: Int) {
        #expect(TextWidth.columns(of: scalar) == columns)
    }

    @Test func `the width of a text is the sum of its characters' widths`() {
        #expect(TextWidth.columns(of: "Turku 東京 e\u{301}") == 12)
    }
}

struct CellGridTextTests {
    static func written(
        _ text: String, at column: Int, columns: Int = 8, limit: Int? = nil
    ) -> (line: String, used: Int) {
        var grid = CellGrid(columns: columns, rows: 1, filledWith: Cell("."))
        let used = grid.write(text, row: 0, column: column, width: limit)
        return (grid.lines[0], used)
    }

    @Test(arguments: [
        ("abc", 0, "abc.....", 3), ("abc", 6, "......ab", 2), ("abc", -1, "bc......", 3),
        ("abc", 8, "........", 0), ("abc", -9, "........", 3), ("東京", 1, ".東京...", 4),
        ("東京", 5, ".....東 ", 3), ("東京", -1, " 京.....", 4), ("e\u{301}x", 0, "e\u{301}x......", 2),
        ("a\u{1B}[b", 0, "a[b.....", 3), ("", 3, "........", 0),
    ])
    func `text is written and clipped at the edges`(
        text: String, column: Int, line: String, used: Int
    ) {
        let result = Self.written(text, at: column)
        #expect(result.line == line)
        #expect(result.used == used)
    }

    @Test(arguments: [("abcdef", 3, "abc....."), ("a東京", 4, "a東 ...."), ("abc", -5, "........")])
    func `text stops at its limit`(text: String, limit: Int, line: String) {
        #expect(Self.written(text, at: 0, limit: limit).line == line)
    }

    @Test(arguments: [(0, "x 京...."), (1, " x京...."), (2, "東x ...."), (3, "東 x....")])
    func `writing over half a wide character blanks the other half`(column: Int, line: String) {
        var grid = CellGrid(columns: 8, rows: 1, filledWith: Cell("."))
        grid.write("東京", row: 0, column: 0)
        grid.write("x", row: 0, column: column)
        #expect(grid.lines[0] == line)
        #expect(grid.cells.filter(\.isContinuation).count == 1)
    }

    @Test func `the background stays if none is given`() {
        let sea = CellColor.rgb(RGB(0x10202E))
        var grid = CellGrid(columns: 4, rows: 1, filledWith: Cell(" ", paper: sea))
        grid.write("ab", row: 0, column: 1, ink: .indexed(3), style: .bold)
        #expect(grid[0, 1] == Cell("a", ink: .indexed(3), paper: sea, style: .bold))
        grid.write("c", row: 0, column: 3, paper: .terminal)
        #expect(grid[0, 3].paper == .terminal)
    }

    @Test(arguments: [(-1, 0), (1, 0), (0, Int.max), (Int.max, 0)])
    func `text outside the grid draws nothing`(row: Int, column: Int) {
        var grid = CellGrid(columns: 4, rows: 1)
        #expect(grid.write("abc", row: row, column: column) == 0)
        #expect(grid == CellGrid(columns: 4, rows: 1))
    }
}
