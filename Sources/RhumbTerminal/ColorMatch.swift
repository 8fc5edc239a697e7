internal import RhumbCore

/// Nearest palette colours, for the few cells that arrive in a finer colour than the terminal has:
/// pictures are reduced with more care before they get here.
enum ColorMatch {
    /// The nearest of the 6×6×6 cube and the 24 greys of the 256-colour palette.
    static func indexed256(_ color: RGB) -> UInt8 {
        let cube = [color.red, color.green, color.blue].map(cubeStep)
        let grey = max(0, min(23, (mean(color) - 3) / 10))
        let cubeColor = RGB(red: level(cube[0]), green: level(cube[1]), blue: level(cube[2]))
        let greyLevel = UInt8(8 + 10 * grey)
        let greyColor = RGB(red: greyLevel, green: greyLevel, blue: greyLevel)
        return distance(color, greyColor) < distance(color, cubeColor)
            ? UInt8(232 + grey) : UInt8(16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }

    /// The nearest of the 16 ANSI colours as xterm paints them.
    static func indexed16(_ color: RGB) -> UInt8 {
        (0..<16).min { distance(color, Palette16.colour($0)) < distance(color, Palette16.colour($1)) } ?? 0
    }

    /// A palette index as a colour of the 16; the first 16 stay.
    static func indexed16(_ index: UInt8) -> UInt8 {
        index < 16 ? index : indexed16(Palette256.colour(Int(index)))
    }

    private static func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }

    private static func cubeStep(_ channel: UInt8) -> Int {
        channel < 48 ? 0 : channel < 115 ? 1 : (Int(channel) - 35) / 40
    }

    private static func mean(_ color: RGB) -> Int {
        (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    }

    /// Weighted by how bright the channels look.
    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }
}
