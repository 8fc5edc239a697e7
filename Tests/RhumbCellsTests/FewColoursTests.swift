import RhumbCore
import Testing

struct FewColoursTests {
    /// Returns a grid of 8 × 4 cells with one colour on the left and another on the right. The border is
    /// within a cell.
    private func cells(_ left: RGB, _ right: RGB, _ symbols: Symbols, _ depth: ColorDepth) -> CellGrid {
        var picture = Picture(columns: 8, rows: 4, symbols: symbols)
        let middle = 7 * FixedPointRect.one / 2
        picture.draw(
            Raster(width: 8, height: 8, filledWith: left),
            at: FixedPointRect(x0: 0, y0: 0, x1: middle, y1: 4 * FixedPointRect.one))
        picture.draw(
            Raster(width: 8, height: 8, filledWith: right),
            at: FixedPointRect(x0: middle, y0: 0, x1: 8 * FixedPointRect.one, y1: 4 * FixedPointRect.one))
        var grid = CellGrid(columns: 8, rows: 4)
        CellRenderer(symbols: symbols, depth: depth).render(picture, into: &grid)
        return grid
    }

    private let water = RGB(0x94C0DD), land = RGB(0xF2EEE3)

    @Test(
        arguments: [Symbols.ascii, .half, .quadrant, [.sextant, .quadrant, .half], .braille],
        [ColorDepth.mono, .indexed16, .indexed256])
    func `land and water are distinct, and each is flat`(symbols: Symbols, depth: ColorDepth) {
        let grid = cells(water, land, symbols, depth)
        let west = Set((0..<4).flatMap { row in (0..<3).map { grid[row, $0] } })
        let east = Set((0..<4).flatMap { row in (4..<8).map { grid[row, $0] } })
        #expect(west.count == 1)
        #expect(east.count == 1)
        #expect(west != east)
    }

    @Test(arguments: [Symbols.ascii, .half, .quadrant])
    func `without colours no colour is used`(symbols: Symbols) {
        let grid = cells(RGB(0x000000), RGB(0xFFFFFF), symbols, .mono)
        #expect(grid.cells.allSatisfy { $0.ink == .terminal && $0.paper == .terminal && $0.style.isEmpty })
        #expect(grid[0, 0].glyph == " ")
    }

    @Test func `a black and white edge in the middle of a cell keeps its shape without colours`() {
        #expect(cells(RGB(0x000000), RGB(0xFFFFFF), .quadrant, .mono)[1, 3].glyph == "▐")
        #expect(cells(RGB(0xFFFFFF), RGB(0x000000), .quadrant, .mono)[1, 3].glyph == "▌")
    }

    @Test(arguments: zip([0x000000, 0xCD0000, 0x00CD00, 0xE5E5E5] as [UInt32], [0, 1, 2, 7] as [UInt8]))
    func `one of the sixteen colours is drawn as itself`(hex: UInt32, index: UInt8) {
        let grid = cells(RGB(hex), RGB(hex), .half, .indexed16)
        #expect(grid.cells.allSatisfy { $0.glyph == " " && $0.paper == .indexed(index) })
    }

    @Test(arguments: [0x303030, 0x404040, 0x606060, 0x9A9A9A, 0xC0C0C0] as [UInt32])
    func `a grey is drawn in greys, never in a saturated colour`(hex: UInt32) {
        let greys: Set<CellColor> = [.indexed(0), .indexed(7), .indexed(8), .indexed(15)]
        #expect(
            cells(RGB(hex), RGB(hex), .half, .indexed16).cells.allSatisfy {
                greys.isSuperset(of: [$0.ink, $0.paper])
            })
        #expect(
            cells(RGB(hex), RGB(0), .quadrant, .indexed16).cells.allSatisfy {
                greys.isSuperset(of: [$0.ink, $0.paper])
            })
    }

    @Test func `the bright side of an edge is the foreground, as some terminals lack bright backgrounds`() {
        let grid = cells(RGB(0), RGB(0x7F7F7F), .quadrant, .indexed16)
        #expect(grid[1, 3] == Cell("▐", ink: .indexed(8), paper: .indexed(0)))
    }

    @Test func `a thin line in braille is unbroken, and its background blank`() {
        var picture = Picture(columns: 8, rows: 4, symbols: .braille)
        picture.draw(
            Raster(width: 8, height: 8, filledWith: RGB(0)),
            at: FixedPointRect(x0: 0, y0: 0, x1: 8 * FixedPointRect.one, y1: 4 * FixedPointRect.one))
        picture.draw(
            Raster(width: 8, height: 1, filledWith: RGB(0xFFFFFF)),
            at: FixedPointRect(
                x0: 0, y0: FixedPointRect.one + FixedPointRect.one / 3, x1: 8 * FixedPointRect.one,
                y1: FixedPointRect.one * 5 / 3))
        var grid = CellGrid(columns: 8, rows: 4)
        CellRenderer(symbols: .braille, depth: .mono).render(picture, into: &grid)
        let line = (0..<8).map { grid[1, $0].glyph.value }
        #expect(Set(line).count == 1 && (0x2801...0x28FF).contains(line[0]))
        #expect((0..<8).allSatisfy { grid[0, $0].glyph == " " && grid[2, $0].glyph == " " })
    }

    @Test(
        arguments: [
            (0.0, 1.0, "-"), (1.0, 0.0, "|"), (1.0, 1.0, "\\"), (-1.0, 1.0, "/"),
        ] as [(Double, Double, Unicode.Scalar)])
    func `in ASCII without colours a line is drawn by strokes in its direction, on shaded water`(
        down: Double, right: Double, stroke: Unicode.Scalar
    ) throws {
        var pixels: [UInt8] = []
        for y in 0..<64 {
            for x in 0..<64 {
                let isLine = abs(Double(y - 31) * right - Double(x - 31) * down) < 3
                pixels += isLine ? [255, 255, 255, 255] : [0, 0x10, 0x2A, 255]
            }
        }
        let raster = try #require(Raster(width: 64, height: 64, pixels: pixels))
        var picture = Picture(columns: 8, rows: 4, symbols: .ascii)
        picture.draw(
            raster,
            at: FixedPointRect(x0: 0, y0: 0, x1: 8 * FixedPointRect.one, y1: 4 * FixedPointRect.one))
        var grid = CellGrid(columns: 8, rows: 4)
        CellRenderer(symbols: .ascii, depth: .mono).render(picture, into: &grid)
        let glyphs = Set(grid.cells.map(\.glyph))
        #expect(glyphs == [":", stroke], "\(glyphs)")
    }

    @Test func `a lighter tone has more dots`() {
        func dots(_ grey: UInt32) -> Int {
            let scalar = cells(RGB(grey), RGB(grey), .braille, .mono)[0, 0].glyph.value
            return scalar < 0x2800 ? 0 : (scalar - 0x2800).nonzeroBitCount
        }
        let counts = [0, 0x666666, 0x999999, 0xBBBBBB, 0xDDDDDD, 0xFFFFFF].map { dots($0) }
        #expect(counts == counts.sorted() && counts.first == 0 && counts.last == 8 && Set(counts).count >= 5)
    }

    @Test func `in ASCII sixteen colours use ASCII only`() {
        for hex: UInt32 in [0x94C0DD, 0x805020, 0x123456, 0xFFEE99] {
            let grid = cells(RGB(hex), RGB(hex), .ascii, .indexed16)
            #expect(grid.cells.allSatisfy { $0.glyph.isASCII })
        }
    }
}
