import Testing

@testable import RhumbCells

struct TextTonesTests {
    /// The character of a cell whose 2 × 4 sub-cells are bright where the rows have a mark.
    private func character(_ rows: String...) -> String {
        let parts = rows.joined().map { $0 == "#" ? SIMD3<Float>(repeating: 255) : SIMD3(repeating: 0) }
        return "\(TextTones().cell(parts).glyph)"
    }

    @Test func `a line through a cell is a stroke in its direction`() {
        #expect(character("..", "##", "..", "..") == "-")
        #expect(character("#.", "#.", "#.", "#.") == "|")
        #expect(character("#.", "#.", ".#", ".#") == "\\")
        #expect(character(".#", ".#", "#.", "#.") == "/")
    }

    @Test func `a nearly flat line that falls or rises by half a sub-cell is a diagonal`() {
        #expect(character("#.", "##", "..", "..") == "\\")
        #expect(character(".#", "##", "..", "..") == "/")
    }
}

struct CellTextTests {
    @Test(arguments: [
        (nil, "abcdef  "), (3, "abc     "), (0, "        "), (-1, "        "), (99, "abcdef  "),
    ])
    func `text is cut at a width`(width: Int?, line: String) {
        var grid = CellGrid(columns: 8, rows: 1)
        _ = grid.write("abcdef", row: 0, column: 0, width: width)
        let shown = (0..<8).map { "\(grid[0, $0].glyph)" }.joined()
        #expect(shown == line)
    }
}
