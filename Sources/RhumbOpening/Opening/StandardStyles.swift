internal import CDefaults
public import RhumbCore
internal import RhumbEngine

/// The styles of the library.
extension Style {
    /// Rhumb's own style for vector tiles of the schemas it knows.
    /// - Parameter depth: the colours of the terminal it is drawn for; with few, areas have just those, with
    ///   none they are drawn by their edges.
    /// - Throws: `StyleFailure`, if it was damaged when the library was built.
    public static func standard(
        _ theme: MapTheme, _ depth: ColorDepth = .truecolor
    ) throws(StyleFailure) -> Style {
        try (standards[theme.mark(depth)]?.value ?? read(theme, depth)).get()
    }

    /// The text of Rhumb's own style, for a person to change.
    /// - Parameter depth: the colours of the terminal it is drawn for.
    public static func standardText(_ theme: MapTheme, _ depth: ColorDepth = .truecolor) -> [UInt8] {
        rhumb_asset_style(theme == .night, depth.asset).array
    }

    /// By what tells them apart. Each is read once, when it is first asked for.
    private static let standards = Dictionary(
        uniqueKeysWithValues: MapTheme.allCases.flatMap { theme in
            ColorDepth.allCases.map { depth in (theme.mark(depth), Lazy { read(theme, depth) }) }
        })

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

extension rhumb_bytes {
    /// A copy.
    package var array: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
