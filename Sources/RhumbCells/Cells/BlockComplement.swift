/// Pairs of block characters that look the same when their colours are exchanged, such as ▀ and ▄ or ▚ and ▞.
/// The encoder may use whichever needs fewer colour changes.
public enum BlockComplement {
    /// Returns the block that covers exactly the area that this one leaves empty; nil for the space, the full
    /// block and characters that are not blocks.
    public static func of(_ glyph: Unicode.Scalar) -> Unicode.Scalar? { pairs[glyph.value] }

    private static let pairs: [UInt32: Unicode.Scalar] = {
        var pairs: [UInt32: Unicode.Scalar] = [:]
        for glyphs in [BlockGlyphs.half, BlockGlyphs.quadrant, BlockGlyphs.sextant, BlockGlyphs.octant] {
            for (bits, glyph) in glyphs.enumerated() where bits > 0 && bits < glyphs.count - 1 {
                pairs[glyph.value] = glyphs[glyphs.count - 1 - bits]
            }
        }
        return pairs
    }()
}

extension Cell {
    /// The complementary glyph with its colours exchanged, which looks the same; nil if there is no such
    /// glyph.
    public var complement: Cell? {
        guard style.isEmpty, mark == nil, !isContinuation, let glyph = BlockComplement.of(glyph)
        else { return nil }
        return Cell(glyph, ink: paper, paper: ink)
    }
}

extension CellColor {
    /// True if every terminal shows the colour the same way as ink and as paper.
    public var isExchangeable: Bool {
        switch kind {
        case .terminal: false
        case .indexed(let index): index >= 16
        case .rgb: true
        }
    }
}
