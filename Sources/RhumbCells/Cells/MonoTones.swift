/// Monochrome pictures. A cell shows either a tone, by the share of its glyph's ink, or an edge, by the block
/// that leaves the darker side empty, whichever comes nearer. Tones are measured in luminance, because ink
/// and empty background mix in the eye by their light.
struct MonoTones: Sendable {
    /// The characters for the tones, from empty to full.
    private let ramp = Array(" ░▒▓█".unicodeScalars)

    /// Returns the tone for a cell of one colour, 0…255 per channel.
    func flat(_ colour: SIMD3<Float>) -> Cell { tone(MonoTones.luminance(colour)) }

    /// Returns a cell of two colours.
    /// - Parameters:
    ///   - glyph: A glyph whose ink covers `share` of the cell.
    ///   - complement: The glyph that covers the rest of the cell.
    func cell(
        _ glyph: Unicode.Scalar, complement: Unicode.Scalar, share: Float, ink: SIMD3<Float>,
        paper: SIMD3<Float>
    ) -> Cell {
        let front = MonoTones.luminance(ink), back = MonoTones.luminance(paper)
        let mean = front * share + back * (1 - share)
        let toneError = share * squared(front - shown(mean)) + (1 - share) * squared(back - shown(mean))
        let bright = max(front, back)
        let dark = min(front, back)
        let brightShare = front > back ? share : 1 - share
        let blockError = brightShare * squared(1 - bright) + (1 - brightShare) * squared(dark)
        guard blockError < toneError else { return tone(mean) }
        return Cell(front > back ? glyph : complement)
    }

    private func tone(_ luminance: Float) -> Cell { Cell(ramp[index(luminance)]) }

    private func index(_ luminance: Float) -> Int {
        Int(min(max(luminance * Float(ramp.count - 1) + 0.5, 0), Float(ramp.count - 1)))
    }

    /// Returns the luminance that the tone for a luminance actually shows.
    private func shown(_ luminance: Float) -> Float {
        Float(index(luminance)) / Float(ramp.count - 1)
    }

    private func squared(_ value: Float) -> Float { value * value }

    /// Returns the luminance, 0…1, as the cube of OKLab's lightness, which is a close approximation.
    private static func luminance(_ colour: SIMD3<Float>) -> Float {
        let lightness = OKLab(red: colour.x, green: colour.y, blue: colour.z).lightness
        return lightness * lightness * lightness
    }
}

/// ASCII pictures without colour. A cell with a line or an edge shows a stroke in its direction: `/`, `\`,
/// `-` or `|`. Blue cells are water, shaded with colons. Any other cell shows a tone by its luminance. The
/// tones use other characters than strokes and water.
struct TextTones: Sendable {
    private static let ramp = Array(" .,=+*o#%@".unicodeScalars)
    /// The blueness, OKLab's b, below which a colour is water. Rhumb's own background for unknown tiles is
    /// slightly blue, at -0.009; OpenStreetMap's light blue of water has -0.028.
    private static let water: Float = -0.02
    /// The strokes by the pattern of bright sub-cells, in which bit k is sub-cell k, row by row.
    private static let strokes = (0..<256).map(stroke)

    /// - Parameter parts: The colours of the cell's 2 × 4 sub-cells, row by row, 0…255 per channel.
    func cell(_ parts: [SIMD3<Float>]) -> Cell {
        let lightness = parts.map { OKLab(red: $0.x, green: $0.y, blue: $0.z).lightness }
        guard let darkest = lightness.min(), let brightest = lightness.max() else { return Cell(" ") }
        if brightest - darkest >= BrailleTones.edge {
            let middle = (darkest + brightest) / 2
            let pattern = lightness.indices.reduce(0) { $0 | (lightness[$1] > middle ? 1 << $1 : 0) }
            if let stroke = TextTones.strokes[pattern & 255] { return Cell(stroke) }
        }
        let mean = parts.reduce(.zero, +) / Float(parts.count)
        let colour = OKLab(red: mean.x, green: mean.y, blue: mean.z)
        if colour.value.z < TextTones.water { return Cell(":") }
        let luminance = colour.lightness * colour.lightness * colour.lightness
        return Cell(TextTones.ramp[Int(min(max(luminance, 0), 1) * Float(TextTones.ramp.count - 1) + 0.5)])
    }

    /// Returns the stroke in the direction of the bright sub-cells; nil if all but one are alike, as where a
    /// line touches the cell's corner.
    private static func stroke(_ pattern: Int) -> Unicode.Scalar? {
        guard (2...6).contains(pattern.nonzeroBitCount) else { return nil }
        let rows = (0..<2).map { side in (0..<4).filter { pattern >> (2 * $0 + side) & 1 == 1 } }
        if rows[0] == rows[1] { return "-" }
        guard let left = mean(rows[0]), let right = mean(rows[1]) else { return "|" }
        let isFlat = Set(rows.joined()).count <= 2
        if abs(right - left) >= (isFlat ? 0.5 : 1) { return right > left ? "\\" : "/" }
        return isFlat ? "-" : "|"
    }

    private static func mean(_ rows: [Int]) -> Double? {
        rows.isEmpty ? nil : Double(rows.reduce(0, +)) / Double(rows.count)
    }
}
