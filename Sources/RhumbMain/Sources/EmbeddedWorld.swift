internal import CAssets
internal import Rhumb

/// The world map embedded in the program, for day and night. Its vector tiles are always drawn in Rhumb's own
/// styles, with shaded relief.
enum EmbeddedWorld {
    /// The name of the map on the command line.
    static let name = "world"

    /// Returns the map for the program.
    static func map() -> EmbeddedMap {
        EmbeddedMap(name) { (theme, depth) throws(MapOpenFailure) in try layer(theme, depth) }
    }

    /// - Throws: `MapOpenFailure` if an asset was damaged when the program was built.
    private static func layer(
        _ theme: MapTheme, _ depth: ColorDepth
    ) throws(MapOpenFailure) -> TileLayer {
        let archive = try archive(), style: Style
        style = try converting(self.style(theme, depth)) { (error: StyleFailure) in
            MapOpenFailure.document(file: "the embedded style", problem: "\(error)")
        }
        let painter = VectorPainter(style, source: TileSchema.world.rawValue)
        let ground = VectorDrawing(archive.info, painters: [.other: painter])
        var layer = TileLayer(id: name, source: archive, info: archive.info)
            .drawn(by: try shaded(ground, style, theme, depth))
        layer.role = .vectorBase
        layer.info.hasLabels = false
        // Tiles have two pixels per map pixel, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    /// Returns the style of the map.
    /// - Throws: `StyleFailure` if it was damaged when the program was built.
    static func style(_ theme: MapTheme, _ depth: ColorDepth) throws(StyleFailure) -> Style {
        try Style.standard(theme, depth, for: .world)
    }

    /// Opens the archive of the map.
    /// - Throws: `MapOpenFailure` if the asset was damaged when the program was built.
    static func archive() throws(MapOpenFailure) -> PMTilesArchive {
        try archive(name, rhumb_asset_world(), rhumb_asset_world_size())
    }

    /// The zoom at which the bands of heights and depths end. From here on, 256 colours show relief, and the
    /// floor of the sea has none: enlarged, it would be blots in water of one colour.
    private static let bandsEnd = 8

    /// Returns the colour of waters beyond the bands of depths; nil if the style has none.
    private static func waterColour(_ style: Style) -> RGB? {
        var context = StyleContext(style, zoom: Double(bandsEnd - 1))
        let ocean = style.layers.first { $0.kind == .fill && $0.sourceLayer == "ocean" }
        return ocean?.colour(.fillColour, &context).rgb
    }

    /// Adds shaded relief, which needs colours between those of the style.
    private static func shaded(
        _ ground: VectorDrawing, _ style: Style, _ theme: MapTheme, _ depth: ColorDepth
    ) throws(MapOpenFailure) -> any TileDrawing {
        guard depth == .truecolor || depth == .indexed256 else { return ground }
        let relief = try archive("relief", rhumb_asset_relief(), rhumb_asset_relief_size())
        let shades =
            theme == .day ? ReliefShades(shadow: 0.45, light: 0.4) : ReliefShades(shadow: 0.6, light: 0.22)
        return ReliefDrawing(
            over: ground, zooms: relief.info.zooms,
            from: depth == .truecolor ? nil : bandsEnd,
            waters: waterColour(style).map { ($0, flatFrom: bandsEnd) }, shades: shades,
            decoder: SniffingDecoder()
        ) { (tile) throws(TileFailure) in
            guard case .bitmap(.encoded(let bytes)) = try relief.tile(tile) else { return nil }
            return bytes
        }
    }

    private static func archive(
        _ name: String, _ bytes: UnsafePointer<UInt8>?, _ count: Int
    ) throws(MapOpenFailure) -> PMTilesArchive {
        try converting(
            PMTilesArchive(MemoryBytes(UnsafeRawBufferPointer(start: bytes, count: count)), name: name),
            to: MapOpenFailure.archive)
    }
}
