internal import CAssets
internal import Rhumb

/// The map of the world that rides inside the binary, by day and by night: vector tiles, drawn in
/// Rhumb's own styles whatever style others are drawn in, under the light and shade of a relief.
enum EmbeddedWorld {
    /// What the map is called on the command line.
    static let name = "world"

    /// - Throws: `MapOpenFailure`, if an asset was damaged when the program was built.
    static func layer(_ theme: MapTheme, _ depth: ColorDepth) throws(MapOpenFailure) -> TileLayer {
        let archive = try archive(), style: Style
        do throws(StyleFailure) {
            style = try Style.standard(theme, depth)
        } catch {
            throw .document(file: "the embedded style", problem: "\(error)")
        }
        let painter = VectorPainter(style, source: TileSchema.world.rawValue)
        let ground = VectorDrawing(archive.info, painters: [.other: painter])
        var layer = TileLayer(id: name, source: archive, info: archive.info)
            .drawn(by: depth == .truecolor ? try shaded(ground, theme) : ground)
        layer.role = .vectorBase
        layer.info.hasLabels = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    /// - Throws: `MapOpenFailure`, if the asset was damaged when the program was built.
    static func archive() throws(MapOpenFailure) -> PMTilesArchive {
        try archive(name, rhumb_asset_world(), rhumb_asset_world_size())
    }

    /// Light and shade need colours between the style's.
    private static func shaded(_ ground: VectorDrawing, _ theme: MapTheme) throws(MapOpenFailure) -> ReliefDrawing {
        let relief = try archive("relief", rhumb_asset_relief(), rhumb_asset_relief_size())
        let shades = theme == .day ? ReliefShades(shadow: 0.45, light: 0.4) : ReliefShades(shadow: 0.6, light: 0.22)
        return ReliefDrawing(over: ground, zooms: relief.info.zooms, shades: shades, decoder: SniffingDecoder()) {
            (tile) throws(TileFailure) in
            guard case .bitmap(.encoded(let bytes)) = try relief.tile(tile) else { return nil }
            return bytes
        }
    }

    private static func archive(
        _ name: String, _ bytes: UnsafePointer<UInt8>?, _ count: Int
    ) throws(MapOpenFailure) -> PMTilesArchive {
        do throws(ArchiveFailure) {
            return try PMTilesArchive(MemoryBytes(UnsafeRawBufferPointer(start: bytes, count: count)), name: name)
        } catch {
            throw .archive(error)
        }
    }
}
