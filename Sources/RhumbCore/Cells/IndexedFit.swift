/// The best glyph and two colours of the 256-colour palette, chosen together.
struct IndexedFit: Sendable {
    private let families: [(fitted: FittedFamily, costs: [Cost])]
    private let threshold: Float
    private let mixing: Float

    /// What one step of the walk costs: errors of the two colours as a quadratic form.
    private struct Cost: Sendable {
        var gain: Float
        var inkFactor: Float
        var paperFactor: Float
        var inkInk: Float
        var inkPaper: Float
        var paperPaper: Float
    }

    /// - Parameters:
    ///   - threshold: the squared error, per channel, that a glyph must remove to be drawn.
    ///   - mixing: how much more the error of a cell's mean colour counts; 0 for not at all.
    ///     Ink and paper then mix to a colour that the palette lacks.
    init(families: [FittedFamily], threshold: Float, mixing: Float) {
        self.threshold = threshold
        self.mixing = mixing
        self.families = families.map { fitted in
            (fitted, IndexedFit.costs(fitted.family, mixing: mixing))
        }
    }

    private static func costs(_ family: GlyphFamily, mixing: Float) -> [Cost] {
        family.gains.indices.map { at in
            let pattern = GlyphFamily.pattern(step: at + 1)
            let overlap = family.overlaps[pattern]
            let ink = overlap.inkInk + overlap.inkPaper
            return Cost(
                gain: family.gains[at], inkFactor: family.inkFactors[pattern],
                paperFactor: family.paperFactors[pattern],
                inkInk: overlap.inkInk + mixing * ink * ink,
                inkPaper: 2 * (overlap.inkPaper + mixing * ink * (1 - ink)),
                paperPaper: overlap.paperPaper + mixing * (1 - ink) * (1 - ink))
        }
    }

    func fit(
        _ row: borrowing SubcellRow, column: Int, scratch: UnsafeMutablePointer<Colours>
    ) -> Fit {
        let mean = row.mean(column: column)
        let flat = (Palette256.nearest(mean) - mean).squared * (1 + mixing)
        var fit = Fit(flat: mean, threshold: 3 * threshold - flat)
        for (fitted, costs) in families {
            fitted.loadChanges(scratch, row: row, column: column, mean: mean)
            let (gains, steps) = IndexedFit.walk(
                fitted.family.changes, costs, changes: scratch, mean: mean)
            fitted.improve(&fit, gains: gains, steps: steps, mean: mean, changes: scratch)
        }
        return fit
    }

    @inline(__always)
    private static func walk(
        _ order: [Int], _ costs: [Cost], changes: UnsafePointer<Colours>, mean: Colours
    ) -> (gains: SIMD8<Float>, steps: SIMD8<Int32>) {
        var best = SIMD8<Float>(repeating: -.infinity)
        var steps = SIMD8<Int32>.zero
        var sum = Colours()
        for step in order.indices {
            sum = sum + changes[order[step]]
            let cost = costs[step]
            let ink = mean + sum * SIMD8(repeating: cost.inkFactor)
            let paper = mean - sum * SIMD8(repeating: cost.paperFactor)
            let inkError = Palette256.nearest(ink) - ink
            let paperError = Palette256.nearest(paper) - paper
            let gain = sum.squared * cost.gain - inkError.squared * cost.inkInk
                - inkError.dot(paperError) * cost.inkPaper
                - paperError.squared * cost.paperPaper
            let better = gain .> best
            best.replace(with: gain, where: better)
            steps.replace(with: Int32(truncatingIfNeeded: step + 1), where: better)
        }
        return (best, steps)
    }
}

extension Colours {
    /// The sum of the products of the three channels.
    @inline(__always)
    func dot(_ other: Colours) -> SIMD8<Float> {
        red * other.red + green * other.green + blue * other.blue
    }
}
