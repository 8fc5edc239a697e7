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
        let shade = grey((colours.red + colours.green + colours.blue) * (1 / 3))
        let ramp = Colours(red: shade, green: shade, blue: shade)
        var nearest = cube
        nearest.replace(
            with: ramp, where: (ramp - colours).squared .< (cube - colours).squared)
        return nearest
    }

    /// Returns the entry with exactly this colour. If two have it, returns the cube's.
    static func index(red: Float, green: Float, blue: Float) -> UInt8 {
        func step(_ level: Float) -> Int? {
            if level == 0 { return 0 }
            let step = Int((level - 55) / 40)
            return step >= 1 && Float(55 + 40 * step) == level ? step : nil
        }
        if let r = step(red), let g = step(green), let b = step(blue) {
            return UInt8(16 + 36 * r + 6 * g + b)
        }
        return UInt8(232 + Int((red - 8) / 10))
    }

    /// Returns the nearest of 0, 95, 135, 175, 215, 255.
    @inline(__always)
    private static func level(_ value: SIMD8<Float>) -> SIMD8<Float> {
        var level = whole((value - 35) * (1 / 40), from: 1, to: 5) * 40 + 55
        level.replace(with: SIMD8(repeating: 0), where: value .< 47.5)
        return level
    }

    /// Returns the nearest of 8, 18 … 238.
    @inline(__always)
    private static func grey(_ value: SIMD8<Float>) -> SIMD8<Float> {
        whole((value - 3) * (1 / 10), from: 0, to: 23) * 10 + 8
    }

    /// Returns the integer part within limits.
    @inline(__always)
    private static func whole(
        _ value: SIMD8<Float>, from lowest: Float, to highest: Float
    ) -> SIMD8<Float> {
        (value.limited(to: lowest, highest + 0.5) - 0.49999).roundedToWhole
    }
}

extension SIMD8<Float> {
    /// Returns the numbers within limits. `clamped(lowerBound:upperBound:)` handles each number by itself,
    /// which is many times slower.
    @inline(__always)
    func limited(to lowest: Float, _ highest: Float) -> SIMD8<Float> {
        let lowest = SIMD8(repeating: lowest), highest = SIMD8(repeating: highest)
        var limited = replacing(with: lowest, where: self .< lowest)
        limited.replace(with: highest, where: limited .> highest)
        return limited
    }
}
