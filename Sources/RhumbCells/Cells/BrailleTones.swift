/// Braille pictures without colour. A cell with a line or an edge shows its brighter dots. Any other cell
/// shows as many dots as its brightness requires, spread evenly. A cell depends on itself alone, so a moved
/// picture keeps its dots.
struct BrailleTones: Sendable {
    /// The difference in lightness (0…1) at which a cell counts as having an edge.
    private static let edge: Float = 0.22
    /// The luminance at which each dot is set in a cell of one tone, row by row.
    private static let thresholds: [Float] = [1, 5, 7, 3, 2, 6, 8, 4].map { $0 / 9 }
    /// The bit of each dot in the code point, row by row (Unicode, block U+2800).
    private static let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

    /// - Parameter dots: The colours of the cell's dots, row by row, 0…255 per channel.
    func cell(_ dots: [SIMD3<Float>]) -> Cell {
        let lightness = dots.map { OKLab(red: $0.x, green: $0.y, blue: $0.z).lightness }
        guard let darkest = lightness.min(), let brightest = lightness.max() else { return Cell(" ") }
        let middle = (darkest + brightest) / 2
        let hasEdge = brightest - darkest >= BrailleTones.edge
        var pattern: UInt32 = 0
        for (dot, light) in lightness.enumerated() {
            let isSet = hasEdge ? light > middle : light * light * light >= BrailleTones.thresholds[dot]
            if isSet { pattern |= BrailleTones.bits[dot] }
        }
        return Cell(Unicode.Scalar(0x2800 + pattern).flatMap { pattern == 0 ? " " : $0 } ?? " ")
    }
}
