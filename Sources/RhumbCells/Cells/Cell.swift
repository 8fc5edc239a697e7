/// A colour as a terminal understands it.
public struct CellColor: Hashable, Sendable {
    /// Tag in the top byte (0 default, 1 indexed, 2 RGB), value below.
    private let bits: UInt32

    private init(bits: UInt32) { self.bits = bits }

    /// The terminal's own foreground or background.
    public static let terminal = CellColor(bits: 0)
    /// An entry of the terminal's palette: 0–7 ANSI, 8–15 bright, 16–231 cube, 232–255 greys.
    public static func indexed(_ index: UInt8) -> CellColor { CellColor(bits: 1 << 24 | UInt32(index)) }
    /// A direct colour with red, green and blue.
    public static func rgb(_ colour: RGB) -> CellColor { CellColor(bits: 2 << 24 | colour.hex) }

    /// The kind of a colour.
    public enum Kind: Equatable, Sendable {
        case terminal
        case indexed(UInt8)
        case rgb(RGB)
    }

    /// The kind of the colour, with its value.
    public var kind: Kind {
        switch bits >> 24 {
        case 1: .indexed(UInt8(truncatingIfNeeded: bits))
        case 2: .rgb(RGB(bits))
        default: .terminal
        }
    }

    /// A number that identifies the colour, for use as a table key.
    public var key: UInt32 { bits }
}

/// One character cell of the screen.
public struct Cell: Hashable, Sendable {
    /// The styles of a glyph in addition to its colours. They can be combined.
    public struct Style: OptionSet, Hashable, Sendable {
        /// One bit for each style.
        public let rawValue: UInt8
        /// The styles with these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Bold letters.
        public static let bold = Style(rawValue: 1)
        /// Fainter letters.
        public static let dim = Style(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Style(rawValue: 4)
        /// A line under the glyph.
        public static let underline = Style(rawValue: 8)
    }

    /// The character; a space for an empty cell. Never a control character.
    public var glyph: Unicode.Scalar
    /// A combining mark drawn over the glyph, if any.
    public var mark: Unicode.Scalar?
    /// The colour of the glyph: the foreground.
    public var ink: CellColor
    /// The colour behind the glyph: the background.
    public var paper: CellColor
    /// The style of the glyph.
    public var style: Style
    /// True for the right half of the wide character to its left; its glyph is not drawn.
    public var isContinuation: Bool

    /// An empty cell in the terminal's own colours.
    public static let blank = Cell(" ")

    /// A glyph, by default in the terminal's own colours.
    public init(
        _ glyph: Unicode.Scalar, ink: CellColor = .terminal, paper: CellColor = .terminal,
        style: Style = []
    ) {
        self.glyph = glyph
        self.mark = nil
        self.ink = ink
        self.paper = paper
        self.style = style
        self.isContinuation = false
    }
}
