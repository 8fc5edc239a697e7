internal import RhumbBase
public import RhumbCells
internal import RhumbVector

/// A feature's own style, from simplestyle properties or the colours in GPX or KML.
public final class OverlayStyle: Sendable, Equatable {
    /// The colour of the point, the line or the polygon's outline.
    public let ink: RGB?
    /// Opacity of the line or outline, 0…1.
    public let opacity: Double
    /// The colour of the polygon; nil for that of the outline.
    public let fill: RGB?
    /// Opacity of the polygon, 0…1; nil for the default.
    public let fillOpacity: Double?
    /// Width of the line in map pixels; nil for the default.
    public let width: Double?
    /// A character or the name of an icon, such as "hospital"; nil for the default.
    public let symbol: String?
    /// True if the line has a casing that sets it off from the map.
    public let hasCasing: Bool

    /// Creates a style, with defaults where an argument is nil.
    public init(
        ink: RGB? = nil, opacity: Double = 1, fill: RGB? = nil, fillOpacity: Double? = nil,
        width: Double? = nil,
        symbol: String? = nil, hasCasing: Bool = true
    ) {
        self.hasCasing = hasCasing
        self.ink = ink
        self.opacity = min(max(opacity, 0), 1)
        self.fill = fill
        self.fillOpacity = fillOpacity.map { min(max($0, 0), 1) }
        self.width = width.map { min(max($0, 0.5), 16) }
        self.symbol = symbol.map { SafeText.sanitised($0, limit: 24) }
    }

    public static func == (a: OverlayStyle, b: OverlayStyle) -> Bool {
        (a.ink, a.opacity, a.fill, a.fillOpacity, a.width) == (
            b.ink, b.opacity, b.fill, b.fillOpacity, b.width
        )
            && a.symbol == b.symbol && a.hasCasing == b.hasCasing
    }
}

/// Collects a feature's style from its properties.
struct OverlayStyleBuilder {
    private var ink: RGB?
    private var markerInk: RGB?
    private var opacity = 1.0
    private var fill: RGB?
    private var fillOpacity: Double?
    private var width: Double?
    private var symbol: String?
    private var isEmpty = true
    /// The distinct styles built so far, for sharing, because most features use only a few.
    private var cached: [OverlayStyle] = []
    private static let cacheLimit = 64

    /// Returns true if a property may be a style property. Tests only length and first letter.
    static func mayStyle(_ name: Bytes) -> Bool {
        guard let first = name.first, name.count >= 4 else { return false }
        return switch first {
        case UInt8(ascii: "m"), UInt8(ascii: "s"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "g"):
            true
        default: false
        }
    }

    /// Reads a property. Ignores those that aren't style properties.
    mutating func take(_ name: String, _ value: String) {
        switch name {
        case "marker-color": markerInk = colour(value)
        case "stroke", "color", "colour": ink = colour(value)
        case "fill": fill = colour(value)
        case "stroke-opacity": opacity = Double(value) ?? 1
        case "fill-opacity": fillOpacity = Double(value)
        case "stroke-width": width = Double(value)
        case "marker-symbol", "glyph", "symbol", "sym": symbol = value
        default: return
        }
        isEmpty = false
    }

    /// Sets a colour from another source.
    mutating func take(ink: RGB?, opacity: Double = 1, width: Double? = nil) {
        guard ink != nil || width != nil else { return }
        self.ink = ink ?? self.ink
        self.opacity = opacity
        self.width = width ?? self.width
        isEmpty = false
    }

    mutating func take(fill: RGB, opacity: Double) {
        self.fill = fill
        fillOpacity = opacity
        isEmpty = false
    }

    /// Parses "#f00", "f00", "red" or "rgb(255, 0, 0)".
    private func colour(_ text: String) -> RGB? {
        (StyleColour(css: text) ?? StyleColour(css: "#" + text))?.rgb
    }

    /// Returns the style, and resets the builder.
    mutating func finish() -> OverlayStyle? {
        guard !isEmpty else { return nil }
        defer {
            let styles = cached
            self = OverlayStyleBuilder()
            cached = styles
        }
        let style = OverlayStyle(
            ink: markerInk ?? ink, opacity: opacity, fill: fill, fillOpacity: fillOpacity, width: width,
            symbol: symbol)
        if let same = cached.first(where: { $0 == style }) { return same }
        if cached.count < Self.cacheLimit { cached.append(style) }
        return style
    }
}

/// The default styles of overlays, which differ by colour, and without colours by glyph and dash pattern.
public struct OverlayPalette: Sendable, Equatable {
    /// The number of the overlay, from 0.
    public let number: Int

    /// Creates the style of an overlay.
    public init(_ number: Int) { self.number = max(number, 0) }

    private static let inks: [UInt32] = [
        0xE5383B, 0x2274E0, 0xE08A00, 0x9B45D8, 0x12A150, 0xD83A9A, 0x0FA3B1, 0x8A6D3B,
    ]
    private static let glyphs: [(unicode: Unicode.Scalar, ascii: Unicode.Scalar)] = [
        ("●", "*"), ("◆", "#"), ("▲", "^"), ("■", "%"), ("★", "@"), ("✚", "+"), ("○", "o"), ("◇", "x"),
    ]

    /// The colour.
    public var ink: RGB { RGB(Self.inks[number % Self.inks.count]) }

    /// The glyphs for points in Unicode and ASCII, for terminals with too few colours.
    public var glyph: (unicode: Unicode.Scalar, ascii: Unicode.Scalar) {
        Self.glyphs[number % Self.glyphs.count]
    }

    /// The dash pattern for terminals with too few colours: lengths of dashes and gaps in map pixels. Empty
    /// for a solid line.
    public var dashes: [Double] {
        switch number % 4 {
        case 0: []
        case 1: [12, 6]
        case 2: [3, 5]
        default: [14, 5, 3, 5]
        }
    }
}
