extension GlyphFamily {
    static let half = GlyphFamily(columns: 1, rows: 2, glyphs: BlockGlyphs.half)
    static let quadrant = GlyphFamily(columns: 2, rows: 2, glyphs: BlockGlyphs.quadrant)
    static let sextant = GlyphFamily(columns: 2, rows: 3, glyphs: BlockGlyphs.sextant)
    static let octant = GlyphFamily(columns: 2, rows: 4, glyphs: BlockGlyphs.octant)
    /// A dot is half as wide and high as its sub-cell.
    static let braille = GlyphFamily(
        columns: 2, rows: 4, glyphs: BlockGlyphs.braille, dotShare: 0.25)

    /// Returns the families that a combination of sets needs, without sets contained in another.
    static func families(_ symbols: Symbols) -> [GlyphFamily] {
        var families: [GlyphFamily] = []
        if symbols.contains(.sextant) { families.append(sextant) }
        if symbols.contains(.octant) {
            families.append(octant)
        } else if symbols.contains(.quadrant) {
            families.append(quadrant)
        } else if symbols.contains(.half) {
            families.append(half)
        }
        if symbols.contains(.braille) { families.append(braille) }
        return families
    }

    /// Returns the horizontal division of a cell for these sets.
    static func across(_ symbols: Symbols) -> CellSubdivision {
        CellSubdivision(parts: symbols == .half ? [1] : [2])
    }

    /// Returns the vertical division of a cell for these sets.
    static func down(_ symbols: Symbols) -> CellSubdivision {
        let families = families(symbols)
        let text = symbols.contains(.ascii) || families.isEmpty ? [4] : []
        return CellSubdivision(parts: families.map(\.rows) + text)
    }
}
