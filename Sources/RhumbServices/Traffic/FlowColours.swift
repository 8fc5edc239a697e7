public import RhumbCells

/// Maps the colours of a traffic tile to levels. Lines have a core, an outline and blended edges, so each
/// colour counts as the nearest known one.
public struct FlowColours: Sendable {
    /// Minimum opacity of a pixel that has a level.
    static let faintest: UInt8 = 64

    private let samples: [(colour: OKLab, level: TrafficLevel)]

    /// Creates the colours of one of TomTom's modes.
    public init(_ mode: FlowMode) {
        switch mode {
        case .absolute, .relative, .relativeDelay, .reducedSensitivity: self.init(FlowColours.fourBands)
        case .relative0: self.init(FlowColours.fiveBands)
        case .relative0Dark: self.init(FlowColours.fiveBands + FlowColours.dark)
        }
    }

    /// Creates the colours of a ramp, for tiles that have been recoloured with it.
    public init(_ ramp: TrafficRamp) {
        self.init(TrafficLevel.allCases.map { (ramp.colour(of: $0).hex, $0) })
    }

    /// The common colours of any provider: from green and yellow to red and dark red.
    public static let usual = FlowColours(fiveBands + light + dark)

    private init(_ pairs: [(UInt32, TrafficLevel)]) {
        samples = pairs.map { hex, level in (OKLab(RGB(hex)), level) }
    }

    /// Returns the level of a pixel's colour; nil if it is too faint.
    public func level(of colour: RGB, alpha: UInt8 = 255) -> TrafficLevel? {
        guard alpha >= FlowColours.faintest else { return nil }
        let lab = OKLab(colour)
        return samples.min { $0.colour.squaredDistance(to: lab) < $1.colour.squaredDistance(to: lab) }?.level
    }

    /// Core and outline of TomTom's classic modes.
    private static let fourBands: [(UInt32, TrafficLevel)] = [
        (0x2BC82B, .free), (0x166416, .free), (0xFFFF37, .slow), (0x80801C, .slow),
        (0xFF2323, .jam), (0x801212, .jam), (0x777777, .closed), (0x3C3C3C, .closed),
    ]
    private static let fiveBands: [(UInt32, TrafficLevel)] = [
        (0x2EAB30, .free), (0x245723, .free), (0xF1BF40, .slow), (0xE87B3D, .slow),
        (0xF18237, .heavy), (0xDF4B15, .heavy), (0xE70704, .jam), (0xA50704, .jam),
        (0xC1272D, .closed), (0x666666, .closed), (0xF2F2F2, .closed),
    ]
    /// The light and dark colours of TomTom Orbis.
    private static let light: [(UInt32, TrafficLevel)] = [
        (0x2AE57B, .free), (0x319B51, .free), (0xFFC105, .slow), (0xFF6F00, .slow),
        (0xFB2D09, .heavy), (0xBC0A01, .heavy), (0xAD0000, .jam), (0x570000, .jam),
        (0xEFF4F6, .closed), (0xB30000, .closed),
    ]
    private static let dark: [(UInt32, TrafficLevel)] = [
        (0x149F67, .free), (0x194D31, .free), (0xDB9200, .slow), (0x8A3C00, .slow),
        (0xCE2203, .heavy), (0x7E0801, .heavy), (0x74062B, .jam), (0x3D0014, .jam),
        (0xC6D0D2, .closed),
    ]

    /// Returns the tile with each pixel in the ramp's colour of its level, at its own opacity. Pixels too
    /// faint to have a level become transparent.
    public func recoloured(_ raster: Raster, with ramp: TrafficRamp) -> Raster {
        var pixels = raster.pixels
        var memory = LevelMemory(self)
        for at in stride(from: 0, to: pixels.count, by: 4) {
            guard pixels[at + 3] != 0 else { continue }
            guard let level = memory.level(pixels, at) else {
                pixels[at + 3] = 0
                continue
            }
            let colour = ramp.colour(of: level)
            pixels[at] = colour.red
            pixels[at + 1] = colour.green
            pixels[at + 2] = colour.blue
        }
        return Raster(width: raster.width, height: raster.height, pixels: pixels) ?? raster
    }

    /// Returns the worst level with at least a fifth of the coloured pixels in an area, for the glyph of one
    /// cell; nil if no pixel is coloured.
    /// - Parameters:
    ///   - columns: Pixel columns from the left, clamped to the raster.
    ///   - rows: Pixel rows from the top, clamped to the raster.
    public func worstLevel(in raster: Raster, columns: Range<Int>, rows: Range<Int>) -> TrafficLevel? {
        let pixels = raster.pixels
        var memory = LevelMemory(self)
        var counts = [Int](repeating: 0, count: TrafficLevel.allCases.count)
        for row in rows.clamped(to: 0..<raster.height) {
            for column in columns.clamped(to: 0..<raster.width) {
                let at = 4 * (row * raster.width + column)
                if let level = memory.level(pixels, at) { counts[level.rawValue] += 1 }
            }
        }
        let least = max(counts.reduce(0, +) / 5, 1)
        return TrafficLevel.allCases.last { counts[$0.rawValue] >= least }
    }
}

/// A cache of levels by colour. A tile has few colours, and those that look the same share an entry.
private struct LevelMemory {
    private let colours: FlowColours
    private var levels: [UInt32: TrafficLevel] = [:]
    private var last: (colour: RGB, level: TrafficLevel?)?

    init(_ colours: FlowColours) { self.colours = colours }

    /// - Parameter at: Index of the first of the pixel's four bytes.
    mutating func level(_ pixels: [UInt8], _ at: Int) -> TrafficLevel? {
        guard pixels[at + 3] >= FlowColours.faintest else { return nil }
        let colour = RGB(red: pixels[at] & 0xFC, green: pixels[at + 1] & 0xFC, blue: pixels[at + 2] & 0xFC)
        if let last, colour == last.colour { return last.level }
        let level = levels[colour.hex] ?? colours.level(of: colour)
        levels[colour.hex] = level
        last = (colour, level)
        return level
    }
}

/// The legend of the traffic colours, best level first.
public struct FlowLegend: Sendable, Equatable {
    /// A level and its label.
    public struct Entry: Sendable, Equatable {
        /// The level.
        public let level: TrafficLevel
        /// The label, at most 16 columns wide.
        public let text: String
    }

    /// The title of the legend.
    public let title: String
    /// The entries from the best level to the worst.
    public let entries: [Entry]

    /// Creates the legend of a mode.
    public init(_ mode: FlowMode) {
        title = mode.title
        entries = FlowLegend.words(of: mode).map { Entry(level: $0, text: $1) }
    }

    /// The legend of a provider that names its levels without bounds.
    public static let usual = FlowLegend(
        title: "traffic",
        entries: [(.free, "free"), (.slow, "slow"), (.heavy, "heavy"), (.jam, "jam"), (.closed, "closed")]
            .map { Entry(level: $0, text: $1) })

    private init(title: String, entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    private static func words(of mode: FlowMode) -> [(TrafficLevel, String)] {
        switch mode {
        case .absolute:
            [
                (.free, "over 120 km/h"), (.slow, "60-120 km/h"), (.jam, "under 60 km/h"),
                (.closed, "standing"),
            ]
        case .relative:
            [(.free, "free flow"), (.slow, "80-99 %"), (.jam, "under 80 %"), (.closed, "standing")]
        case .relativeDelay: [(.slow, "some delay"), (.jam, "delay"), (.closed, "standing")]
        case .reducedSensitivity:
            [(.free, "free flow"), (.slow, "much slower"), (.jam, "very slow"), (.closed, "standing")]
        case .relative0, .relative0Dark:
            [
                (.free, "over 75 %"), (.slow, "35-75 %"), (.heavy, "15-35 %"), (.jam, "under 15 %"),
                (.closed, "closed"),
            ]
        }
    }
}
