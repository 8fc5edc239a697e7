@testable import RhumbBrowser
import RhumbCore
import Testing

struct AreaShapeTests {
    @Test func `the largest part of an area may be one column wide`() {
        let shape = AreaShape(in: CellBox(columns: 3..<4, rows: 0..<5)) { row, _ in row != 1 }
        #expect(shape.cells.map(\.row) == [2, 3, 4])
    }

    @Test func `only cells that touch are one part`() {
        let rows = ["##..#", "#...#", "..#.#"].map(Array.init)
        let shape = AreaShape(in: CellBox(columns: 0..<5, rows: 0..<3)) { rows[$0][$1] == "#" }
        #expect(shape.count == 7)
        #expect(Set(shape.cells.map { [$0.row, $0.column] }) == [[0, 0], [0, 1], [1, 0]])
    }
}
