internal import Glibc

extension StyleColour {
    /// The colour spaces in which a style can mix colours.
    enum Space: Sendable, Equatable {
        case rgb
        /// CIELAB, with the white point D50.
        case lab
        /// Hue, chroma and lightness: the polar form of CIELAB.
        case hcl
    }

    /// Returns the colour between two others. Channels are mixed regardless of the opacity, as specified.
    /// - Parameter share: The share of the other colour, 0…1.
    func interpolated(to other: StyleColour, _ share: Double, in space: Space) -> StyleColour {
        func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        func between(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> { a + (b - a) * share }
        let alpha = between(alpha, other.alpha)
        switch space {
        case .rgb:
            return StyleColour(
                red: between(red, other.red), green: between(green, other.green),
                blue: between(blue, other.blue), alpha: alpha)
        case .lab: return StyleColour(lab: between(lab, other.lab), alpha: alpha)
        case .hcl:
            let a = lab, b = other.lab
            let first = Hue(a), second = Hue(b)
            let lightness = between(a.x, b.x)
            var chroma = between(first.chroma, second.chroma), angle = 0.0
            switch (first.angle, second.angle) {
            case (let from?, let to?):
                // The shorter way around the circle.
                angle = from + (to - from).remainder(dividingBy: 2 * .pi) * share
            case (let from?, nil):
                angle = from
                if b.x == 0 || b.x == 1 { chroma = first.chroma }
            case (nil, let to?):
                angle = to
                if a.x == 0 || a.x == 1 { chroma = second.chroma }
            case (nil, nil): break
            }
            return StyleColour(
                lab: SIMD3(lightness, cos(angle) * chroma, sin(angle) * chroma), alpha: alpha)
        }
    }

    /// The angle of a CIELAB colour, nil for greys, and its distance from grey.
    private struct Hue {
        let angle: Double?
        let chroma: Double

        init(_ lab: SIMD3<Double>) {
            chroma = hypot(lab.y, lab.z)
            angle = (chroma * 10_000).rounded() == 0 ? nil : atan2(lab.z, lab.y)
        }
    }

    /// The colour in CIELAB: lightness 0…100 and two axes from -125 to 125.
    private var lab: SIMD3<Double> {
        let (r, g, b) = (Self.linear(red), Self.linear(green), Self.linear(blue))
        let y = Self.cubeRoot(0.2225045 * r + 0.7168786 * g + 0.0606169 * b)
        var x = y, z = y
        if red != green || green != blue {
            x = Self.cubeRoot((0.4360747 * r + 0.3850649 * g + 0.1430804 * b) / Self.whiteX)
            z = Self.cubeRoot((0.0139322 * r + 0.0971045 * g + 0.7141733 * b) / Self.whiteZ)
        }
        return SIMD3(max(116 * y - 16, 0), 500 * (x - y), 200 * (y - z))
    }

    private init(lab: SIMD3<Double>, alpha: Double) {
        let middle = (lab.x + 16) / 116
        let y = Self.cube(middle)
        let x = Self.whiteX * Self.cube(middle + lab.y / 500),
            z = Self.whiteZ * Self.cube(middle - lab.z / 200)
        self.init(
            red: Self.companded(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
            green: Self.companded(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
            blue: Self.companded(0.0719453 * x - 0.2289914 * y + 1.4052427 * z), alpha: alpha)
    }

    private static let whiteX = 0.96422, whiteZ = 0.82521
    private static let offset = 4.0 / 29, threshold = 6.0 / 29

    private static func linear(_ channel: Double) -> Double {
        channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }

    private static func companded(_ channel: Double) -> Double {
        channel <= 0.00304 ? 12.92 * channel : 1.055 * pow(channel, 1 / 2.4) - 0.055
    }

    private static func cubeRoot(_ value: Double) -> Double {
        value > threshold * threshold * threshold
            ? cbrt(value) : value / (3 * threshold * threshold) + offset
    }

    private static func cube(_ value: Double) -> Double {
        value > threshold ? value * value * value : 3 * threshold * threshold * (value - offset)
    }
}
