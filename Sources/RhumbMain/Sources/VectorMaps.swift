internal import Rhumb
internal import RhumbBrowser

/// Maps of vector tiles, drawn in Rhumb's styles by day and by night or in one that a person named.
struct VectorMaps: Sendable {
    /// A style's file or address; nil: Rhumb's own two.
    var stylePath: String? { didSet { prepareStyle() } }
    /// Fetches styles by their address.
    var web: WebSourceOpener? { didSet { prepareStyle() } }
    /// Whether a style that is out of date is asked about before it is used, rather than behind.
    var asksFirst = false { didSet { prepareStyle() } }
    private var fetched: FetchedStyle?

    private mutating func prepareStyle() {
        fetched = stylePath.flatMap { path in web.flatMap { FetchedStyle(path, $0, asksFirst: asksFirst) } }
    }

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
            archive, info: archive.info, painter: try painter(schema, try style(theme), archive.info), schema: schema)
        return layer(source, path: path, theme)
    }

    /// A layer of a web source with its vector tiles drawn.
    /// - Parameter names: the layers that its tiles are said to have.
    func drawn(_ layer: TileLayer, _ names: [String], _ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        let drawing = VectorDrawing.unpacking(
            layer.info, layerNames: names, painters: try painters(theme, layer.info))
        return finished(layer.drawn(by: drawing).named(id(layer.id, theme)))
    }

    /// The layer as it is in another theme; nil for one that has no themes or is in it already.
    func themed(_ layer: TileLayer, _ theme: Settings.Theme) -> TileLayer? {
        guard stylePath == nil, layer.id.hasPrefix("\(Self.prefix).") else { return nil }
        let name = layer.id.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        guard layer.id != id(name, theme) else { return nil }
        if let drawing = layer.drawing as? VectorDrawing, let painters = try? painters(theme, layer.info) {
            var themed = layer.named(id(name, theme))
            themed.drawing = drawing.restyled(painters)
            return themed
        }
        guard let source = layer.source as? VectorTileSource,
            let painter = try? painter(source.schema, try style(theme), source.info)
        else { return nil }
        return self.layer(source.restyled(painter), path: name, theme)
    }

    /// What a layer is called that is drawn in a theme.
    func id(_ id: TileLayer.ID, _ theme: Settings.Theme) -> TileLayer.ID {
        Self.id(id, theme)
    }

    /// All that a layer may be called.
    static func ids(_ id: TileLayer.ID) -> [TileLayer.ID] {
        [id] + Settings.Theme.allCases.map { Self.id(id, $0) }
    }

    private static func id(_ id: TileLayer.ID, _ theme: Settings.Theme) -> TileLayer.ID {
        "\(prefix).\(theme.rawValue):\(id)"
    }

    private func layer(_ source: VectorTileSource, path: String, _ theme: Settings.Theme) -> TileLayer {
        finished(TileLayer(id: id(path, theme), source: source, info: source.info))
    }

    private func finished(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        layer.role = layer.info.isOverlay ? .hybridOverlay : .vectorBase
        layer.info.hasLettering = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    private func painters(
        _ theme: Settings.Theme, _ info: TileSourceInfo
    ) throws(Notice.Problem) -> [TileSchema: VectorPainter] {
        let style = try style(theme)
        var painters: [TileSchema: VectorPainter] = [:]
        for schema in TileSchema.allCases { painters[schema] = try painter(schema, style, info) }
        return painters
    }

    private func painter(
        _ schema: TileSchema, _ style: Style, _ info: TileSourceInfo
    ) throws(Notice.Problem) -> VectorPainter {
        guard let source = style.source(for: schema) else {
            throw Notice.Problem("\(stylePath ?? "the style"): no layer of it draws vector tiles; name another style")
        }
        return VectorPainter(style, source: source, drawsBackground: !info.isOverlay)
    }

    private func style(_ theme: Settings.Theme) throws(Notice.Problem) -> Style {
        if let fetched { return try fetched.awaited() }
        if let stylePath { return try Self.style(inFile: stylePath, web?.loader.store) }
        return try EmbeddedStyles.style(theme)
    }

    /// Whether the style has yet to be fetched.
    var awaitsStyle: Bool { fetched.map { !$0.isAtHand } ?? false }

    /// Fetches the style, if it is at an address and not there yet.
    func prepare() async throws(Notice.Problem) { _ = try await fetched?.style() }

    /// The style in a file or at an address.
    /// - Parameter asksFirst: whether one that is kept must be fresh; else it will do, and is asked
    ///   about behind.
    static func style(
        at path: String, _ web: WebSourceOpener?, asksFirst: Bool
    ) throws(Notice.Problem) -> Style {
        var maps = VectorMaps()
        (maps.web, maps.asksFirst, maps.stylePath) = (web, asksFirst, path)
        return try maps.style(.day)
    }

    private static func style(inFile path: String, _ store: (any ResponseStore)?) throws(Notice.Problem) -> Style {
        guard let bytes = KeptFile.read(path, store) else {
            throw Notice.Problem("\(path) can't be read: no such file, not readable, or over 8 MiB")
        }
        return try style(bytes, path)
    }

    static func style(_ bytes: [UInt8], _ name: String) throws(Notice.Problem) -> Style {
        do throws(StyleFailure) {
            return try Style(bytes)
        } catch {
            throw Notice.Problem("\(name): \(error)")
        }
    }
}
