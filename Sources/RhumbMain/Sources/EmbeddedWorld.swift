internal import CAssets
internal import Rhumb

/// The map of the world that rides inside the binary, by day and by night: vector tiles, drawn in
/// Rhumb's own styles whatever style others are drawn in.
enum EmbeddedWorld {
    /// What the map is called on the command line.
    static let name = "world"

    /// - Throws: `MapOpenFailure`, if an asset was damaged when the program was built.
    static func layer(_ theme: MapTheme) throws(MapOpenFailure) -> TileLayer {
        let archive = try archive(), style: Style
        do throws(StyleFailure) {
            style = try Style.standard(theme)
        } catch {
            throw .document(file: "the embedded style", problem: "\(error)")
        }
        let painter = VectorPainter(style, source: TileSchema.world.rawValue)
        var layer = TileLayer(id: name, source: archive, info: archive.info)
            .drawn(by: VectorDrawing(archive.info, painters: [.other: painter]))
        layer.role = .vectorBase
        layer.info.hasLabels = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    /// - Throws: `MapOpenFailure`, if the asset was damaged when the program was built.
    static func archive() throws(MapOpenFailure) -> PMTilesArchive {
        do throws(ArchiveFailure) {
            return try PMTilesArchive(memory, name: name)
        } catch {
            throw .archive(error)
        }
    }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_world(), count: rhumb_asset_world_size()))
    }
}
