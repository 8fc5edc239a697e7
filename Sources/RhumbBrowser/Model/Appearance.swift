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

/// The display of day and night: its time, and the data it needs.
struct DaylightWatch: Sendable {
    /// The time of day and night; nil if they are off.
    var time: MapTime?
    var lights: [Daylight.Light] = []
    var hasAskedLights = false
    /// The displayed time in minutes; −1 to force an update.
    var minute = -1
    /// The zoom at the last update.
    var zoom = -1.0
    /// The time of the next update.
    var due = Duration.zero
}

/// The state of the sun at the map's position.
struct SunWatch: Sendable {
    /// The seconds since 1970 in UTC at the start of the program's clock; nil if unknown.
    var startTime: Double?
    var isUp = false
    /// The time of the last update.
    var time = Duration.zero - SunWatch.pace
    /// The interval of updates.
    static let pace = Duration.seconds(60)
}
