internal import Glibc
internal import RhumbBase
public import RhumbCells

/// A colour of a style: sRGB channels and opacity, 0…1, not premultiplied.
public struct StyleColour: Hashable, Sendable {
    /// Red, 0…1.
    public var red: Double
    /// Green, 0…1.
    public var green: Double
    /// Blue, 0…1.
    public var blue: Double
    /// Opacity from 0 (clear) to 1 (opaque).
    public var alpha: Double

    /// Opaque black.
    public static let black = StyleColour(red: 0, green: 0, blue: 0)
    /// Fully transparent.
    public static let clear = StyleColour(red: 0, green: 0, blue: 0, alpha: 0)

    /// Creates a colour. Channels outside 0…1 are clamped.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        func clamped(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
        self.red = clamped(red)
        self.green = clamped(green)
        self.blue = clamped(blue)
        self.alpha = clamped(alpha)
    }

    /// Creates a colour from three channels of 0…255 and optionally an opacity of 0…1; nil for other values.
    init?(channels: [StyleValue]) {
        let numbers = channels.compactMap(\.number)
        guard numbers.count == channels.count, numbers.count == 3 || numbers.count == 4,
            numbers.prefix(3).allSatisfy({ 0...255 ~= $0 }), numbers.dropFirst(3).allSatisfy({ 0...1 ~= $0 })
        else { return nil }
        self.init(
            red: numbers[0] / 255, green: numbers[1] / 255, blue: numbers[2] / 255,
            alpha: numbers.count > 3 ? numbers[3] : 1)
    }

    /// Creates an opaque colour.
    public init(_ colour: RGB) {
        self.init(
            red: Double(colour.red) / 255, green: Double(colour.green) / 255, blue: Double(colour.blue) / 255)
    }

    /// The colour without its opacity, rounded to 8 bits.
    public var rgb: RGB {
        func byte(_ value: Double) -> UInt8 { UInt8(clamping: value * 255) }
        return RGB(red: byte(red), green: byte(green), blue: byte(blue))
    }

    /// Mixes in a share of another colour, weighted by their opacities.
    func mixed(with other: StyleColour, _ share: Double) -> StyleColour {
        let a = alpha * (1 - share), b = other.alpha * share
        let alpha = a + b
        guard alpha > 0 else { return .clear }
        return StyleColour(
            red: (red * a + other.red * b) / alpha, green: (green * a + other.green * b) / alpha,
            blue: (blue * a + other.blue * b) / alpha, alpha: alpha)
    }
}

extension StyleColour {
    /// Parses a CSS colour: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla() with commas or
    /// spaces, or a name; nil for anything else.
    public init?(css text: String) {
        let text = text.lowercased().filter { $0 != "\n" && $0 != "\t" }.trimmed
        if text.hasPrefix("#") {
            self.init(digits: text.dropFirst())
        } else if let open = text.firstIndex(of: "("), text.hasSuffix(")") {
            let name = String(text[..<open])
            let body = text[text.index(after: open)...].dropLast()
            self.init(function: name, body.split { ", /".contains($0) }.map(String.init))
        } else if let hex = StyleColour.names[text] {
            self.init(RGB(hex))
        } else if text == "transparent" {
            self = .clear
        } else {
            return nil
        }
    }

    private init?(digits: Substring) {
        let digits = Array(digits.utf8)
        let isShort = digits.count == 3 || digits.count == 4
        guard isShort || digits.count == 6 || digits.count == 8 else { return nil }
        let width = isShort ? 1 : 2
        var channels: [Double] = []
        for start in stride(from: 0, to: digits.count, by: width) {
            let part = digits[start..<start + width]
            guard part.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(String(decoding: part, as: UTF8.self), radix: 16)
            else { return nil }
            channels.append(Double(value) * (isShort ? 17 : 1) / 255)
        }
        self.init(
            red: channels[0], green: channels[1], blue: channels[2],
            alpha: channels.count > 3 ? channels[3] : 1)
    }

    private init?(function name: String, _ words: [String]) {
        guard words.count == 3 || words.count == 4 else { return nil }
        let alpha = words.count == 4 ? StyleColour.number(words[3], percentOf: 1) : 1
        guard let alpha else { return nil }
        switch name {
        case "rgb", "rgba":
            let channels = words.prefix(3).compactMap { StyleColour.number($0, percentOf: 255) }
            guard channels.count == 3 else { return nil }
            self.init(red: channels[0] / 255, green: channels[1] / 255, blue: channels[2] / 255, alpha: alpha)
        case "hsl", "hsla":
            let hue = words[0].hasSuffix("deg") ? String(words[0].dropLast(3)) : words[0]
            guard let hue = StyleColour.number(hue, percentOf: 360),
                let saturation = StyleColour.number(words[1], percentOf: 1),
                let lightness = StyleColour.number(words[2], percentOf: 1)
            else { return nil }
            self.init(hue: hue, saturation: saturation, lightness: lightness, alpha: alpha)
        default: return nil
        }
    }

    private init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
        let reach = min(max(saturation, 0), 1) * min(lightness, 1 - lightness)
        func channel(_ turn: Double) -> Double {
            let sector = (turn + hue / 30).truncatingRemainder(dividingBy: 12)
            let angle = sector < 0 ? sector + 12 : sector
            return lightness - reach * max(min(angle - 3, 9 - angle, 1), -1)
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4), alpha: alpha)
    }

    private static func number(_ word: String, percentOf whole: Double) -> Double? {
        let isPercent = word.hasSuffix("%")
        let digits = isPercent ? String(word.dropLast()) : word
        guard digits.allSatisfy({ "+-.0123456789".contains($0) }), let value = Double(digits) else {
            return nil
        }
        return isPercent ? value / 100 * whole : value
    }
}

extension String {
    /// The text without leading and trailing spaces.
    fileprivate var trimmed: String {
        let body = drop { $0 == " " }
        return String(
            body[..<(body.lastIndex { $0 != " " }.map { body.index(after: $0) } ?? body.startIndex)])
    }
}
