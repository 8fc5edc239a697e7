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
        let nearest = ansi.indices.min { distance(color, ansi[$0]) < distance(color, ansi[$1]) }
        return UInt8(nearest ?? 0)
    }

    /// A palette index as a colour of the 16; the first 16 stay.
    static func indexed16(_ index: UInt8) -> UInt8 {
        index < 16 ? index : indexed16(color(of: index))
    }

    private static func color(of index: UInt8) -> RGB {
        if index >= 232 {
            let grey = 8 + 10 * (index - 232)
            return RGB(red: grey, green: grey, blue: grey)
        }
        let at = Int(index) - 16
        return RGB(red: level(at / 36), green: level(at / 6 % 6), blue: level(at % 6))
    }

    private static let ansi: [RGB] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { RGB($0) }

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
