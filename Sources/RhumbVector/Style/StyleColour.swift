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

    private init?(function name: String, _ arguments: [String]) {
        guard arguments.count == 3 || arguments.count == 4 else { return nil }
        let alpha = arguments.count == 4 ? StyleColour.number(arguments[3], percentOf: 1) : 1
        guard let alpha else { return nil }
        switch name {
        case "rgb", "rgba":
            let channels = arguments.prefix(3).compactMap { StyleColour.number($0, percentOf: 255) }
            guard channels.count == 3 else { return nil }
            self.init(red: channels[0] / 255, green: channels[1] / 255, blue: channels[2] / 255, alpha: alpha)
        case "hsl", "hsla":
            let hue = arguments[0].hasSuffix("deg") ? String(arguments[0].dropLast(3)) : arguments[0]
            guard let hue = StyleColour.number(hue, percentOf: 360),
                let saturation = StyleColour.number(arguments[1], percentOf: 1),
                let lightness = StyleColour.number(arguments[2], percentOf: 1)
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

extension StyleColour {
    /// The named colours of CSS Color Module Level 4, as 0xRRGGBB.
    static let names: [String: UInt32] = [
        "aliceblue": 0xF0F8FF, "antiquewhite": 0xFAEBD7, "aqua": 0x00FFFF, "aquamarine": 0x7FFFD4,
        "azure": 0xF0FFFF, "beige": 0xF5F5DC, "bisque": 0xFFE4C4, "black": 0x000000,
        "blanchedalmond": 0xFFEBCD,
        "blue": 0x0000FF, "blueviolet": 0x8A2BE2, "brown": 0xA52A2A, "burlywood": 0xDEB887,
        "cadetblue": 0x5F9EA0, "chartreuse": 0x7FFF00, "chocolate": 0xD2691E, "coral": 0xFF7F50,
        "cornflowerblue": 0x6495ED, "cornsilk": 0xFFF8DC, "crimson": 0xDC143C, "cyan": 0x00FFFF,
        "darkblue": 0x00008B, "darkcyan": 0x008B8B, "darkgoldenrod": 0xB8860B, "darkgray": 0xA9A9A9,
        "darkgreen": 0x006400, "darkgrey": 0xA9A9A9, "darkkhaki": 0xBDB76B, "darkmagenta": 0x8B008B,
        "darkolivegreen": 0x556B2F, "darkorange": 0xFF8C00, "darkorchid": 0x9932CC, "darkred": 0x8B0000,
        "darksalmon": 0xE9967A, "darkseagreen": 0x8FBC8F, "darkslateblue": 0x483D8B,
        "darkslategray": 0x2F4F4F,
        "darkslategrey": 0x2F4F4F, "darkturquoise": 0x00CED1, "darkviolet": 0x9400D3, "deeppink": 0xFF1493,
        "deepskyblue": 0x00BFFF, "dimgray": 0x696969, "dimgrey": 0x696969, "dodgerblue": 0x1E90FF,
        "firebrick": 0xB22222, "floralwhite": 0xFFFAF0, "forestgreen": 0x228B22, "fuchsia": 0xFF00FF,
        "gainsboro": 0xDCDCDC, "ghostwhite": 0xF8F8FF, "gold": 0xFFD700, "goldenrod": 0xDAA520,
        "gray": 0x808080, "green": 0x008000, "greenyellow": 0xADFF2F, "grey": 0x808080, "honeydew": 0xF0FFF0,
        "hotpink": 0xFF69B4, "indianred": 0xCD5C5C, "indigo": 0x4B0082, "ivory": 0xFFFFF0, "khaki": 0xF0E68C,
        "lavender": 0xE6E6FA, "lavenderblush": 0xFFF0F5, "lawngreen": 0x7CFC00, "lemonchiffon": 0xFFFACD,
        "lightblue": 0xADD8E6, "lightcoral": 0xF08080, "lightcyan": 0xE0FFFF,
        "lightgoldenrodyellow": 0xFAFAD2,
        "lightgray": 0xD3D3D3, "lightgreen": 0x90EE90, "lightgrey": 0xD3D3D3, "lightpink": 0xFFB6C1,
        "lightsalmon": 0xFFA07A, "lightseagreen": 0x20B2AA, "lightskyblue": 0x87CEFA,
        "lightslategray": 0x778899, "lightslategrey": 0x778899, "lightsteelblue": 0xB0C4DE,
        "lightyellow": 0xFFFFE0, "lime": 0x00FF00, "limegreen": 0x32CD32, "linen": 0xFAF0E6,
        "magenta": 0xFF00FF, "maroon": 0x800000, "mediumaquamarine": 0x66CDAA, "mediumblue": 0x0000CD,
        "mediumorchid": 0xBA55D3, "mediumpurple": 0x9370DB, "mediumseagreen": 0x3CB371,
        "mediumslateblue": 0x7B68EE, "mediumspringgreen": 0x00FA9A, "mediumturquoise": 0x48D1CC,
        "mediumvioletred": 0xC71585, "midnightblue": 0x191970, "mintcream": 0xF5FFFA, "mistyrose": 0xFFE4E1,
        "moccasin": 0xFFE4B5, "navajowhite": 0xFFDEAD, "navy": 0x000080, "oldlace": 0xFDF5E6,
        "olive": 0x808000,
        "olivedrab": 0x6B8E23, "orange": 0xFFA500, "orangered": 0xFF4500, "orchid": 0xDA70D6,
        "palegoldenrod": 0xEEE8AA, "palegreen": 0x98FB98, "paleturquoise": 0xAFEEEE,
        "palevioletred": 0xDB7093,
        "papayawhip": 0xFFEFD5, "peachpuff": 0xFFDAB9, "peru": 0xCD853F, "pink": 0xFFC0CB, "plum": 0xDDA0DD,
        "powderblue": 0xB0E0E6, "purple": 0x800080, "rebeccapurple": 0x663399, "red": 0xFF0000,
        "rosybrown": 0xBC8F8F, "royalblue": 0x4169E1, "saddlebrown": 0x8B4513, "salmon": 0xFA8072,
        "sandybrown": 0xF4A460, "seagreen": 0x2E8B57, "seashell": 0xFFF5EE, "sienna": 0xA0522D,
        "silver": 0xC0C0C0, "skyblue": 0x87CEEB, "slateblue": 0x6A5ACD, "slategray": 0x708090,
        "slategrey": 0x708090, "snow": 0xFFFAFA, "springgreen": 0x00FF7F, "steelblue": 0x4682B4,
        "tan": 0xD2B48C, "teal": 0x008080, "thistle": 0xD8BFD8, "tomato": 0xFF6347, "turquoise": 0x40E0D0,
        "violet": 0xEE82EE, "wheat": 0xF5DEB3, "white": 0xFFFFFF, "whitesmoke": 0xF5F5F5, "yellow": 0xFFFF00,
        "yellowgreen": 0x9ACD32,
    ]

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
