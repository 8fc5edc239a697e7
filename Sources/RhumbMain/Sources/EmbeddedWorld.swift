internal import CAssets
internal import Rhumb
internal import RhumbBrowser

/// The map of the world that rides inside the binary, by day and by night: vector tiles, drawn in
/// Rhumb's own styles whatever style others are drawn in.
enum EmbeddedWorld {
    /// What the layer is called on the command line.
    static let name = "world"

    /// - Throws: a sentence, if an asset was damaged when the program was built.
    static func layer(_ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        let archive = try archive(), schema = TileSchema.world
        let painter = VectorPainter(try EmbeddedStyles.style(theme), source: schema.rawValue)
        let source = VectorTileSource(archive, info: archive.info, painter: painter, schema: schema)
        var layer = TileLayer(id: id(theme), source: source, info: source.info)
        layer.role = .vectorBase
        layer.info.hasLettering = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    /// The world in another theme; nil for another map, or if it is in it already.
    static func themed(_ layer: TileLayer, _ theme: Settings.Theme) -> TileLayer? {
        isWorld(layer) && layer.id != id(theme) ? try? self.layer(theme) : nil
    }

    private static func id(_ theme: Settings.Theme) -> TileLayer.ID { "\(name).\(theme.rawValue)" }

    /// Whether a layer is the embedded world, in either theme.
    static func isWorld(_ layer: TileLayer) -> Bool { layer.id.hasPrefix("\(name).") }

    /// - Throws: as `layer(_:)`.
    static func archive() throws(Notice.Problem) -> PMTilesArchive {
        do throws(ArchiveFailure) {
            return try PMTilesArchive(memory, name: name)
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_world(), count: rhumb_asset_world_size()))
    }
}
