internal import Glibc

/// The contrast of colours.
extension RGB {
    /// Relative luminance, 0…1 (WCAG 2.2).
    public var luminance: Double {
        0.2126 * RGB.linear[Int(red)] + 0.7152 * RGB.linear[Int(green)] + 0.0722 * RGB.linear[Int(blue)]
    }

    /// The contrast ratio of two colours, 1…21 (WCAG 2.2).
    public func contrast(with other: RGB) -> Double {
        let lights = (luminance, other.luminance)
        return (max(lights.0, lights.1) + 0.05) / (min(lights.0, lights.1) + 0.05)
    }

    /// The linear light of each level of a channel.
    private static let linear: [Double] = (0..<256).map { level in
        let share = Double(level) / 255
        return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
}
