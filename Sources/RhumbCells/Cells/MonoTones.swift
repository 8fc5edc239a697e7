/// Monochrome pictures. A cell shows either a tone, by the share of its glyph's ink, or an edge, by the block
/// that leaves the darker side empty, whichever comes nearer. Tones are measured in luminance, because ink
/// and empty background mix in the eye by their light.
struct MonoTones: Sendable {
    /// The characters for the tones, from empty to full.
    private let ramp: [Unicode.Scalar]

    /// - Parameter isText: If true, tones are ASCII characters instead of shades and blocks.
    init(isText: Bool) {
        ramp = isText ? Array(" .:-=+*#%@".unicodeScalars) : Array(" ░▒▓█".unicodeScalars)
    }

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
