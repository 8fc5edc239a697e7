/// Ranges of numbers from files, receivers and servers. Readers drop numbers outside them, so that arithmetic
/// and conversions to integers can't overflow later.
extension BinaryFloatingPoint {
    /// The number as a bearing in degrees; nil beyond a full turn and for NaN.
    package var plausibleBearing: Self? { abs(self) <= 360 ? self : nil }

    /// The number as a height in metres; nil above 100 km, for NaN, and for -9,999 and the numbers
    /// up to -32,767, by which terrain models and receivers mark missing heights.
    package var plausibleHeight: Self? {
        self > -32_767 && self < 100_000 && self != -9_999 ? self : nil
    }

    /// The number as seconds since 1970; nil more than about 3,000 years away and for NaN.
    package var plausibleTime: Self? { abs(self) <= 1e11 ? self : nil }
}
