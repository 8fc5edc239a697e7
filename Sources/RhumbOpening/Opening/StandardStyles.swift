internal import CDefaults
public import RhumbCore
internal import RhumbEngine

/// The styles built into the library.
extension Style {
    /// Returns Rhumb's own style for vector tiles of the schemas it knows.
    /// - Parameter depth: The terminal's colour depth. If it is low, areas are drawn in exactly the
    ///   terminal's colours; without colours, only their edges are drawn.
    /// - Throws: `StyleFailure` if the style was damaged when the library was built.
    public static func standard(
        _ theme: MapTheme, _ depth: ColorDepth = .truecolor
    ) throws(StyleFailure) -> Style {
        try (standards[theme.mark(depth)]?.value ?? read(theme, depth)).get()
    }

    /// Returns the text of Rhumb's own style, as a base for the user's changes.
    /// - Parameter depth: The terminal's colour depth.
    public static func standardText(_ theme: MapTheme, _ depth: ColorDepth = .truecolor) -> [UInt8] {
        rhumb_asset_style(theme == .night, depth.asset).array
    }

    /// The styles, by their marks. Each is parsed when it is first used.
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
    /// A copy of the bytes.
    package var array: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
