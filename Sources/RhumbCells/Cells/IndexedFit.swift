/// The best glyph and two colours of the 256-colour palette, chosen together.
struct IndexedFit: Sendable {
    private let families: [(fitted: FittedFamily, costs: [Cost])]
    private let threshold: Float
    private let mixes: Bool

    /// The cost of one step of the walk: the errors of the two colours as a quadratic form.
    private struct Cost: Sendable {
        var gain: Float
        var inkFactor: Float
        var paperFactor: Float
        var inkInk: Float
        var inkPaper: Float
        var paperPaper: Float
    }

    /// The best step of a walk: its gain and its colours.
    private struct Best {
        var gains: SIMD8<Float>
        var steps = SIMD8<Int32>.zero
        var ink = Colours()
        var paper = Colours()

        @inline(__always)
        mutating func offer(_ gain: SIMD8<Float>, step: Int, ink: Colours, paper: Colours) {
            let better = gain .> gains
            gains.replace(with: gain, where: better)
            steps.replace(with: Int32(truncatingIfNeeded: step + 1), where: better)
            self.ink.replace(with: ink, where: better)
            self.paper.replace(with: paper, where: better)
        }
    }

    /// - Parameters:
    ///   - threshold: The squared error, per channel, that a glyph must remove to be drawn.
    ///   - mixes: If true, one colour may compensate for the error of the other, so that they mix to a colour
    ///     that is not in the palette.
    init(families: [FittedFamily], threshold: Float, mixes: Bool) {
        self.threshold = threshold
        self.mixes = mixes
        self.families = families.map { ($0, IndexedFit.costs($0.family)) }
    }

    private static func costs(_ family: GlyphFamily) -> [Cost] {
        family.gains.indices.map { at in
            let pattern = GlyphFamily.pattern(step: at + 1)
            let overlap = family.overlaps[pattern]
            return Cost(
                gain: family.gains[at], inkFactor: family.inkFactors[pattern],
                paperFactor: family.paperFactors[pattern], inkInk: overlap.inkInk,
                inkPaper: overlap.inkPaper, paperPaper: overlap.paperPaper)
        }
    }

    func fit(
        _ row: borrowing SubcellRow, column: Int, scratch: UnsafeMutablePointer<Colours>
    ) -> Fit {
        let mean = row.mean(column: column)
        let flat = (Palette256.nearest(mean) - mean).squared
        var fit = Fit(flat: mean, threshold: 3 * threshold - flat)
        for (fitted, costs) in families {
            fitted.loadChanges(scratch, row: row, column: column, mean: mean)
            let best = walk(
                fitted.family.changes, costs, changes: scratch, mean: mean, above: fit.gain)
            let better = best.gains .> fit.gain
            guard any(better) else { continue }
            fitted.take(
                &fit, where: better, gains: best.gains, patterns: best.steps ^ (best.steps &>> 1),
                ink: best.ink, paper: best.paper)
        }
        return fit
    }

    /// Returns the best step of the walk for each cell, among those that gain more than `least`.
    @inline(__always)
    private func walk(
        _ order: [Int], _ costs: [Cost], changes: UnsafePointer<Colours>, mean: Colours,
        above least: SIMD8<Float>
    ) -> Best {
        var best = Best(gains: least)
        var sum = Colours()
        for step in order.indices {
            sum = sum + changes[order[step]]
            let cost = costs[step]
            let worth = sum.squared * cost.gain
            // Colours of the palette never gain more than the exact ones.
            guard any(worth .> best.gains) else { continue }
            let ink = mean + sum * SIMD8(repeating: cost.inkFactor)
            let paper = mean - sum * SIMD8(repeating: cost.paperFactor)
            func offer(_ shownInk: Colours, _ shownPaper: Colours) {
                let inkError = shownInk - ink, paperError = shownPaper - paper
                let loss =
                    inkError.squared * cost.inkInk
                    + inkError.dot(paperError) * (2 * cost.inkPaper)
                    + paperError.squared * cost.paperPaper
                best.offer(worth - loss, step: step, ink: shownInk, paper: shownPaper)
            }
            let nearInk = Palette256.nearest(ink), nearPaper = Palette256.nearest(paper)
            offer(nearInk, nearPaper)
            guard mixes else { continue }
            let inkPull = SIMD8(repeating: cost.inkPaper / cost.paperPaper)
            let paperPull = SIMD8(repeating: cost.inkPaper / cost.inkInk)
            offer(nearInk, Palette256.nearest(paper - (nearInk - ink) * inkPull))
            offer(Palette256.nearest(ink - (nearPaper - paper) * paperPull), nearPaper)
        }
        return best
    }
}

extension Colours {
    /// Returns the sum of the products of the three channels.
    @inline(__always)
    func dot(_ other: Colours) -> SIMD8<Float> {
        red * other.red + green * other.green + blue * other.blue
    }
}
