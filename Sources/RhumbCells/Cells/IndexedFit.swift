/// The best glyph and two colours of the 256-colour palette, chosen together.
struct IndexedFit: Sendable {
    private let families: [Family]
    private let threshold: Float
    private let mixes: Bool

    private struct Family: Sendable {
        let fitted: FittedFamily
        /// The costs of the patterns.
        let costs: [PatternCost]
        /// True if the error of one colour may compensate for that of the other.
        let isCoupled: Bool

        init(_ fitted: FittedFamily) {
            self.fitted = fitted
            costs = fitted.family.glyphs.indices.map { PatternCost(fitted.family, $0) }
            isCoupled = costs.contains { $0.inkPaper > 0 }
        }
    }

    /// - Parameters:
    ///   - threshold: The squared error, per channel, that a glyph must remove to be drawn.
    ///   - mixes: If true, all patterns are tried, because two colours may mix to one that the palette lacks.
    init(families: [FittedFamily], threshold: Float, mixes: Bool) {
        self.threshold = threshold
        self.mixes = mixes
        self.families = families.map(Family.init)
    }

    func fit(
        _ row: borrowing SubcellRow, column: Int, scratch: UnsafeMutablePointer<Colours>
    ) -> Fit {
        let mean = row.mean(column: column)
        var fit = Fit(
            flat: mean, threshold: 3 * threshold - (Palette256.nearest(mean) - mean).squared)
        for family in families {
            family.fitted.loadChanges(scratch, row: row, column: column, mean: mean)
            var best = BestPattern(mean: mean, isCoupled: family.isCoupled, gains: fit.gain)
            if mixes {
                offerAll(family, changes: scratch, to: &best)
            } else {
                offerBest(family, changes: scratch, to: &best)
            }
            let isBetter = best.gains .> fit.gain
            guard any(isBetter) else { continue }
            family.fitted.take(
                &fit, where: isBetter, gains: best.gains, patterns: best.patterns, ink: best.ink,
                paper: best.paper)
        }
        return fit
    }

    /// Offers the two best patterns that draw each part in the nearer of two colours, and the one that would
    /// be best with exact colours. About one cell in a hundred has a better one.
    @inline(__always)
    private func offerBest(
        _ family: Family, changes: UnsafePointer<Colours>, to best: inout BestPattern
    ) {
        let exact = TruecolorFit.walk(family.fitted.family, changes: changes)
        guard any(exact.gains .> 3 * threshold) else { return }
        let pairs = PalettePairs(changes, mean: best.mean, count: family.fitted.parts.count)
        for number in 0..<3 {
            let patterns =
                number == 0
                ? pairs.patterns : number == 1 ? pairs.otherPatterns : exact.steps ^ (exact.steps &>> 1)
            let sum = family.fitted.inkSum(patterns, changes: changes)
            best.offer(patterns, sum, PatternCosts(family.costs, patterns))
        }
    }

    /// Offers all patterns.
    private func offerAll(
        _ family: Family, changes: UnsafePointer<Colours>, to best: inout BestPattern
    ) {
        var sum = Colours()
        let walk = family.fitted.family
        for step in walk.changes.indices {
            sum = sum + changes[walk.changes[step]]
            // Colours of the palette never gain more than the exact ones.
            guard any(sum.squared * walk.gains[step] .> best.gains) else { continue }
            let pattern = GlyphFamily.pattern(step: step + 1)
            best.offer(
                SIMD8(repeating: Int32(truncatingIfNeeded: pattern)), sum, PatternCosts(family.costs[pattern])
            )
        }
    }
}

/// The cost of a pattern: the errors of its two colours as a quadratic form.
private struct PatternCost: Sendable {
    var gain: Float
    var inkFactor: Float
    var paperFactor: Float
    var inkInk: Float
    var inkPaper: Float
    var paperPaper: Float

    init(_ family: GlyphFamily, _ pattern: Int) {
        let overlap = family.overlaps[pattern]
        inkFactor = family.inkFactors[pattern]
        paperFactor = family.paperFactors[pattern]
        gain = (inkFactor + paperFactor) * (family.dotShare ?? 1)
        inkInk = overlap.inkInk
        inkPaper = overlap.inkPaper
        paperPaper = overlap.paperPaper
    }
}

/// The costs of the patterns of eight cells.
private struct PatternCosts {
    var gain: SIMD8<Float>
    var inkFactor: SIMD8<Float>
    var paperFactor: SIMD8<Float>
    var inkInk: SIMD8<Float>
    var inkPaper: SIMD8<Float>
    var paperPaper: SIMD8<Float>

    /// The costs of the same pattern in all cells.
    @inline(__always)
    init(_ cost: PatternCost) {
        gain = SIMD8(repeating: cost.gain)
        inkFactor = SIMD8(repeating: cost.inkFactor)
        paperFactor = SIMD8(repeating: cost.paperFactor)
        inkInk = SIMD8(repeating: cost.inkInk)
        inkPaper = SIMD8(repeating: cost.inkPaper)
        paperPaper = SIMD8(repeating: cost.paperPaper)
    }

    @inline(__always)
    init(_ costs: [PatternCost], _ patterns: SIMD8<Int32>) {
        self.init(costs[0])
        for lane in 0..<8 {
            let cost = costs[Int(patterns[lane])]
            gain[lane] = cost.gain
            inkFactor[lane] = cost.inkFactor
            paperFactor[lane] = cost.paperFactor
            inkInk[lane] = cost.inkInk
            inkPaper[lane] = cost.inkPaper
            paperPaper[lane] = cost.paperPaper
        }
    }
}

/// The best patterns of eight cells so far, their gains and their colours.
private struct BestPattern {
    let mean: Colours
    let isCoupled: Bool
    private(set) var gains: SIMD8<Float>
    private(set) var patterns = SIMD8<Int32>.zero
    private(set) var ink = Colours(), paper = Colours()

    init(mean: Colours, isCoupled: Bool, gains: SIMD8<Float>) {
        self.mean = mean
        self.isCoupled = isCoupled
        self.gains = gains
    }

    /// Offers patterns with the colours of the palette that suit them best.
    /// - Parameter sum: v, as defined in `GlyphFamily`.
    @inline(__always)
    mutating func offer(_ patterns: SIMD8<Int32>, _ sum: Colours, _ cost: PatternCosts) {
        let worth = sum.squared * cost.gain
        let ink = mean + sum * cost.inkFactor, paper = mean - sum * cost.paperFactor
        let nearInk = Palette256.nearest(ink), nearPaper = Palette256.nearest(paper)
        func offer(_ shownInk: Colours, _ shownPaper: Colours) {
            let inkError = shownInk - ink, paperError = shownPaper - paper
            let loss =
                inkError.squared * cost.inkInk + inkError.dot(paperError) * (2 * cost.inkPaper)
                + paperError.squared * cost.paperPaper
            let isBetter = worth - loss .> gains
            guard any(isBetter) else { return }
            gains = gains.exchanged(for: worth - loss, where: isBetter)
            self.patterns = self.patterns.exchanged(for: patterns, where: isBetter)
            self.ink = self.ink.exchanged(for: shownInk, where: isBetter)
            self.paper = self.paper.exchanged(for: shownPaper, where: isBetter)
        }
        offer(nearInk, nearPaper)
        guard isCoupled else { return }
        let inkPull = (nearInk - ink) * (cost.inkPaper / cost.paperPaper)
        let paperPull = (nearPaper - paper) * (cost.inkPaper / cost.inkInk)
        offer(nearInk, Palette256.nearest(paper - inkPull))
        offer(Palette256.nearest(ink - paperPull), nearPaper)
    }
}

extension Colours {
    /// Returns the sum of the products of the three channels.
    @inline(__always)
    fileprivate func dot(_ other: Colours) -> SIMD8<Float> {
        red * other.red + green * other.green + blue * other.blue
    }
}
