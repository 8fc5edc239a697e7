/// The best glyph and two arbitrary colours, found by an exact search through all patterns.
struct TruecolorFit: Sendable {
    let families: [FittedFamily]
    /// The squared error, per channel, that a glyph must remove from a cell to be drawn.
    let threshold: Float

    func fit(
        _ row: borrowing SubcellRow, column: Int, scratch: UnsafeMutablePointer<Colours>
    ) -> Fit {
        let mean = row.mean(column: column)
        var fit = Fit(flat: mean, threshold: SIMD8(repeating: 3 * threshold))
        for family in families {
            family.loadChanges(scratch, row: row, column: column, mean: mean)
            let (gains, steps) = TruecolorFit.walk(family.family, changes: scratch)
            family.improve(&fit, gains: gains, steps: steps, mean: mean, changes: scratch)
        }
        return fit
    }

    /// Returns the step of the walk that gains most, and its gain.
    @inline(__always)
    private static func walk(
        _ family: GlyphFamily, changes: UnsafePointer<Colours>
    ) -> (gains: SIMD8<Float>, steps: SIMD8<Int32>) {
        var best = SIMD8<Float>.zero
        var steps = SIMD8<Int32>.zero
        var sum = Colours()
        family.changes.withUnsafeBufferPointer { order in
            family.gains.withUnsafeBufferPointer { gains in
                for step in 0..<order.count {
                    sum = sum + changes[order[step]]
                    let gain = sum.squared * gains[step]
                    let better = gain .> best
                    best.replace(with: gain, where: better)
                    steps.replace(with: Int32(truncatingIfNeeded: step + 1), where: better)
                }
            }
        }
        return (best, steps)
    }
}
