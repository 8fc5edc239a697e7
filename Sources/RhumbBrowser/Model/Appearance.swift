package import RhumbCore

/// The style of the layers, and what decides about their theme.
package struct Appearance: Sendable {
    /// The styles in which maps of vector tiles are drawn.
    package internal(set) var style: StyleChoice
    /// The styles that are being loaded; nil for none.
    package internal(set) var wantedStyle: StyleChoice?
    /// The own layer sets of the chosen style; nil if it has none.
    var chosenSets: LayerSetStyle?
    /// The message for when the requested style is loaded; nil for its name.
    var styleRemark: String?
    /// The background colour that the terminal reported.
    package internal(set) var terminalBackground: RGB?
    /// The theme last requested for the layers.
    var drawnTheme = Settings.Theme.night
    var drawnDepth = ColorDepth.truecolor
    var sun = SunWatch()
    var daylight = DaylightWatch()
    /// The chosen shading and contours.
    package internal(set) var hills = HillsChoice()
}
