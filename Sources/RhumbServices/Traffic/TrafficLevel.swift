public import RhumbCells

/// The levels of traffic flow, from best to worst.
public enum TrafficLevel: Int, Sendable, CaseIterable, Comparable {
    case free, slow, heavy, jam, closed

    public static func < (a: TrafficLevel, b: TrafficLevel) -> Bool { a.rawValue < b.rawValue }

    /// Returns a glyph for the level, one column wide, for terminals with 16 colours or none.
    /// - Parameter unicode: False for an ASCII glyph.
    public func glyph(unicode: Bool) -> Character {
        switch self {
        case .free: unicode ? "·" : "."
        case .slow: "-"
        case .heavy: "="
        case .jam: "#"
        case .closed: unicode ? "×" : "x"
        }
    }
}

/// A colour for each level.
public struct TrafficRamp: Hashable, Sendable {
    private let colours: [RGB]

    /// Green, yellow, orange, red, dark red.
    public static let standard = TrafficRamp([0x2EAB30, 0xF1BF40, 0xF18237, 0xE70704, 0x8E1F26])
    /// Blue, yellow, amber, vermilion, black. Distinguishable with any kind of colour blindness, from jam to
    /// slow by lightness alone.
    public static let colourBlind = TrafficRamp([0x3B8FD9, 0xF5E663, 0xE8A33D, 0xD55E00, 0x000000])

    private init(_ hex: [UInt32]) { colours = hex.map { RGB($0) } }

    /// Returns the colour of a level.
    public func colour(of level: TrafficLevel) -> RGB { colours[level.rawValue] }
}
