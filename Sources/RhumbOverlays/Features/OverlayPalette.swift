public import RhumbCells

/// The look of overlays without their own: distinguished by colour, or without colours by glyph and dash.
public struct OverlayPalette: Sendable, Equatable {
    /// Its number among the overlays, from 0.
    public let number: Int

    /// The look of an overlay by its number.
    public init(_ number: Int) { self.number = max(number, 0) }

    private static let inks: [UInt32] = [
        0xE5383B, 0x2274E0, 0xE08A00, 0x9B45D8, 0x12A150, 0xD83A9A, 0x0FA3B1, 0x8A6D3B,
    ]
    private static let glyphs: [(unicode: Unicode.Scalar, ascii: Unicode.Scalar)] = [
        ("●", "*"), ("◆", "#"), ("▲", "^"), ("■", "%"), ("★", "@"), ("✚", "+"), ("○", "o"), ("◇", "x"),
    ]

    /// Its colour.
    public var ink: RGB { RGB(Self.inks[number % Self.inks.count]) }

    /// Its glyph for points, where colours do not tell overlays apart, and the one for ASCII.
    public var glyph: (unicode: Unicode.Scalar, ascii: Unicode.Scalar) {
        Self.glyphs[number % Self.glyphs.count]
    }

    /// Its dash where colours do not tell overlays apart: lengths of strokes and gaps in map pixels; none:
    /// unbroken.
    public var dashes: [Double] {
        switch number % 4 {
        case 0: []
        case 1: [12, 6]
        case 2: [3, 5]
        default: [14, 5, 3, 5]
        }
    }
}
