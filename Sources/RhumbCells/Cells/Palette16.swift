/// The sixteen ANSI colours with xterm's values. The user's terminal may show others.
public enum Palette16 {
    /// The entries that every terminal can show as a background.
    public static let papers = 0..<8

    /// The colour of an entry, 0–15.
    public static func colour(_ index: UInt8) -> RGB { RGB(SixteenColours.palette[Int(index & 15)]) }

    /// Returns the entry used for a foreground colour.
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
