internal import CDefaults
public import RhumbCore

/// What the library brings along.
extension Style {
    /// Rhumb's own style for vector tiles of the schemas it knows.
    /// - Parameter depth: the colours of the terminal it is drawn for; with few, areas have just those, with
    ///   none they are drawn by their edges.
    /// - Throws: `StyleFailure`, if it was damaged when the library was built.
    public static func standard(_ theme: MapTheme, _ depth: ColorDepth = .truecolor) throws(StyleFailure) -> Style {
        switch (theme, depth) {
        case (_, .mono): try standardMono.get()
        case (.day, .indexed16): try standardDay16.get()
        case (.night, .indexed16): try standardNight16.get()
        case (.day, .indexed256): try standardDay256.get()
        case (.night, .indexed256): try standardNight256.get()
        case (.day, .truecolor): try standardDay.get()
        case (.night, .truecolor): try standardNight.get()
        }
    }

    /// The text of Rhumb's own style, for a person to change.
    /// - Parameter depth: the colours of the terminal it is drawn for.
    public static func standardText(_ theme: MapTheme, _ depth: ColorDepth = .truecolor) -> [UInt8] {
        let bytes = rhumb_asset_style(theme == .night, depth.asset)
        return Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count))
    }

    private static let standardDay = read(.day, .truecolor)
    private static let standardNight = read(.night, .truecolor)
    private static let standardDay256 = read(.day, .indexed256)
    private static let standardNight256 = read(.night, .indexed256)
    private static let standardDay16 = read(.day, .indexed16)
    private static let standardNight16 = read(.night, .indexed16)
    private static let standardMono = read(.day, .mono)

    private static func read(_ theme: MapTheme, _ depth: ColorDepth) -> Result<Style, StyleFailure> {
        Result { () throws(StyleFailure) in try Style(standardText(theme, depth)) }
    }
}

extension ColorDepth {
    fileprivate var asset: rhumb_colours {
        switch self {
        case .truecolor: rhumb_colours_all
        case .indexed256: rhumb_colours_256
        case .indexed16: rhumb_colours_16
        case .mono: rhumb_colours_none
        }
    }
}
