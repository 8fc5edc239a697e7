public import RhumbCore

/// The user's choices about the look and behaviour of the map.
public struct Settings: Equatable, Sendable {
    /// Kilometres, or miles and feet.
    public enum Units: String, CaseIterable, Sendable { case metric, imperial }
    /// Light or dark colours.
    public typealias Theme = MapTheme

    /// The units of the scale bar and of distances.
    public var units = Units.metric
    /// The rule that chooses between light and dark colours.
    public var themeRule = ThemeRule.terminal
    /// The glyphs that pictures are made of.
    public var symbols: Symbols = [.quadrant, .half]
    /// The glyphs that pictures are made of while there are colours; nil while there are.
    private var symbolsInColour: Symbols?
    /// The number of colours of the terminal.
    public var depth = ColorDepth.truecolor
    /// Bits per channel of truecolor, 1…8: what 5 round away is hardly seen in motion, and lets
    /// neighbouring cells share colours.
    public var colourBits = 5
    /// With 256 colours, whether cells mix them for colours between: nearer colours, rougher detail.
    public var mixesColours = false
    /// 0…1: how much thin lines and edges of pictures are brought out, in layers that don't ask
    /// for more.
    public var sharpness = 0.0
    /// True if glyphs beyond ASCII may be used.
    public var isUnicode = true
    /// True if the bottom line shows keys.
    public var showsHints = true
    /// True if the borders of tiles are drawn.
    public var showsBorders = false
    /// True if names are written over the map; nil to write them where the map's own are unreadable.
    public var labels: Bool?
    /// In which language names are written, where the map has them in several.
    public var nameLanguage = NameLanguage.usual
    /// The language of words for kinds of things, a code of ISO 639-1.
    public var language = "en"
    /// The colours of traffic flow, on the map and in its legend.
    public var trafficColours = TrafficColours.standard
    /// Day and night over the world; nil: they are not shown.
    public var daylight: Daylight?
    /// True if the camera flies; otherwise it jumps.
    public var animates = true
    /// True if loaded tiles fade in, given enough colours.
    public var fadesTiles = false

    /// Metric, with truecolor, quadrants and half blocks.
    public init() {}

    /// True if tiles fade in with the current colours.
    public var mayFadeTiles: Bool { fadesTiles && (depth == .truecolor || depth == .indexed256) }

    /// Changes the colours. Without any, pictures are made of braille dots, which draw the finest lines.
    public mutating func show(in depth: ColorDepth) {
        if depth == .mono, self.depth != .mono, isUnicode {
            symbolsInColour = symbols
            symbols = .braille
        } else if depth != .mono, let before = symbolsInColour {
            symbolsInColour = nil
            symbols = before
        }
        self.depth = depth
    }

    /// The options of the cell renderer.
    public var rendering: CellRenderer.Options {
        var options = CellRenderer.Options()
        options.bits = colourBits
        options.mixing = mixesColours ? 1.2 : 0
        return options
    }
}
