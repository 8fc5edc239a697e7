internal import RhumbCore

/// Finds the nearest palette colours for the few cells whose colours exceed the terminal's depth. Pictures
/// are reduced earlier, with a better method.
enum ColorMatch {
    /// Returns the nearest of the 16 ANSI colours, with xterm's RGB values.
    static func indexed16(_ color: RGB) -> UInt8 {
        (0..<16).min { distance(color, Palette16.colour($0)) < distance(color, Palette16.colour($1)) } ?? 0
    }

    /// Returns the nearest of the 16 ANSI colours to a palette colour. The first 16 are unchanged.
    static func indexed16(_ index: UInt8) -> UInt8 {
        index < 16 ? index : indexed16(Palette256.colour(Int(index)))
    }

    /// Returns the squared distance, weighted by the perceived brightness of the channels.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }
}
