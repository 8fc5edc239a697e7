/// The glyphs chosen for eight cells, and their colours.
struct Fit {
    /// The number of the glyph, counted across all families in order; -1 for a space.
    var code = SIMD8<Int32>(repeating: -1)
    /// The gain of the glyph over a space.
    var gain: SIMD8<Float>
    var ink: Colours
    var paper: Colours

    /// Eight cells of one colour each. A glyph replaces the space only if it gains more than `threshold`.
    init(flat mean: Colours, threshold: SIMD8<Float>) {
        gain = threshold
        ink = mean
        paper = mean
    }
}

/// A glyph family mapped to the sub-cells of the picture, with the arithmetic that fits it to eight cells at
/// once.
struct FittedFamily: Sendable {
    let family: GlyphFamily
    let parts: [SubcellPart]
    /// The number of its first glyph, counted across all families.
    let firstCode: Int32

    static func all(_ symbols: Symbols, seenBy eye: VisualBlur? = nil) -> [FittedFamily] {
        let across = GlyphFamily.across(symbols)
        let down = GlyphFamily.down(symbols)
        var code: Int32 = 0
        return GlyphFamily.families(symbols).map { family in
            defer { code += Int32(family.glyphs.count) }
            let parts = SubcellPart.lattice(
                columns: family.columns, rows: family.rows, across: across, down: down)
            return FittedFamily(
                family: eye.map(family.seen) ?? family, parts: parts, firstCode: code)
        }
    }

    /// Computes the changes that the steps of the walk add: for each sub-cell, its colour minus the mean, ×
    /// area, followed by its negative.
    func loadChanges(
        _ changes: UnsafeMutablePointer<Colours>, row: borrowing SubcellRow, column: Int,
        mean: Colours
    ) {
        let middle = mean * SIMD8(repeating: family.area)
        for (at, part) in parts.enumerated() {
            let change = row.sum(part, column: column) - middle
            changes[2 * at] = change
            changes[2 * at + 1] = change * SIMD8(repeating: -1)
        }
    }

    /// Updates the cells in which this family does better, with `steps` of its walk, which gain `gains`.
    func improve(
        _ fit: inout Fit, gains: SIMD8<Float>, steps: SIMD8<Int32>, mean: Colours,
        changes: UnsafePointer<Colours>
    ) {
        let better = gains .> fit.gain
        guard any(better) else { return }
        let patterns = steps ^ (steps &>> 1)
        let sum = inkSum(patterns, changes: changes)
        var factors = lanes(patterns)
        sharpen(&factors, patterns, sum, changes: changes)
        take(
            &fit, where: better, gains: gains, patterns: patterns, ink: mean + sum * factors.ink,
            paper: mean - sum * factors.paper)
    }

    /// Updates the masked cells with the given patterns and colours.
    func take(
        _ fit: inout Fit, where better: Mask8, gains: SIMD8<Float>,
        patterns: SIMD8<Int32>, ink: Colours, paper: Colours
    ) {
        let light = (ink - paper).light
        var code = patterns, swaps = SIMD8<Int32>.zero
        for lane in 0..<8 where better[lane] {
            let canonical = Int32(canonical(patterns[lane], light: light[lane]))
            code[lane] = firstCode + canonical
            swaps[lane] = canonical == patterns[lane] ? 0 : 1
        }
        let swapped = swaps.hasBit(0)
        fit.ink = fit.ink.exchanged(for: ink, where: better).exchanged(for: paper, where: swapped)
        fit.paper = fit.paper.exchanged(for: paper, where: better).exchanged(for: ink, where: swapped)
        fit.code = fit.code.exchanged(for: code, where: better)
        fit.gain = fit.gain.exchanged(for: gains, where: better)
    }

    /// Returns v, as defined in `GlyphFamily`, for each cell's own pattern.
    func inkSum(_ patterns: SIMD8<Int32>, changes: UnsafePointer<Colours>) -> Colours {
        var sum = Colours()
        for at in parts.indices {
            sum = sum + changes[2 * at].only(where: patterns.hasBit(at))
        }
        return sum
    }

    /// Gives a cell of exactly two colours those two colours, without the correction for soft edges.
    private func sharpen(
        _ factors: inout (ink: SIMD8<Float>, paper: SIMD8<Float>), _ patterns: SIMD8<Int32>,
        _ sum: Colours, changes: UnsafePointer<Colours>
    ) {
        guard family.isComplementary else { return }
        var variance = SIMD8<Float>.zero
        for at in parts.indices { variance += changes[2 * at].squared }
        variance *= Float(parts.count)
        for lane in 0..<8 {
            let ink = Float(patterns[lane].nonzeroBitCount) * family.area
            guard ink > 0, ink < 1 else { continue }
            let v = sum.squared[lane]
            guard variance[lane] - v / (ink * (1 - ink)) < FittedFamily.exactness else { continue }
            factors.ink[lane] = 1 / ink
            factors.paper[lane] = 1 / (1 - ink)
        }
    }

    /// The squared error, summed over three channels, up to which a cell counts as having two colours.
    private static let exactness: Float = 0.5

    private func lanes(_ patterns: SIMD8<Int32>) -> (ink: SIMD8<Float>, paper: SIMD8<Float>) {
        var ink = SIMD8<Float>.zero
        var paper = SIMD8<Float>.zero
        for lane in 0..<8 {
            ink[lane] = family.inkFactors[Int(patterns[lane])]
            paper[lane] = family.paperFactors[Int(patterns[lane])]
        }
        return (ink, paper)
    }

    /// Returns the better of the two ways to draw a pattern: the one whose background covers more or, if both
    /// cover the same, is lighter. Neighbours then share their background, and a cell looks the same wherever
    /// it is on the screen.
    /// - Parameter light: The brightness of the ink minus that of the paper.
    private func canonical(_ pattern: Int32, light: Float) -> Int {
        let pattern = Int(pattern)
        guard family.isComplementary else { return pattern }
        let ink = 2 * pattern.nonzeroBitCount
        let isSwapped = ink > parts.count || (ink == parts.count && light > 0)
        return isSwapped ? pattern ^ (family.glyphs.count - 1) : pattern
    }
}

extension Colours {
    /// Brightness by the weights of ITU-R BT.601, × 1000.
    fileprivate var light: SIMD8<Float> { red * 299 + green * 587 + blue * 114 }

    /// Returns the colours where the mask is set, and black elsewhere.
    @inline(__always)
    func only(where mask: Mask8) -> Colours {
        Colours(red: red.only(where: mask), green: green.only(where: mask), blue: blue.only(where: mask))
    }

    /// Returns the other colours where the mask is set, and these elsewhere.
    @inline(__always)
    func exchanged(for other: Colours, where mask: Mask8) -> Colours {
        Colours(
            red: red.exchanged(for: other.red, where: mask),
            green: green.exchanged(for: other.green, where: mask),
            blue: blue.exchanged(for: other.blue, where: mask))
    }
}
