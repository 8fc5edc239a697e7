import RhumbCore
import Testing

struct MixedColoursTests {
    private func cells(_ colour: RGB, _ symbols: Symbols, mixing: Float) -> CellGrid {
        var picture = Picture(columns: 6, rows: 3, symbols: symbols)
        picture.draw(
            Raster(width: 8, height: 8, filledWith: colour),
            at: FixedPointRect(x0: 0, y0: 0, x1: 6 * FixedPointRect.one, y1: 3 * FixedPointRect.one))
        var options = CellRenderer.Options()
        options.mixing = mixing
        var grid = CellGrid(columns: 6, rows: 3)
        CellRenderer(symbols: symbols, depth: .indexed256, options: options).render(picture, into: &grid)
        return grid
    }

    /// Returns the squared difference between the mean of a quadrant cell and a colour.
    private func error(_ cell: Cell, _ colour: RGB) throws -> Double {
        guard case .indexed(let ink) = cell.ink.kind, case .indexed(let paper) = cell.paper.kind
        else { throw Unexpected() }
        let shares: [Unicode.Scalar: Double] = [
            " ": 0, "▘": 0.25, "▝": 0.25, "▖": 0.25, "▗": 0.25, "▀": 0.5, "▄": 0.5, "▌": 0.5, "▐": 0.5,
            "▚": 0.5, "▞": 0.5, "▛": 0.75, "▜": 0.75, "▙": 0.75, "▟": 0.75, "█": 1,
        ]
        let share = try #require(shares[cell.glyph])
        let front = Palette256.colour(Int(ink)), back = Palette256.colour(Int(paper))
        return [\RGB.red, \.green, \.blue].reduce(0) { sum, channel in
            let mean = Double(front[keyPath: channel]) * share + Double(back[keyPath: channel]) * (1 - share)
            let difference = mean - Double(colour[keyPath: channel])
            return sum + difference * difference
        }
    }

    private struct Unexpected: Error {}

    @Test(arguments: [0x94C0DD, 0x4C6A2F, 0x9B739B, 0x2E5A71] as [UInt32])
    func `a colour between those of the palette is mixed within the cell, and is nearer`(hex: UInt32) throws {
        let pure = cells(RGB(hex), .quadrant, mixing: 0), mixed = cells(RGB(hex), .quadrant, mixing: 1.2)
        #expect(pure.cells.allSatisfy { $0.glyph == " " })
        #expect(try error(mixed[1, 1], RGB(hex)) < error(pure[1, 1], RGB(hex)))
    }

    @Test(arguments: [Symbols.half, .quadrant, .sextant, [.sextant, .quadrant, .half], .octant])
    func `a flat area has the same cell everywhere`(symbols: Symbols) {
        #expect(Set(cells(RGB(0x94C0DD), symbols, mixing: 1.2).cells).count == 1)
    }

    @Test(arguments: [16, 67, 110, 188, 231, 240, 255] as [Int])
    func `a colour of the palette needs no mixing`(index: Int) {
        let grid = cells(Palette256.colour(index), [.sextant, .quadrant, .half], mixing: 1.2)
        #expect(grid.cells.allSatisfy { $0.glyph == " " && $0.paper == .indexed(UInt8(index)) })
    }
}
