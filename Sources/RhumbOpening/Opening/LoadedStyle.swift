internal import CDefaults
public import RhumbCore
package import RhumbDrawing
internal import RhumbEngine
internal import Synchronization

/// A style, and where it was read from.
package struct LoadedStyle: Sendable {
    /// The style. Rhumb's own is read as a whole, which drawing it does not need.
    var style: Style {
        get { content.value }
        set { content = Lazy { newValue } }
    }
    private var content: Lazy<Style>
    /// Rhumb's own style; nil for others.
    private let own: (theme: MapTheme, depth: ColorDepth)?
    /// The file or address, or a description of Rhumb's own style.
    let location: String
    /// An identifier of the style's pictures: letters and digits.
    let mark: String
    /// True for Rhumb's own style, which decides itself which features are shown at a zoom.
    var isStandard: Bool { own != nil }

    /// Parses a style.
    /// - Throws: `MapOpenFailure` if the bytes are not a style.
    init(_ bytes: [UInt8], at location: String) throws(MapOpenFailure) {
        let style = try converting(Style(bytes)) { (error: StyleFailure) in
            MapOpenFailure.document(file: location, problem: "\(error)")
        }
        content = Lazy { style }
        own = nil
        self.location = location
        mark = String(FNV1a.hash(bytes), radix: 16)
    }

    /// The style's own layer sets; nil if it has none.
    package var layerSets: LayerSetStyle? { isStandard ? nil : LayerSetStyle(style) }

    /// Returns Rhumb's own style.
    static func standard(_ theme: MapTheme, _ depth: ColorDepth) -> LoadedStyle {
        LoadedStyle(theme, depth)
    }

    private init(_ theme: MapTheme, _ depth: ColorDepth) {
        own = (theme, depth)
        content = Lazy { Self.read { () throws(StyleFailure) in try Style.standard(theme, depth) } }
        location = "the style"
        mark = theme.mark(depth)
    }

    /// Returns a painter of tiles of a schema; nil if the style can't draw them. Of Rhumb's own style, it
    /// reads only the layers for the schema, when it first draws: tiles rarely have another schema than their
    /// source states.
    /// - Parameter names: The layers of the tiles.
    func painter(
        for schema: TileSchema, layerNames names: [String], drawsBackground: Bool
    ) -> VectorPainter? {
        guard let own else {
            return style.source(for: schema, layerNames: names).map {
                VectorPainter(style, source: $0, drawsBackground: drawsBackground)
            }
        }
        return VectorPainter(
            source: schema.rawValue, drawsBackground: drawsBackground, writesLabels: schema != .world
        ) {
            Self.read { () throws(StyleFailure) in try Style.standard(own.theme, own.depth, for: schema) }
        }
    }

    /// Reads Rhumb's own style, which is empty if it was damaged when the library was built.
    private static func read(_ style: () throws(StyleFailure) -> Style) -> Style {
        (try? style()) ?? Style()
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
