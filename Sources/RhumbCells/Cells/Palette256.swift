/// The part of a 256-colour palette that is the same everywhere: the 6×6×6 cube (16–231) and the grey ramp
/// (232–255), as xterm defines them. Entries 0–15 depend on the user's terminal.
public enum Palette256 {
    /// The colour of an entry from 16 on.
    public static func colour(_ index: Int) -> RGB {
        guard index < 232 else { return RGB(0x010101 * UInt32(8 + 10 * (index - 232))) }
        let cube = max(index, 16) - 16
        return RGB(red: level(cube / 36), green: level(cube / 6 % 6), blue: level(cube % 6))
    }

    private static func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }

    /// Returns an entry from 16 on that is near to a colour in RGB, weighted by perceived brightness. It is
    /// faster than `nearest` and almost as accurate.
    public static func index(near colour: RGB) -> UInt8 {
        func step(_ channel: UInt8) -> Int { channel < 48 ? 0 : channel < 115 ? 1 : (Int(channel) - 35) / 40 }
        let cube = 16 + 36 * step(colour.red) + 6 * step(colour.green) + step(colour.blue)
        let mean = (Int(colour.red) + Int(colour.green) + Int(colour.blue)) / 3
        let grey = 232 + min(max(mean - 3, 0) / 10, 23)
        let isGrey = distance(colour, Palette256.colour(grey)) < distance(colour, Palette256.colour(cube))
        return UInt8(isGrey ? grey : cube)
    }

    private static func distance(_ one: RGB, _ other: RGB) -> Int {
        let red = Int(one.red) - Int(other.red)
        let green = Int(one.green) - Int(other.green)
        let blue = Int(one.blue) - Int(other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }

    /// Returns the palette colours nearest to eight colours, in encoded RGB.
    @inline(__always)
    static func nearest(_ colours: Colours) -> Colours {
        let cube = Colours(
            red: level(colours.red), green: level(colours.green), blue: level(colours.blue))
        let shade = stepped((colours.red + colours.green + colours.blue) * (1 / 3), by: 10, from: 8, to: 238)
        let ramp = Colours(red: shade, green: shade, blue: shade)
        return cube.exchanged(for: ramp, where: (ramp - colours).squared .< (cube - colours).squared)
    }

    /// Returns the entries of eight colours of the palette.
    static func entries(_ colours: Colours) -> SIMD8<Int32> {
        func step(_ level: SIMD8<Float>) -> SIMD8<Float> {
            ((level - 55) * (1 / 40)).only(where: level .> 0)
        }
        let cube = step(colours.red) * 36 + step(colours.green) * 6 + step(colours.blue) + 16
        let ramp = (colours.red - 8) * (1 / 10) + 232
        let isRamp = level(colours.red) .!= colours.red
        return cube.exchanged(for: ramp, where: isRamp).nearestIntegers
    }

    /// Returns the nearest of 0, 95, 135, 175, 215, 255.
    @inline(__always)
    private static func level(_ value: SIMD8<Float>) -> SIMD8<Float> {
        stepped(value, by: 40, from: 95, to: 255).only(where: value .>= 47.5)
    }

    /// Returns the nearest number of a series; the higher of two.
    @inline(__always)
    private static func stepped(
        _ value: SIMD8<Float>, by step: Float, from first: Float, to last: Float
    ) -> SIMD8<Float> {
        let steps = value * (1 / step) - (first / step - 0.00001)
        let above = steps.roundedToWhole * step
        let below = above.only(where: above .> 0) - (last - first)
        return below.only(where: below .< 0) + last
    }
}
