public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
package import RhumbStore

/// Opens maps of every kind by the words a person has for them: a map that the program brings along, a
/// file or folder, an address (a template, a TileJSON, a style, a remote archive), a source by its name.
public struct MapOpener: Sendable {
    /// The sources that have a name, and the keys.
    public let catalog: SourceCatalog
    /// Maps that the program brings along.
    public var ownMaps: [EmbeddedMap] = []
    /// Rows of folders count from the south.
    public var isTMS = false
    /// The detail layers are opened with; nil: each with its own.
    public var detail: Int?
    /// The styles of vector maps.
    public var styles = VectorStyles()
    /// The folder of styles that are known by their names; nil: none are.
    public var styleFolder: String?
    /// Lists the style packs that there are.
    package var stylePacks: @Sendable () -> [StylePack] = { [] }
    /// Pixels of a web source's tiles, where it has a choice; nil: as it says.
    public var tileSize: TileSize?
    /// True if tiles of web sources have two pixels for each of the map's.
    public var isDoubled = false
    /// Makes layers of web sources.
    public var web: WebSourceOpener
    /// True to revalidate stale documents before they are used; otherwise in the background.
    public var asksFirst = false
    /// Called when the pictures of a layer are outdated because its archive changed on the server.
    public var onChange: (@Sendable (TileLayer.ID) -> Void)?
    /// Told of each archive of vector tiles that was opened, and its path.
    package var onArchive: (@Sendable (any TileArchive, String) -> Void)?
    /// Called with the place of a style and its unsupported parts, one sentence each.
    public var onRemark: (@Sendable (_ place: String, _ leftOut: [String]) -> Void)?

    /// - Parameters:
    ///   - loader: with the client and the store that documents go through.
    ///   - catalog: the sources that have a name, and the keys.
    public init(_ loader: DocumentLoader, _ catalog: SourceCatalog = SourceCatalog()) {
        self.catalog = catalog
        web = WebSourceOpener(
            loader: loader, environment: catalog.variable, keys: catalog.key, probe: TileProbes.header,
            providers: catalog.providers)
    }

    /// Opens a map, and returns its layers, bottom to top; most maps have one. Keys in an address are removed
    /// from it. Stored documents are used at once, unless `asksFirst` is true.
    /// - Parameters:
    ///   - words: A name, a file, a folder or an address.
    ///   - theme: The theme of vector tiles.
    ///   - onFetch: Called with the map's name before a server is asked.
    /// - Throws: `MapOpenFailure`.
    public func open(
        _ words: String, theme: MapTheme = .night, onFetch: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let words = catalog.typedKeys.take(words)
        return try await withTaskExecutorPreference(BlockingExecutor.shared) {
            () async throws(MapOpenFailure) in
            try await layers(of: words, theme, onFetch)
        }
    }

    /// The layer of a map that has a single one.
    /// - Throws: `MapOpenFailure`, also for a style, which has sources of its own.
    public func openLayer(_ words: String, theme: MapTheme = .night) async throws(MapOpenFailure) -> TileLayer
    {
        let layers = try await open(words, theme: theme)
        guard layers.count == 1, let layer = layers.first else { throw .severalLayers(layers.count) }
        return layer
    }

    private func layers(
        of words: String, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        if let map = ownMaps.first(where: { $0.name == words }) {
            return [detailed(try map.layer(theme, styles.depth))]
        }
        if SourceDefinition.isAddress(words) {
            let source = try Self.sourced { () throws(SourceFailure) in try SourceDefinition(address: words) }
            return try await layers(of: source, id: "web:\(words)", theme, onFetch)
        }
        if let path = URLReference(words).localPath {
            guard path.hasSuffix(".pmtiles") else { return try await layers(of: path, theme, onFetch) }
            return try await layers(
                of: SourceDefinition(localArchive: path), id: "web:\(words)", theme, onFetch)
        }
        let named = try Self.sourced { () throws(SourceFailure) in try catalog.source(named: words) }
        if let named { return try await layers(of: named, id: "source:\(named.id)", theme, onFetch) }
        if words.hasSuffix(".json") { return try await document(words, theme, onFetch) }
        guard Files.exists(words) || words.contains("/") || words.contains(".") else {
            let names = try Self.sourced { () throws(SourceFailure) in try catalog.sources() }.map(\.id)
            throw .unknown(words, among: names + ownMaps.map(\.name))
        }
        return [detailed(try await archive(words, theme, onFetch))]
    }

    private static func sourced<Value>(
        _ body: () throws(SourceFailure) -> Value
    ) throws(MapOpenFailure) -> Value {
        do throws(SourceFailure) { return try body() } catch { throw .web(.source(error)) }
    }

    private func archive(
        _ path: String, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> TileLayer {
        let archive: any TileArchive
        do throws(ArchiveFailure) {
            archive = try TileProbes.open(path, isTMS: isTMS)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
        } catch {
            throw .archive(error)
        }
        guard archive.refusal != nil else {
            return TileLayer(id: "file:\(path)", source: archive, info: archive.info)
        }
        onArchive?(archive, path)
        let style = try await styles.loaded(
            theme, of: styles.choice, web.announcing(TileProbes.stem(path), onFetch))
        return remarked(try styles.layer(archive, path: path, style, theme), style)
    }

    /// Reports if the chosen style was made for other tiles than a layer's, which is then drawn in Rhumb's
    /// own.
    func remarked(_ layer: TileLayer, _ style: LoadedStyle) -> TileLayer {
        if styles.choice.named.contains(style.place), let misfit = VectorStyles.misfit(layer, style.style) {
            onRemark?(style.place, [misfit + "; using Rhumb's own style"])
        }
        return layer
    }

    func detailed(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        if let detail { layer.detail = Double(detail) }
        return layer
    }
}
