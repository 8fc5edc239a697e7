internal import CAssets
internal import Rhumb
internal import RhumbBrowser

/// The map of the world that rides inside the binary, by day and by night.
enum EmbeddedWorld {
    /// What the layer is called on the command line.
    static let name = "world"

    /// Its tiles are drawn one zoom finer than usual: lines get thin, and towns and islands show.
    /// - Throws: `ArchiveFailure`, if the asset was damaged when the program was built.
    static func layer(_ theme: Settings.Theme) throws(ArchiveFailure) -> TileLayer {
        let archive = try PMTilesArchive(memory, name: name)
        var info = archive.info
        info.tileSize = .pixels256
        info.hasLettering = false
        let source: any TileLayerDataSource =
            switch theme {
            case .day: archive
            case .night:
                RecolouredSource(
                    archive, decoder: SniffingDecoder(), table: nightTable(archive.metadata))
            }
        var layer = TileLayer(id: "\(name).\(theme.rawValue)", source: source, info: info)
        layer.detail = 1
        return layer
    }

    /// Whether a layer is the embedded world, in either theme.
    static func isWorld(_ layer: TileLayer) -> Bool { layer.id.hasPrefix("\(name).") }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_world(), count: rhumb_asset_world_size()))
    }

    /// The archive carries its palette twice, in the same order.
    private static func nightTable(_ metadata: JSON) -> [RGB: RGB] {
        func colours(_ theme: String) -> [RGB] {
            (metadata["palettes"]?[theme]?.array ?? []).compactMap { $0.string.flatMap(RGB.init(hex:)) }
        }
        return Dictionary(zip(colours("day"), colours("night"))) { first, _ in first }
    }
}
