/// Pairs of block characters that show the same picture with exchanged colours: ▀ and ▄, ▚ and ▞. The encoder
/// may use whichever needs fewer changes of colour.
public enum BlockComplement {
    /// The character whose ink is this one's paper; nil for characters that are no such blocks,
    /// for the space and for the full block.
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
    /// The cell with its colours exchanged, looking the same; nil where there is none.
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
