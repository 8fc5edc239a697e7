/// The sets of glyphs that a picture may use. Sets can be combined: `[.sextant, .quadrant, .half]` lets each
/// cell use whichever glyph fits it best.
public struct Symbols: OptionSet, Hashable, Sendable {
    /// One bit for each set of glyphs.
    public let rawValue: UInt8
    /// The sets with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Printable ASCII by density.
    public static let ascii = Symbols(rawValue: 1)
    /// Upper and lower half blocks: 1 × 2 sub-cells.
    public static let half = Symbols(rawValue: 2)
    /// Quadrant blocks: 2 × 2.
    public static let quadrant = Symbols(rawValue: 4)
    /// Sextant blocks (Unicode 13): 2 × 3.
    public static let sextant = Symbols(rawValue: 8)
    /// Octant blocks (Unicode 16): 2 × 4.
    public static let octant = Symbols(rawValue: 16)
    /// Braille dots: 2 × 4, one ink.
    public static let braille = Symbols(rawValue: 32)

    private static let names: [(String, Symbols)] = [
        ("ascii", .ascii), ("half", .half), ("quadrant", .quadrant), ("sextant", .sextant),
        ("octant", .octant), ("braille", .braille),
    ]

    /// The sets named in a text, joined by "+" as on the command line; nil if a name is unknown.
    public init?(names text: String) {
        var sum: Symbols = []
        for word in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let match = Symbols.names.first(where: { $0.0 == word }) else { return nil }
            sum.insert(match.1)
        }
        self = sum
    }

    /// The names joined by "+".
    public var text: String {
        Symbols.names.filter { contains($0.1) }.map(\.0).joined(separator: "+")
    }
}

/// The number of colours of a terminal.
public enum ColorDepth: String, CaseIterable, Sendable {
    case truecolor = "truecolor"
    case indexed256 = "256"
    case indexed16 = "16"
    case mono = "mono"
}
