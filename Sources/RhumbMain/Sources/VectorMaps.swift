internal import Rhumb
internal import RhumbBrowser

/// Maps of vector tiles, drawn in Rhumb's styles by day and by night or in one that a person named.
struct VectorMaps: Sendable {
    /// A style file; nil: Rhumb's own two.
    var stylePath: String?

    private static let prefix = "vector"

    /// The layer that draws an archive of vector tiles.
    func layer(_ path: String, _ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        let archive: any TileArchive
        do throws(ArchiveFailure) {
            archive = try Archive.open(path)
        } catch {
            throw Notice.Problem("\(error)")
        }
        let schema = TileSchema(layerNames: TileSchema.layerNames(in: archive.metadata))
        let source = VectorTileSource(
            archive, info: archive.info, painter: try painter(schema, theme, archive.info), schema: schema)
        return layer(source, path: path, theme)
    }

    /// The layer as it is in another theme; nil for one that has no themes.
    func themed(_ layer: TileLayer, _ theme: Settings.Theme) -> TileLayer? {
        guard stylePath == nil, let source = layer.source as? VectorTileSource,
            let painter = try? painter(source.schema, theme, source.info)
        else { return nil }
        let path = layer.id.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        return self.layer(source.restyled(painter), path: path, theme)
    }

    private func layer(_ source: VectorTileSource, path: String, _ theme: Settings.Theme) -> TileLayer {
        var layer = TileLayer(id: "\(Self.prefix).\(theme.rawValue):\(path)", source: source, info: source.info)
        layer.role = source.info.isOverlay ? .hybridOverlay : .vectorBase
        layer.info.hasLettering = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    private func painter(
        _ schema: TileSchema, _ theme: Settings.Theme, _ info: TileSourceInfo
    ) throws(Notice.Problem) -> VectorPainter {
        let style = try style(theme)
        guard let source = style.source(for: schema) else {
            throw Notice.Problem("\(stylePath ?? "the style"): no layer of it draws vector tiles; name another style")
        }
        return VectorPainter(style, source: source, drawsBackground: !info.isOverlay)
    }

    private func style(_ theme: Settings.Theme) throws(Notice.Problem) -> Style {
        if let stylePath { return try Self.style(at: stylePath) }
        return try EmbeddedStyles.style(theme)
    }

    /// The style in a file.
    static func style(at path: String) throws(Notice.Problem) -> Style {
        guard let bytes = Files.read(path, limit: 8 << 20) else {
            throw Notice.Problem("\(path) can't be read: no such file, not readable, or over 8 MiB")
        }
        return try style(bytes, path)
    }

    private static func style(_ bytes: [UInt8], _ name: String) throws(Notice.Problem) -> Style {
        do throws(StyleFailure) {
            return try Style(bytes)
        } catch {
            throw Notice.Problem("\(name): \(error)")
        }
    }
}
