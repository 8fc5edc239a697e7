/// The glyphs of one set, as a lattice of sub-cells that can each be ink, with the formulas for the best two
/// colours.
///
/// With c the colour of a sub-cell minus the cell's mean, a its area and v the sum of a·c over the ink, least
/// squares give: ink = mean + v·inkFactor, paper = mean − v·paperFactor. The squared error is smaller by
/// |v|²·gain than that of a cell in one colour. Patterns are therefore compared by v alone, and a walk in
/// Gray-code order changes v by one sub-cell per step.
struct GlyphFamily: Sendable {
    /// The number of sub-cells across, 1 or 2.
    let columns: Int
    /// The number of sub-cells down.
    let rows: Int
    /// The glyphs by pattern, in which bit k is sub-cell k, row by row.
    let glyphs: [Unicode.Scalar]
    /// True if exchanging the colours draws the complement of every pattern, so that half of the patterns
    /// suffice.
    let isComplementary: Bool

    /// The share of a sub-cell's area that a dot covers; nil for blocks.
    let dotShare: Float?
    /// The change of v at each step of the walk: 2k adds sub-cell k, 2k + 1 removes it.
    let changes: [Int]
    /// The gain per |v|² at each step of the walk.
    let gains: [Float]
    /// The factors of v for ink and paper, by pattern.
    let inkFactors: [Float]
    let paperFactors: [Float]
    /// The areas of ink × ink, ink × paper and paper × paper with soft edges, by pattern.
    let overlaps: [Overlap]

    /// The share of the cell that the ink covers, by pattern.
    var inkShares: [Float] { glyphs.indices.map { Float($0.nonzeroBitCount) / Float(count) } }
    /// The number of sub-cells.
    var count: Int { columns * rows }
    /// The area of a sub-cell, as a share of the cell.
    var area: Float { 1 / Float(count) }

    init(
        columns: Int, rows: Int, glyphs: [Unicode.Scalar], dotShare: Float? = nil,
        eye: VisualBlur? = nil
    ) {
        self.dotShare = dotShare
        self.columns = columns
        self.rows = rows
        self.glyphs = glyphs
        isComplementary = dotShare == nil
        let share = dotShare ?? 1
        let kinship = eye?.kinship(columns: columns, rows: rows)
        overlaps = glyphs.indices.map { pattern in
            let near =
                dotShare.map { Overlap(dots: pattern.nonzeroBitCount, of: columns * rows, share: $0) }
                ?? Overlap(pattern: pattern, columns: columns, rows: rows)
            guard let eye, let kinship else { return near }
            let far = Overlap(pattern: pattern, kinship: kinship, share: share)
            return near.mixed(with: far, weight: eye.share)
        }
        inkFactors = overlaps.map { share * $0.inkFactor }
        paperFactors = overlaps.map { share * $0.paperFactor }
        let walk = GlyphFamily.walk(steps: isComplementary ? glyphs.count / 2 : glyphs.count)
        changes = walk.map(\.change)
        let overlaps = overlaps
        gains = walk.map { step in
            share * share * (overlaps[step.pattern].inkFactor + overlaps[step.pattern].paperFactor)
        }
    }

    /// Returns the family with overlaps that also account for the blur at a distance.
    func seen(by eye: VisualBlur) -> GlyphFamily {
        GlyphFamily(columns: columns, rows: rows, glyphs: glyphs, dotShare: dotShare, eye: eye)
    }

    /// Returns the pattern after a step of the walk.
    static func pattern(step: Int) -> Int { step ^ step >> 1 }

    private static func walk(steps: Int) -> [(pattern: Int, change: Int)] {
        (1..<max(steps, 2)).map { step in
            let pattern = pattern(step: step)
            let bit = step.trailingZeroBitCount
            return (pattern, 2 * bit + (pattern >> bit & 1 == 1 ? 0 : 1))
        }
    }
}

/// The overlap of ink and paper in the pixels of a cell, as fractions of its area.
struct Overlap: Sendable {
    var inkInk: Float = 0
    var inkPaper: Float = 0
    var paperPaper: Float = 0

    private var determinant: Float { inkInk * paperPaper - inkPaper * inkPaper }
    var inkFactor: Float { determinant > 0 ? (paperPaper + inkPaper) / determinant : 0 }
    var paperFactor: Float { determinant > 0 ? (inkInk + inkPaper) / determinant : 0 }

    /// The overlap for dots that fill `share` of their sub-cells.
    init(dots: Int, of count: Int, share: Float) {
        inkInk = share * Float(dots) / Float(count)
        paperPaper = 1 - inkInk
    }

    /// The overlap, blurred by distance, for a pattern whose ink fills `share` of its sub-cells.
    init(pattern: Int, kinship: [[Float]], share: Float) {
        let inked = kinship.indices.filter { pattern >> $0 & 1 == 1 }
        var ink: Float = 0
        for one in inked {
            for other in kinship.indices { ink += share * kinship[one][other] }
            for other in inked { inkInk += share * share * kinship[one][other] }
        }
        inkPaper = ink - inkInk
        paperPaper = 1 - ink - inkPaper
    }

    func mixed(with other: Overlap, weight: Float) -> Overlap {
        var mix = self
        mix.inkInk += (other.inkInk - inkInk) * weight
        mix.inkPaper += (other.inkPaper - inkPaper) * weight
        mix.paperPaper += (other.paperPaper - paperPaper) * weight
        return mix
    }

    /// The overlap for blocks in a cell of sixteen pixel rows. Thirds end inside a row, which then shows a
    /// mix of both colours, like any line that blurs at a distance.
    init(pattern: Int, columns: Int, rows: Int) {
        let lines = 16
        let unit = 1 / Float(lines * columns)
        for line in 0..<lines {
            for column in 0..<columns {
                var ink: Float = 0
                for row in 0..<rows where pattern >> (row * columns + column) & 1 == 1 {
                    let top = max(line * rows, row * lines)
                    let bottom = min((line + 1) * rows, (row + 1) * lines)
                    ink += Float(max(bottom - top, 0)) / Float(rows)
                }
                inkInk += ink * ink * unit
                inkPaper += ink * (1 - ink) * unit
                paperPaper += (1 - ink) * (1 - ink) * unit
            }
        }
    }
}

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
