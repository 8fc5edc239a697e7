public import RhumbCore

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

/// Colour adjustments for raster maps that were made for paper or screens.
public enum ColourPreset: String, CaseIterable, Sendable {
    case plain, daylight, crisp, vivid, strong, soft, grey, dark

    var title: String { self == .daylight ? "day and night" : rawValue }

    /// The adjustment of a layer's colours.
    public var adjustment: ImageAdjustment {
        var change = ImageAdjustment()
        switch self {
        case .plain, .daylight: break
        case .crisp:
            change.sharpness = 0.7
            change.contrast = 0.1
        case .vivid:
            change.saturation = 0.4
            change.contrast = 0.15
        case .strong:
            change.contrast = 0.4
            change.gamma = 0.85
        case .soft:
            change.contrast = -0.25
            change.saturation = -0.25
        case .grey: change.saturation = -1
        case .dark:
            // Swaps light and dark, and restores the hue.
            change.brightnessMin = 0.95
            change.brightnessMax = 0.05
            change.hueRotate = 180
        }
        return change
    }

    /// Creates the preset with an adjustment; nil for an adjustment set by hand.
    public init?(_ adjustment: ImageAdjustment) {
        guard let preset = ColourPreset.allCases.first(where: { $0.adjustment == adjustment }) else {
            return nil
        }
        self = preset
    }

    /// The next preset, where a key cycles through all of them.
    var next: ColourPreset {
        let all = ColourPreset.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }
}

/// The user's choice between pixels and cells for the map.
public enum PixelChoice: String, CaseIterable, Sendable {
    /// Pixels where the terminal is known to support them.
    case auto
    /// Pixels with a protocol, whatever the terminal reports.
    case kitty, sixel, iterm
    /// Always cells.
    case off

    /// The requested protocol; nil for an automatic choice, or for none.
    public var asked: PixelProtocol? { PixelProtocol(rawValue: rawValue) }
}
