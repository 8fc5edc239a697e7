import RhumbCore
import RhumbDrawing
import Testing

struct CellTextTests {
    private static let ground = Raster(width: 80, height: 32, filledWith: RGB(0x336699))

    private func pixel(_ raster: Raster, _ x: Int, _ y: Int) -> [UInt8] {
        Array(raster.pixels[4 * (y * 80 + x)..<4 * (y * 80 + x) + 4])
    }

    @Test func `empty cells leave the picture unchanged`() {
        #expect(CellText.draw(CellGrid(columns: 10, rows: 2), as: .boxed, over: Self.ground) == Self.ground)
    }

    @Test func `a box fills only its cell, and rims have no box`() {
        var cells = CellGrid(columns: 10, rows: 2)
        cells[1, 3] = Cell(" ", paper: .rgb(RGB(0x2EAB30)))
        #expect(CellText.draw(cells, as: .rimmed, over: Self.ground) == Self.ground)
        let drawn = CellText.draw(cells, as: .boxed, over: Self.ground)
        #expect(
            pixel(drawn, 24, 16) == [0x2E, 0xAB, 0x30, 255]
                && pixel(drawn, 31, 31) == [0x2E, 0xAB, 0x30, 255])
        #expect(
            pixel(drawn, 23, 16) == [0x33, 0x66, 0x99, 255]
                && pixel(drawn, 32, 16) == [0x33, 0x66, 0x99, 255])
    }

    @Test func `letters are drawn below or above their cells by the given share of a row`() {
        var cells = CellGrid(columns: 10, rows: 2)
        cells.write("H", row: 0, column: 3, ink: .rgb(RGB(0xFFFFFF)), paper: .rgb(RGB(0)))
        func top(_ shifts: [Int: Double]) -> Int? {
            let drawn = CellText.draw(cells, as: .rimmed, shifted: shifts, over: Self.ground)
            return (0..<32).first { y in
                (0..<80).contains { pixel(drawn, $0, y) != pixel(Self.ground, $0, y) }
            }
        }
        let plain = top([:])
        #expect(plain != nil && top([3: 0.5]) == plain.map { $0 + 8 } && top([4: 0.5]) == plain)
    }

    @Test func `letters are drawn in their cells, in their colour, with a rim`() {
        var cells = CellGrid(columns: 10, rows: 2)
        cells.write("HHH", row: 0, column: 3, ink: .rgb(RGB(0xFFFFFF)), paper: .rgb(RGB(0)))
        let drawn = CellText.draw(cells, as: .rimmed, over: Self.ground)
        func count(_ columns: Range<Int>, _ rows: Range<Int>) -> Int {
            rows.reduce(0) { sum, y in
                sum + columns.count { pixel(drawn, $0, y) != pixel(Self.ground, $0, y) }
            }
        }
        #expect(count(24..<48, 0..<16) > 60 && count(0..<20, 0..<32) == 0 && count(0..<80, 20..<32) == 0)
        #expect(
            (0..<80).contains { x in
                (0..<16).contains { pixel(drawn, x, $0).prefix(3).allSatisfy { $0 > 0xE0 } }
            })
    }
}
