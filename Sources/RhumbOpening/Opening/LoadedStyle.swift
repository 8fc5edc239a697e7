internal import CDefaults
public import RhumbCore
package import RhumbDrawing
internal import RhumbEngine
internal import Synchronization

/// A style, and where it was read from.
package struct LoadedStyle: Sendable {
    var style: Style
    /// The file or address, or a description of Rhumb's own style.
    let location: String
    /// An identifier of the style's pictures: letters and digits.
    let mark: String
    /// True for Rhumb's own style, which decides itself which features are shown at a zoom.
    let isStandard: Bool

    /// Parses a style.
    /// - Throws: `MapOpenFailure` if the bytes are not a style.
    init(_ bytes: [UInt8], at location: String) throws(MapOpenFailure) {
        style = try converting(Style(bytes)) { (error: StyleFailure) in
            MapOpenFailure.document(file: location, problem: "\(error)")
        }
        self.location = location
        isStandard = false
        mark = String(FNV1a.hash(bytes), radix: 16)
    }

    /// The style's own layer sets; nil if it has none.
    package var layerSets: LayerSetStyle? { isStandard ? nil : LayerSetStyle(style) }

    private init(_ style: Style, _ theme: MapTheme, _ depth: ColorDepth) {
        self.style = style
        location = "the style"
        isStandard = true
        mark = theme.mark(depth)
    }

    /// Returns Rhumb's own style.
    /// - Throws: `MapOpenFailure` if it was damaged when the library was built.
    static func standard(_ theme: MapTheme, _ depth: ColorDepth) throws(MapOpenFailure) -> LoadedStyle {
        let style = try converting(Style.standard(theme, depth)) { (error: StyleFailure) in
            MapOpenFailure.document(file: "the built-in style", problem: "\(error)")
        }
        return LoadedStyle(style, theme, depth)
    }
}

extension JSON {
    /// True for a document that is meant as a style, even if its layers are missing or have the wrong type.
    var isMapStyle: Bool {
        self["layers"]?.array != nil
            || self["tiles"] == nil && self["tilejson"] == nil && self["sources"]?.object != nil
    }
}

extension MapTheme {
    /// Returns the identifier of pictures in Rhumb's own style for a colour depth: letters and digits.
    func mark(_ depth: ColorDepth) -> String { depth == .truecolor ? rawValue : rawValue + depth.rawValue }
}

/// The styles built into the library.
extension Style {
    /// Returns Rhumb's own style for vector tiles of the schemas it knows.
    /// - Parameter depth: The terminal's colour depth. If it is low, areas are drawn in exactly the
    ///   terminal's colours; without colours, only their edges are drawn.
    /// - Throws: `StyleFailure` if the style was damaged when the library was built.
    public static func standard(
        _ theme: MapTheme, _ depth: ColorDepth = .truecolor
    ) throws(StyleFailure) -> Style {
        try stored(theme, depth, source: nil)
    }

    /// Returns the layers of Rhumb's own style that draw a schema. Reading them takes a fifth as long as the
    /// whole style, for which the first picture of the built-in world would have to wait.
    /// - Throws: `StyleFailure` if the style was damaged when the library was built.
    package static func standard(
        _ theme: MapTheme, _ depth: ColorDepth, for schema: TileSchema
    ) throws(StyleFailure) -> Style {
        try stored(theme, depth, source: schema.rawValue)
    }

    /// Returns the text of Rhumb's own style, as a base for the user's changes.
    /// - Parameter depth: The terminal's colour depth.
    public static func standardText(_ theme: MapTheme, _ depth: ColorDepth = .truecolor) -> [UInt8] {
        rhumb_asset_style(theme == .night, depth.asset).array
    }

    /// The styles, by their marks and sources.
    private static let standards = Mutex<[String: Lazy<Result<Style, StyleFailure>>]>([:])

    /// Returns a style, which is parsed when it is first used.
    private static func stored(
        _ theme: MapTheme, _ depth: ColorDepth, source: String?
    ) throws(StyleFailure) -> Style {
        let key = "\(theme.mark(depth)) \(source ?? "")"
        let style = standards.withLock { standards in
            if let style = standards[key] { return style }
            let style = Lazy {
                Result { () throws(StyleFailure) in
                    try Style(standardText(theme, depth), source: source)
                }
            }
            standards[key] = style
            return style
        }
        return try style.value.get()
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
