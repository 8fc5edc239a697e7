internal import RhumbCore

/// Nearest palette colours, for the few cells that arrive in a finer colour than the terminal has:
/// pictures are reduced with more care before they get here.
enum ColorMatch {
    /// The nearest of the 16 ANSI colours as xterm paints them.
    static func indexed16(_ color: RGB) -> UInt8 {
        (0..<16).min { distance(color, Palette16.colour($0)) < distance(color, Palette16.colour($1)) } ?? 0
    }

    /// A palette index as a colour of the 16; the first 16 stay.
    static func indexed16(_ index: UInt8) -> UInt8 {
        index < 16 ? index : indexed16(Palette256.colour(Int(index)))
    }

    /// Weighted by how bright the channels look.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }
}
