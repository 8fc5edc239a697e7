/// Ranges of numbers from files, receivers and servers. Readers drop numbers outside them, so that arithmetic and
/// conversions to integers on the values they make can't overflow.
extension BinaryFloatingPoint {
    /// The number as a bearing in degrees; nil beyond a full turn and for NaN.
    var plausibleBearing: Self? { abs(self) <= 360 ? self : nil }

    /// The number as a height in metres; nil beyond 100 km and for NaN.
    var plausibleHeight: Self? { abs(self) < 100_000 ? self : nil }

    /// The number as seconds since 1970; nil more than about 3,000 years away and for NaN.
    var plausibleTime: Self? { abs(self) <= 1e11 ? self : nil }
}

extension Route {
    /// True if every length is at most 1e9 m (25 times round the Earth) and every time at most 1e9 s (30 years).
    var isPlausible: Bool {
        let lengths = [distance] + legs.map(\.distance) + steps.map(\.distance)
        let times = [duration, abs(delay ?? 0)] + legs.map(\.duration) + steps.map(\.duration)
        return (lengths + times).allSatisfy { (0...1e9).contains($0) }
    }
}
