public import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore

/// How maps of vector tiles are drawn: in Rhumb's styles by day and by night, or in one that a person
/// named.
public struct VectorStyles: Sendable {
    /// A style's file or address; nil: Rhumb's own two.
    public let path: String?
    private let fetched: FetchedStyle?
    private static let prefix = "vector"

    /// - Parameters:
    ///   - path: a style's file or address; nil: Rhumb's own two.
    ///   - prefersStored: whether a style that is kept will do, whatever its age.
    public init(_ path: String? = nil, prefersStored: Bool = true) {
        self.path = path
        fetched = path.flatMap { SourceDefinition.isAddress($0) ? FetchedStyle($0, prefersStored: prefersStored) : nil }
    }

    /// The style for a theme; one that was named is the same in both.
    /// - Throws: `MapOpenFailure`, where it can't be read or does not come.
    public func style(_ theme: MapTheme, _ web: WebSourceOpener) async throws(MapOpenFailure) -> Style {
        if let fetched { return try await fetched.style(web) }
        guard let path else { return try Self.standard(theme) }
        guard let bytes = KeptFile.read(path, web.loader.store) else { throw .unreadable(file: path) }
        return try Style.read(bytes, path)
    }

    private static func standard(_ theme: MapTheme) throws(MapOpenFailure) -> Style {
        do throws(StyleFailure) {
            return try Style.standard(theme)
        } catch {
            throw .document(file: "the embedded style", problem: "\(error)")
        }
    }

    /// The layer that draws an archive of vector tiles.
    func layer(
        _ archive: any TileArchive, path: String, _ style: Style, _ theme: MapTheme
    ) throws(MapOpenFailure) -> TileLayer {
        let layer = TileLayer(id: path, source: archive, info: archive.info)
        return try drawn(layer, TileSchema.layerNames(in: archive.metadata), style, theme)
    }

    /// A layer with its source's vector tiles drawn.
    /// - Parameter names: the layers that its tiles are said to have.
    func drawn(
        _ layer: TileLayer, _ names: [String], _ style: Style, _ theme: MapTheme
    ) throws(MapOpenFailure) -> TileLayer {
        let drawing = VectorDrawing.unpacking(
            layer.info, layerNames: names, painters: try painters(style, layer.info))
        return finished(layer.drawn(by: drawing).named(Self.id(layer.id, theme)))
    }

    /// The layer as it is in another theme; nil for one that has no themes or is in it already.
    func themed(_ layer: TileLayer, _ theme: MapTheme) -> TileLayer? {
        guard path == nil, layer.id.hasPrefix("\(Self.prefix).") else { return nil }
        let name = layer.id.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        guard layer.id != Self.id(name, theme), let style = try? Self.standard(theme) else { return nil }
        guard let drawing = layer.drawing as? VectorDrawing, let painters = try? painters(style, layer.info)
        else { return nil }
        var themed = layer.named(Self.id(name, theme))
        themed.drawing = drawing.restyled(painters)
        return themed
    }

    /// All that a layer may be called.
    static func ids(_ id: TileLayer.ID) -> [TileLayer.ID] { [id] + MapTheme.allCases.map { Self.id(id, $0) } }

    private static func id(_ id: TileLayer.ID, _ theme: MapTheme) -> TileLayer.ID { "\(prefix).\(theme.rawValue):\(id)" }

    private func finished(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        layer.role = layer.info.isOverlay ? .hybridOverlay : .vectorBase
        layer.info.hasLabels = false
        // Pictures have two pixels for each of the map's, so that they stay sharp between zooms.
        layer.detail = 1
        return layer
    }

    private func painters(
        _ style: Style, _ info: TileSourceInfo
    ) throws(MapOpenFailure) -> [TileSchema: VectorPainter] {
        var painters: [TileSchema: VectorPainter] = [:]
        for schema in TileSchema.allCases { painters[schema] = try painter(schema, style, info) }
        return painters
    }

    private func painter(
        _ schema: TileSchema, _ style: Style, _ info: TileSourceInfo
    ) throws(MapOpenFailure) -> VectorPainter {
        guard let source = style.source(for: schema) else { throw .drawsNothing(style: path ?? "the style") }
        return VectorPainter(style, source: source, drawsBackground: !info.isOverlay)
    }
}
