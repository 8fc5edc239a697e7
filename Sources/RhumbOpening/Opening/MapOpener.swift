public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

/// Opens maps of every kind: a map built into the program, a file or folder, an address (of a template,
/// TileJSON document, style or remote archive), or a named source.
public struct MapOpener: Sendable {
    /// The named sources, and the keys.
    public let catalog: SourceCatalog
    /// The maps built into the program.
    public var ownMaps: [EmbeddedMap] = []
    /// True to count the rows of tile folders from the south.
    public var isTMS = false
    /// True if a GeoTIFF on this machine is a terrain model, whatever its name and unit.
    public var isTerrain = false
    /// The detail of opened layers; nil for each layer's own.
    public var detail: Int?
    /// The styles of vector maps.
    public var styles = VectorStyles()
    /// The folder of styles that are opened by name; nil for none.
    public var styleFolder: String?
    /// Returns the installed style packs.
    package var stylePacks: @Sendable () -> [StylePack] = { [] }
    /// The size of a web source's tiles in pixels, if the source offers several; nil for its default.
    public var tileSize: TileSize?
    /// True if tiles of web sources have two pixels per map pixel.
    public var isDoubled = false
    /// Opens layers of web sources.
    public var web: WebSourceOpener
    /// True to revalidate stale documents before they are used, false to do so in the background.
    public var asksFirst = false
    /// Called when the pictures of a layer are outdated because its archive changed on the server.
    public var onChange: (@Sendable (TileLayer.ID) -> Void)?
    /// Called with each opened archive of vector tiles and its path.
    package var onArchive: (@Sendable (any TileArchive, String) -> Void)?
    /// Called with the file or address of a style and its unsupported parts, one sentence each.
    public var onRemark: (@Sendable (_ location: String, _ leftOut: [String]) -> Void)?
    /// Called with the file or address of a style, and a sentence about its properties without an effect.
    public var onNote: (@Sendable (_ location: String, _ sentence: String) -> Void)?

    /// Creates an opener.
    /// - Parameters:
    ///   - loader: The client and the store for documents.
    ///   - catalog: The named sources, and the keys.
    public init(_ loader: DocumentLoader, _ catalog: SourceCatalog = SourceCatalog()) {
        self.catalog = catalog
        web = WebSourceOpener(
            loader: loader, environment: catalog.variable, keys: catalog.key, probe: TileProbes.header,
            providers: catalog.providers)
    }

    /// Opens a map and returns its layers, bottom to top; most maps have one. Keys in an address are removed
    /// from it. Stored documents are used at once, unless `asksFirst` is true.
    /// - Parameters:
    ///   - specifier: A name, a file, a folder or an address.
    ///   - theme: The theme of vector tiles.
    ///   - onFetch: Called with the map's name before a request is sent.
    /// - Throws: `MapOpenFailure`.
    public func open(
        _ specifier: String, theme: MapTheme = .night,
        onFetch: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let specifier = catalog.typedKeys.take(specifier)
        return try await withTaskExecutorPreference(BlockingExecutor.shared) {
            () async throws(MapOpenFailure) in
            try await layers(of: specifier, theme, onFetch)
        }
    }

    /// Opens a map with a single layer.
    /// - Throws: `MapOpenFailure`, also if the map has several layers, such as a style with several sources.
    public func openLayer(
        _ specifier: String, theme: MapTheme = .night
    ) async throws(MapOpenFailure) -> TileLayer {
        let layers = try await open(specifier, theme: theme)
        guard layers.count == 1, let layer = layers.first else { throw .severalLayers(layers.count) }
        return layer
    }

    func layers(
        of specifier: String, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        if let map = ownMaps.first(where: { $0.name == specifier }) {
            return [detailed(try map.layer(theme, styles.depth))]
        }
        if let paths = QuiltSpecifier.paths(specifier) {
            return [detailed(try quilt(paths, specifier: specifier))]
        }
        if SourceDefinition.isAddress(specifier) {
            let source = try Self.sourced { () throws(SourceFailure) in
                try SourceDefinition(address: specifier)
            }
            return try await layers(of: source, id: "web:\(specifier)", theme, onFetch)
        }
        if let path = URLReference(specifier).localPath {
            // As a web source, the archive can be stored in a region and shown after its file was removed.
            guard ArchiveContainer(path: path) == .pmTiles else {
                return try await layers(of: path, theme, onFetch)
            }
            return try await layers(
                of: SourceDefinition(localArchive: path), id: "web:\(specifier)", theme, onFetch)
        }
        let named = try Self.sourced { () throws(SourceFailure) in try catalog.source(named: specifier) }
        if let named, let address = named.addresses.first, SourceDefinition.isGeoTIFF(address) {
            return try await geoTIFF(named, at: address, theme, onFetch)
        }
        if let named { return try await layers(of: named, id: "source:\(named.id)", theme, onFetch) }
        if specifier.hasSuffix(".json") { return try await document(specifier, theme, onFetch) }
        guard Files.exists(specifier) || specifier.contains("/") || specifier.contains(".") else {
            let names = try Self.sourced { () throws(SourceFailure) in try catalog.sources() }.map(\.id)
            throw .unknown(specifier, among: names + ownMaps.map(\.name))
        }
        return [detailed(try await archive(specifier, theme, onFetch))]
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
        do throws(ArchiveFailure) { archive = try opened(path) } catch { throw .archive(error) }
        // As a map, the same file may be a picture.
        if let image = archive as? GeoTIFFArchive {
            return image.layer(id: isTerrain ? "terrain:\(path)" : "file:\(path)")
        }
        if isEmpty(archive, path) { onRemark?(path, ["it has no tiles"]) }
        guard archive.refusal != nil else {
            let layer = TileLayer(id: "file:\(path)", source: archive, info: archive.info)
            // The colours of encoded heights mean nothing to a reader.
            return isTerrain ? layer : ElevationModel.reading(layer).map { shaded(layer, $0) } ?? layer
        }
        onArchive?(archive, path)
        let style = try await styles.loaded(
            theme, of: styles.choice, web.announcing(TileProbes.stem(path), onFetch))
        return remarked(try styles.layer(archive, path: path, style, theme), style)
    }

    /// Returns true if an archive has no tiles. Only small files are examined, because listing the tiles of a
    /// large database without an index takes long.
    private func isEmpty(_ archive: any TileArchive, _ path: String) -> Bool {
        guard let size = FileFacts(path)?.size, size < 1 << 20 else { return false }
        var isEmpty = true
        do {
            try archive.eachTile { _ in
                isEmpty = false
                throw CancellationError()
            }
        } catch {
            // A damaged archive is not empty.
            return false
        }
        return isEmpty
    }

    /// Opens an archive or a folder of pictures or vector tiles.
    func opened(_ path: String) throws(ArchiveFailure) -> any TileArchive {
        let archive = try TileProbes.open(path, isTMS: isTMS, isTerrain: isTerrain)
        if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
        return archive
    }

    /// Returns the layer, and reports if the chosen style was made for other tiles. The layer is then drawn
    /// in Rhumb's own style.
    func remarked(_ layer: TileLayer, _ style: LoadedStyle) -> TileLayer {
        if styles.choice.named.contains(style.location), let misfit = VectorStyles.misfit(layer, style.style)
        {
            onRemark?(style.location, [misfit + "; using Rhumb's own style"])
        }
        return layer
    }

    func detailed(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        if let detail { layer.detail = Double(detail) }
        return layer
    }

    /// Opens a named GeoTIFF on a server or on this machine.
    func geoTIFF(
        _ source: SourceDefinition, at address: String, _ theme: MapTheme,
        _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let isLocal = URLReference(address).localPath != nil
        let layers =
            isLocal
            ? try await layers(of: address, theme, onFetch)
            : try await layers(of: source, id: "source:\(source.id)", theme, onFetch)
        return layers.map { opened in
            var layer = opened
            layer.info.name = SafeText.sanitised(source.name, limit: 60)
            if !source.attribution.isEmpty { layer.info.attribution = source.attribution }
            layer.openedBy = source.id
            return layer
        }
    }
}

/// Maps from web sources and documents.
extension MapOpener {
    /// Returns the layer of a definition that was stored with a region. If documents are reloaded, the layer
    /// is of the newest build.
    package func open(definition: SourceDefinition) async throws(MapOpenFailure) -> TileLayer {
        var definition = definition.storedForm
        if web.reloadsDocuments { definition.build = nil }
        let layers = try await layers(of: definition, id: "region:\(definition.id)", .day) { _ in }
        guard layers.count == 1 else { throw .severalLayers(layers.count) }
        return layers[0]
    }

    /// Opens a definition that was stored with a region, without a request to a server.
    /// - Returns: nil if its documents are not stored.
    /// - Throws: `MapOpenFailure` if a stored document is invalid.
    package func openStored(
        _ definition: SourceDefinition, theme: MapTheme
    ) async throws(MapOpenFailure) -> TileLayer? {
        let listed = try? catalog.source(named: definition.id)
        let isKnown =
            listed?.addresses == definition.addresses && listed?.replaceable == definition.replaceable
        let source = isKnown ? definition : definition.storedForm
        _ = web.loader.store
        guard let need = try? web.need(of: source), need != .fetch else { return nil }
        return try await load(source, "stored:\(source.id)", web, theme, prefersStored: true).first
    }

    /// Returns the layers of a source, from stored documents if all are stored, or else from servers.
    func layers(
        of source: SourceDefinition, id: TileLayer.ID, _ theme: MapTheme,
        _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let web = web.announcing(source.name, onFetch), isKept: Bool
        // Opens the stores here, where waiting for them is allowed; fetching tiles must not wait.
        _ = web.loader.store
        do throws(WebSourceFailure) {
            isKept =
                if case .stored = try web.need(of: source) { !asksFirst && !web.reloadsDocuments } else {
                    false
                }
        } catch {
            throw .web(error)
        }
        if isKept, let layers = try? await load(source, id, web, theme, prefersStored: true) { return layers }
        return try await load(source, id, web, theme, prefersStored: false)
    }

    private func load(
        _ source: SourceDefinition, _ id: TileLayer.ID, _ web: WebSourceOpener, _ theme: MapTheme,
        prefersStored: Bool
    ) async throws(MapOpenFailure) -> [TileLayer] {
        let notify: @Sendable () -> Void = { [onChange] in onChange?(id) }
        let content = try await convertingAsync(
            await web.content(of: source, id: id, prefersStored: prefersStored, onChange: notify),
            to: MapOpenFailure.web)
        switch content {
        case .layer(let layer): return [try await drawn(layer, web, theme)]
        case .style(let style, let address, let document):
            return try await layers(of: style, at: address, document, id, web, prefersStored: prefersStored)
        }
    }

    /// Returns a web source's layer with its vector tiles drawn, at the chosen size and detail.
    private func drawn(
        _ layer: TileLayer, _ web: WebSourceOpener, _ theme: MapTheme
    ) async throws(MapOpenFailure) -> TileLayer {
        let layer = try sized(layer)
        if let encoding = layer.source.webDefinition?.elevation {
            return shaded(
                layer, HillshadeDrawing(layer.info, encoding, Hillshade(), decoder: SniffingDecoder()))
        }
        guard let names = layer.vectorLayerNames else { return detailed(layer) }
        let style = try await styles.loaded(theme, of: styles.choice, web)
        return detailed(remarked(try styles.drawn(layer, names, style, theme), style))
    }

    /// Returns an elevation layer drawn as hillshade over the maps below.
    private func shaded(_ layer: TileLayer, _ drawing: HillshadeDrawing) -> TileLayer {
        var layer = layer.drawn(by: drawing, size: layer.tileSize)
        layer.isTransparent = true
        layer.role = .hybridOverlay
        layer.feature = .terrain
        layer.info.hasLabels = true
        return layer
    }

    /// Returns a web source's layer with the tile size and scale that the user chose.
    private func sized(_ layer: TileLayer) throws(MapOpenFailure) -> TileLayer {
        guard tileSize != nil || isDoubled else { return layer }
        do {
            guard var source = layer.source.webDefinition, source.kind == .tiles else {
                throw SourceFailure.oneScale(source: layer.info.name)
            }
            if let tileSize { source = try source.sized(tileSize) }
            if isDoubled { source = try source.doubled() }
            var sized = try web.layer(ofTemplates: source, id: layer.id)
            if isDoubled { sized.detail = 1 }
            return sized
        } catch let failure as WebSourceFailure {
            throw .web(failure)
        } catch {
            throw .web(WebSourceFailure(error))
        }
    }

    /// Opens a document in a file: a TileJSON document or a style.
    func document(
        _ path: String, _ theme: MapTheme, _ onFetch: @escaping @Sendable (String) -> Void
    ) async throws(MapOpenFailure) -> [TileLayer] {
        guard let bytes = CachedFile.read(path, web.loader.store) else { throw .unreadable(file: path) }
        let bare: TileLayer
        do {
            let json = try JSON.parse(bytes)
            if json.isMapStyle {
                return try await layers(ofStyle: try LoadedStyle(bytes, at: path), onFetch)
            }
            let source = try TileJSON.read(json, from: path, id: TileProbes.stem(path))
            bare = try web.layer(ofTemplates: source, id: "file:\(path)")
        } catch let failure as MapOpenFailure {
            throw failure
        } catch let failure as WebSourceFailure {
            throw .web(failure)
        } catch let failure as SourceFailure {
            throw .web(.source(failure))
        } catch {
            throw .document(file: path, problem: "\(error)")
        }
        return [try await drawn(bare, web.announcing(bare.info.name, onFetch), theme)]
    }
}

/// An error while opening a map.
public enum MapOpenFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// Neither a file nor a source has this name; `among` has the names of the sources.
    case unknown(String, among: [String])
    /// The file can't be read.
    case unreadable(file: String)
    /// The file is damaged or not a tile archive.
    case archive(ArchiveFailure)
    /// The web source is invalid, or its document could not be fetched.
    case web(WebSourceFailure)
    /// The document in a file is invalid.
    case document(file: String, problem: String)
    /// No layer of the style draws vector tiles.
    case drawsNothing(style: String)
    /// The map has several layers, but a single one was expected.
    case severalLayers(Int)

    public var description: String {
        switch self {
        case .unknown(let name, _): "no file or source called \(SafeText.sanitised(name, limit: 300))"
        case .unreadable(let file): "\(FileProblem(file))"
        case .archive(let failure): failure.description
        case .web(let failure): failure.description
        case .document(let file, let problem): "\(SafeText.sanitised(file)): \(problem)"
        case .drawsNothing(let style):
            "\(SafeText.sanitised(style)): no layer of this style draws vector tiles; choose another style"
        case .severalLayers(let count): "the style has \(count) layers; use the source of one of them"
        }
    }

    /// A further remedy; nil for none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .unknown(let name, let names): names.nearest(to: name).map { .takeSource($0) } ?? .listSources
        case .web(let failure): failure.remedy
        case .archive(let failure): failure.remedy
        default: nil
        }
    }
}
