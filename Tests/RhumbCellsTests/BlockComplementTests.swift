import RhumbCore
import Testing

struct BlockComplementTests {
    @Test(
        arguments: [("▀", "▄"), ("▌", "▐"), ("▚", "▞"), ("▘", "▟"), ("\u{1FB00}", "\u{1FB3B}")]
            as [(Unicode.Scalar, Unicode.Scalar)])
    func `blocks combine with those of the other sub-cells`(one: Unicode.Scalar, other: Unicode.Scalar) {
        #expect(BlockComplement.of(one) == other)
        #expect(BlockComplement.of(other) == one)
    }

    @Test(arguments: [" ", "█", "a", "⠿", "░"] as [Unicode.Scalar])
    func `other characters have no complement`(glyph: Unicode.Scalar) {
        #expect(BlockComplement.of(glyph) == nil)
    }

    @Test func `a cell's complement is the cell with its colours exchanged`() {
        let cell = Cell("▀", ink: .rgb(RGB(1)), paper: .rgb(RGB(2)))
        #expect(cell.complement == Cell("▄", ink: .rgb(RGB(2)), paper: .rgb(RGB(1))))
        #expect(Cell("▀", style: .bold).complement == nil)
    }
}
