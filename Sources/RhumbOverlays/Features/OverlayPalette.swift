public import RhumbCells

/// The default styles of overlays, which differ by colour, and without colours by glyph and dash pattern.
public struct OverlayPalette: Sendable, Equatable {
    /// The number of the overlay, from 0.
    public let number: Int

    /// Creates the style of an overlay.
    public init(_ number: Int) { self.number = max(number, 0) }

    private static let inks: [UInt32] = [
        0xE5383B, 0x2274E0, 0xE08A00, 0x9B45D8, 0x12A150, 0xD83A9A, 0x0FA3B1, 0x8A6D3B,
    ]
    private static let glyphs: [(unicode: Unicode.Scalar, ascii: Unicode.Scalar)] = [
        ("●", "*"), ("◆", "#"), ("▲", "^"), ("■", "%"), ("★", "@"), ("✚", "+"), ("○", "o"), ("◇", "x"),
    ]

    /// The colour.
    public var ink: RGB { RGB(Self.inks[number % Self.inks.count]) }

    /// The glyphs for points in Unicode and ASCII, for terminals with too few colours.
    public var glyph: (unicode: Unicode.Scalar, ascii: Unicode.Scalar) {
        Self.glyphs[number % Self.glyphs.count]
    }

    /// The dash pattern for terminals with too few colours: lengths of dashes and gaps in map pixels. Empty
    /// for a solid line.
    public var dashes: [Double] {
        switch number % 4 {
        case 0: []
        case 1: [12, 6]
        case 2: [3, 5]
        default: [14, 5, 3, 5]
        }
    }
}
