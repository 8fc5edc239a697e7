internal import Rhumb
internal import RhumbBrowser

/// Opens sources by the words of the command line.
struct SourceOpener: Sendable {
    let catalog: SourceCatalog
    /// Rows of folders count from the south.
    var isTMS = false
    /// The detail layers are opened with, if the person chose one.
    var detail: Int?
    /// How maps of vector tiles are drawn.
    var vectorMaps = VectorMaps()
    /// Pixels of a web source's tiles, if the person chose.
    var tileSize: TileSize?
    /// Whether web sources' tiles have two pixels for each of the map's.
    var isDoubled = false
    /// Makes layers of web sources.
    var web: WebSourceOpener?
    /// Whether documents that are out of date are asked about before they are used, for a program
    /// that ends; else they are asked about behind.
    var asksFirst = false {
        didSet { vectorMaps.asksFirst = asksFirst }
    }
    /// Told when what is drawn of a layer should be forgotten: its archive changed on the server.
    var onChange: (@Sendable (TileLayer.ID) -> Void)?

    /// Where documents are kept.
    var store: (any ResponseStore)?
    /// Told once of each style that loses something, in one sentence.
    var onRemark: (@Sendable (String) -> Void)?

    /// Documents that are kept are read within this time, or come later.
    static let patience = 0.05

    /// The layer that shows a source.
    /// - Throws: a sentence with what was wrong and what to do.
    func open(_ typed: String, _ theme: Settings.Theme) throws(Notice.Problem) -> Opening {
        let words = TypedKeys.take(typed)
        if words == EmbeddedWorld.name { return .now([detailed(try EmbeddedWorld.layer(theme))]) }
        if SourceDefinition.isAddress(words) { return try open(address: words, theme) }
        if let source = try catalog.source(named: words) { return try open(source, id: "source:\(source.id)", theme) }
        if words.hasSuffix(".json") { return try document(words, theme) }
        guard Files.exists(words) || words.contains("/") || words.contains(".") else { throw catalog.unknown(words) }
        return try archive(words, theme)
    }

    private func archive(_ path: String, _ theme: Settings.Theme) throws(Notice.Problem) -> Opening {
        do throws(ArchiveFailure) {
            let archive = try TileProbes.open(path, isTMS: isTMS)
            if let refusal = archive.refusal { throw refusal }
            return .now([detailed(TileLayer(id: "file:\(path)", source: archive, info: archive.info))])
        } catch where error.reason == .vectorTiles {
            guard vectorMaps.awaitsStyle else { return .now([detailed(try vectorMaps.layer(path, theme))]) }
            return .later(LaterLayer(name: TileProbes.stem(path)) { await vectorArchive(path, theme) })
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    /// An archive of vector tiles, once the style that draws it is there.
    private func vectorArchive(_ path: String, _ theme: Settings.Theme) async -> Result<[TileLayer], Notice.Problem> {
        do throws(Notice.Problem) {
            try await vectorMaps.prepare()
            return .success([detailed(try vectorMaps.layer(path, theme))])
        } catch {
            return .failure(error)
        }
    }

    private func detailed(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        if let detail { layer.detail = Double(detail) }
        return layer
    }

    // MARK: The web

    private func open(address: String, _ theme: Settings.Theme) throws(Notice.Problem) -> Opening {
        let source: SourceDefinition
        do throws(SourceFailure) {
            source = try SourceDefinition(address: address)
        } catch {
            throw Notice.Problem("\(error)")
        }
        return try open(source, id: "web:\(address)", theme)
    }

    /// The layer of a definition that was kept.
    func open(definition: SourceDefinition) throws(Notice.Problem) -> TileLayer {
        try open(definition.asKept, id: "region:\(definition.id)", .day).settledLayer()
    }

    private func open(
        _ source: SourceDefinition, id: TileLayer.ID, _ theme: Settings.Theme
    ) throws(Notice.Problem) -> Opening {
        guard let web else { throw Notice.Problem("\(source.id): the web is not at hand") }
        var bare: TileLayer?
        do throws(WebSourceFailure) {
            switch try web.need(of: source) {
            case .none: bare = try web.layer(ofTemplates: source, id: id)
            case .kept where !asksFirst && !web.reloadsDocuments && !vectorMaps.awaitsStyle:
                let kept = wait(upTo: SourceOpener.patience) { await load(source, id, web, theme, prefersStored: true) }
                if let layers = try? kept?.get() { return .now(layers) }
            case .kept, .fetch: break
            }
        } catch {
            throw Notice.Problem("\(error)")
        }
        if let bare, bare.vectorLayerNames == nil || !vectorMaps.awaitsStyle { return .now([try drawn(bare, theme)]) }
        return .later(LaterLayer(name: source.name) { await load(source, id, web, theme, prefersStored: false) })
    }

    /// A web source's layer with tiles of the size and scale that the person chose.
    private func sized(_ layer: TileLayer) throws(Notice.Problem) -> TileLayer {
        guard tileSize != nil || isDoubled, let web else { return layer }
        do {
            guard var source = (layer.source as? WebTileSource)?.definition else {
                throw SourceFailure.oneScale(source: layer.info.name)
            }
            if let tileSize { source = try source.sized(tileSize) }
            if isDoubled { source = try source.doubled() }
            var sized = try web.layer(ofTemplates: source, id: layer.id)
            if isDoubled { sized.detail = 1 }
            return sized
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    private func load(
        _ source: SourceDefinition, _ id: TileLayer.ID, _ web: WebSourceOpener, _ theme: Settings.Theme,
        prefersStored: Bool
    ) async -> Result<[TileLayer], Notice.Problem> {
        let change: @Sendable () -> Void = {
            for id in VectorMaps.ids(id) { onChange?(id) }
        }
        let content: WebSourceOpener.Content
        do throws(WebSourceFailure) {
            content = try await web.content(of: source, id: id, prefersStored: prefersStored, onChange: change)
        } catch {
            return .failure(Notice.Problem("\(error)"))
        }
        do throws(Notice.Problem) {
            switch content {
            case .layer(let layer):
                if layer.vectorLayerNames != nil { try await vectorMaps.prepare() }
                return .success([try drawn(layer, theme)])
            case .style(let style, let address, let document):
                return .success(try await layers(of: style, at: address, document, id, web, prefersStored: prefersStored))
            }
        } catch {
            return .failure(error)
        }
    }

    /// A web source's layer as it is shown, its vector tiles drawn.
    private func drawn(_ layer: TileLayer, _ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        let layer = try sized(layer)
        guard let names = layer.vectorLayerNames else { return detailed(layer) }
        return detailed(try vectorMaps.drawn(layer, names, theme))
    }

    /// A document in a file: a TileJSON, or a style.
    private func document(_ path: String, _ theme: Settings.Theme) throws(Notice.Problem) -> Opening {
        guard let web, let bytes = KeptFile.read(path, web.loader.store) else {
            throw Notice.Problem("\(path) can't be read; check its name")
        }
        do {
            let json = try JSON.parse(bytes)
            if json["layers"]?.array != nil { return opening(of: try Style(json), path, web) }
            let source = try TileJSON.read(json, from: path, id: TileProbes.stem(path))
            return .now([try drawn(try web.layer(ofTemplates: source, id: "file:\(path)"), theme)])
        } catch let error as JSONFailure {
            throw Notice.Problem("\(path) is \(error)")
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    // MARK: Day and night

    /// The layers with those that come by day and by night changed for a theme.
    func themed(_ layers: [TileLayer], _ theme: Settings.Theme) -> [TileLayer] {
        layers.map { old in
            guard var new = EmbeddedWorld.themed(old, theme) ?? vectorMaps.themed(old, theme) else { return old }
            new.role = old.role
            new.zIndex = old.zIndex
            new.isTransparent = old.isTransparent
            new.isVisible = old.isVisible
            new.opacity = old.opacity
            new.detail = old.detail
            new.adjustment = old.adjustment
            return new
        }
    }
}

/// How archives are opened, with what tells them the kind and size of their pictures.
enum TileProbes {
    /// - Parameter isTMS: a folder's rows count from the south.
    static func open(_ path: String, isTMS: Bool) throws(ArchiveFailure) -> any TileArchive {
        isTMS
            ? try TileFolder(path, scheme: .tms, probe: header)
            : try Archive.open(path, probe: header)
    }

    static let header: TileProbe = { bytes in
        guard let header = try? ImageHeader(reading: bytes) else { return nil }
        return (header.kind.rawValue, header.width, header.height)
    }

    /// A file's name without folders and extension.
    static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.prefix { $0 != "." })
    }
}
