public import RhumbCore

/// The user's choices about the look and behaviour of the map.
public struct Settings: Equatable, Sendable {
    /// The units: kilometres, or miles and feet.
    public enum Units: String, CaseIterable, Sendable { case metric, imperial }
    /// Light or dark colours.
    public typealias Theme = MapTheme

    /// True for the program without a screen: its lines have no signs, and are not wrapped, because a screen
    /// reader would pause in the middle of a name.
    public var isSpoken = false
    /// The units of the scale bar and of distances.
    public var units = Units.metric
    /// The rule that chooses between light and dark colours.
    public var themeRule = ThemeRule.terminal
    /// The theme for terminals that don't report their background. By default, night, whose land and water
    /// differ more.
    public var unreportedTheme = MapTheme.night
    /// The glyphs that pictures are made of.
    public var symbols: Symbols = [.quadrant, .half]
    /// The glyphs to restore once there are colours again; nil while there are.
    private var symbolsInColour: Symbols?
    /// The images in which the map is drawn, if the terminal supports them.
    public var pixels = PixelChoice.auto
    /// The number of colours of the terminal.
    public var depth = ColorDepth.truecolor
    /// The bits of green in truecolor, 1…8; see `CellRenderer.Options`. The difference between 5 and 8 is
    /// hardly visible in motion, and more neighbouring cells share colours.
    public var colourBits = 5
    /// True if cells mix the colours of a 256-colour palette, which gives closer colours but coarser details.
    public var mixesColours = false
    /// The emphasis of thin lines and edges in pictures: 0…1. Layers may request more.
    public var sharpness = 0.0
    /// True if glyphs beyond ASCII may be used.
    public var isUnicode = true
    /// True if the bottom line shows keys.
    public var showsHints = true
    /// True if names are written over the map; nil to write them where the map's own are unreadable.
    public var labels: Bool?
    /// The language of names, if the map has several.
    public var nameLanguage = NameLanguage.usual
    /// The language of words for kinds of features, as an ISO 639-1 code.
    public var language = "en"
    /// The time zone of tracks.
    public var zone = ClockZone.utc
    /// The colours of traffic flow, on the map and in its legend.
    public var trafficColours = TrafficColours.standard
    /// The coordinate grid over the map; nil for none.
    public var grid: GridKind?
    /// True if the labels of the grid are outside the map, in a frame.
    public var hasFrame = false
    /// Day and night over the world; nil if hidden.
    public var daylight: Daylight?
    /// True if the camera flies; otherwise it jumps.
    public var animates = true
    /// True if loaded tiles fade in, given enough colours.
    public var fadesTiles = false

    /// Creates the default settings: metric, truecolor, quadrants and half blocks.
    public init() {}

    /// True if tiles fade in with the current colours.
    public var mayFadeTiles: Bool { fadesTiles && (depth == .truecolor || depth == .indexed256) }

    /// Changes the colour depth. Without colours, pictures consist of braille dots, which draw the finest
    /// lines.
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
