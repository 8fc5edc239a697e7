public import RhumbCells

/// Maps the colours of a traffic tile to levels. Lines have a core, an outline and blended edges, so each
/// colour counts as the nearest known one.
public struct FlowColours: Sendable {
    /// Minimum opacity of a pixel that has a level.
    public static let faintest: UInt8 = 64

    private let known: [(colour: OKLab, level: TrafficLevel)]

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
        known = pairs.map { hex, level in (OKLab(RGB(hex)), level) }
    }

    /// Returns the level of a pixel's colour; nil if it is too faint.
    public func level(of colour: RGB, alpha: UInt8 = 255) -> TrafficLevel? {
        guard alpha >= FlowColours.faintest else { return nil }
        let lab = OKLab(colour)
        return known.min { $0.colour.squaredDistance(to: lab) < $1.colour.squaredDistance(to: lab) }?.level
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
}
