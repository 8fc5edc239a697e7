/// The sixteen colours of old terminals, with the values that xterm gives them; a person may have others.
public enum Palette16 {
    /// Those that every terminal has behind a glyph.
    public static let papers = 0..<8

    /// The colour of an entry, 0–15.
    public static func colour(_ index: UInt8) -> RGB { RGB(SixteenColours.palette[Int(index & 15)]) }

    /// The entry that is taken for a glyph's colour.
    public static func nearest(_ colour: RGB) -> UInt8 {
        SixteenColours.blocks.ink(SIMD3(Float(colour.red), Float(colour.green), Float(colour.blue)))
    }
}

extension CellColor {
    /// The colour as xterm shows it; nil for the terminal's own.
    public var rgb: RGB? {
        switch kind {
        case .rgb(let colour): colour
        case .indexed(let index): index < 16 ? Palette16.colour(index) : Palette256.colour(Int(index))
        case .terminal: nil
        }
    }
}
