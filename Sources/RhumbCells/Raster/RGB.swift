internal import Glibc
internal import RhumbBase

/// An sRGB colour, 8 bits a channel.
public struct RGB: Hashable, Sendable, CustomStringConvertible {
    /// The red channel, 0…255.
    public var red: UInt8
    /// The green channel, 0…255.
    public var green: UInt8
    /// The blue channel, 0…255.
    public var blue: UInt8

    /// A colour by its three channels, each 0…255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour from 0xRRGGBB; higher bits are ignored.
    public init(_ hex: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
            blue: UInt8(truncatingIfNeeded: hex))
    }

    /// A colour from "#RRGGBB" or "RRGGBB"; nil for any other text.
    public init?(hex text: String) {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.utf8.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
        self.init(value)
    }

    /// The colour as 0xRRGGBB.
    public var hex: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    /// The colour as "#RRGGBB".
    public var description: String { "#" + hex.digits(6, radix: 16, uppercase: true) }
}

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
