internal import RhumbBase
public import RhumbCells
internal import RhumbVector

/// The look that a feature sets itself: by simplestyle's properties, or by colours of GPX or KML.
public final class OverlayLook: Sendable, Equatable {
    /// Of its point, its line, or the edge of its area.
    public let ink: RGB?
    /// 0…1, of the line or edge.
    public let opacity: Double
    /// Of its area; nil: as the edge.
    public let fill: RGB?
    /// 0…1, of the area; nil: as usual.
    public let fillOpacity: Double?
    /// Map pixels that the line is wide; nil: as usual.
    public let width: Double?
    /// A character, or what icons are called, such as "hospital"; nil: as usual.
    public let symbol: String?
    /// True if its line has a casing that separates it from the map.
    public let hasCasing: Bool

    /// A look; nil for defaults.
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

    public static func == (a: OverlayLook, b: OverlayLook) -> Bool {
        (a.ink, a.opacity, a.fill, a.fillOpacity, a.width) == (
            b.ink, b.opacity, b.fill, b.fillOpacity, b.width
        )
            && a.symbol == b.symbol && a.hasCasing == b.hasCasing
    }
}

/// The look that a feature's properties ask for, gathered while they are read.
struct LookBuilder {
    private var ink: RGB?
    private var markerInk: RGB?
    private var opacity = 1.0
    private var fill: RGB?
    private var fillOpacity: Double?
    private var width: Double?
    private var symbol: String?
    private var isEmpty = true
    /// Looks that were built, for features mostly share a few.
    private var known: [OverlayLook] = []
    private static let knownLimit = 64

    /// Names that properties of looks have; the first letter tells most others apart.
    static func mayStyle(_ name: Bytes) -> Bool {
        guard let first = name.first, name.count >= 4 else { return false }
        return switch first {
        case UInt8(ascii: "m"), UInt8(ascii: "s"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "g"):
            true
        default: false
        }
    }

    /// Takes in a property; those that mean nothing here are passed.
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

    /// Takes in a colour that was found otherwise.
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

    /// "#f00", "f00", "red", "rgb(255, 0, 0)".
    private func colour(_ text: String) -> RGB? {
        (StyleColour(css: text) ?? StyleColour(css: "#" + text))?.rgb
    }

    /// Returns the look, and starts a new one.
    mutating func finish() -> OverlayLook? {
        guard !isEmpty else { return nil }
        defer {
            let looks = known
            self = LookBuilder()
            known = looks
        }
        let look = OverlayLook(
            ink: markerInk ?? ink, opacity: opacity, fill: fill, fillOpacity: fillOpacity, width: width,
            symbol: symbol)
        if let same = known.first(where: { $0 == look }) { return same }
        if known.count < Self.knownLimit { known.append(look) }
        return look
    }
}
