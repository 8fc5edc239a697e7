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
    /// Makes layers of web sources.
    var web: WebSourceOpener?
    /// Told when what is drawn of a layer should be forgotten: its archive changed on the server.
    var onChange: (@Sendable (TileLayer.ID) -> Void)?

    /// Documents that are kept are read within this time, or come later.
    private static let patience = 0.05

    /// The layer that shows a source.
    /// - Throws: a sentence with what was wrong and what to do.
    func open(_ words: String, _ theme: Settings.Theme) throws(Notice.Problem) -> Opening {
        if words == EmbeddedWorld.name { return .now(detailed(try EmbeddedWorld.layer(theme))) }
        if SourceDefinition.isAddress(words) { return try open(address: words) }
        if let source = try catalog.source(named: words) { return try open(source, id: "source:\(source.id)") }
        if words.hasSuffix(".json") { return .now(try layer(ofDocument: words)) }
        guard Files.exists(words) || words.contains("/") || words.contains(".") else { throw catalog.unknown(words) }
        return .now(try archive(words, theme))
    }

    /// What the document is kept under that a web source is opened by; nil if it needs none.
    func documentKey(of words: String) -> ResourceKey? {
        let named = SourceDefinition.isAddress(words) ? try? SourceDefinition(address: words) : try? catalog.source(named: words)
        guard let source = named, source.kind != .tiles else { return nil }
        return try? web?.request(source).documentKey
    }

    private func archive(_ path: String, _ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        do throws(ArchiveFailure) {
            let archive = try TileProbes.open(path, isTMS: isTMS)
            if let refusal = archive.refusal { throw refusal }
            return detailed(TileLayer(id: "file:\(path)", source: archive, info: archive.info))
        } catch where error.reason == .vectorTiles {
            return detailed(try vectorMaps.layer(path, theme))
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    private func detailed(_ layer: TileLayer) -> TileLayer {
        var layer = layer
        if let detail { layer.detail = Double(detail) }
        return layer
    }

    // MARK: The web

    private func open(address: String) throws(Notice.Problem) -> Opening {
        var source: SourceDefinition
        do throws(SourceFailure) {
            source = try SourceDefinition(address: address)
        } catch {
            throw Notice.Problem("\(error)")
        }
        source.policy = try catalog.policy(ofHostOf: address) ?? source.policy
        return try open(source, id: "web:\(HTTPAddress(address).canonical)")
    }

    /// The layer of a definition that was kept.
    func open(definition: SourceDefinition) throws(Notice.Problem) -> TileLayer {
        try open(definition, id: "region:\(definition.id)").settled()
    }

    private func open(_ source: SourceDefinition, id: TileLayer.ID) throws(Notice.Problem) -> Opening {
        guard let web else { throw Notice.Problem("\(source.id): the web is not at hand") }
        let source = try sized(source)
        do throws(WebSourceFailure) {
            switch try web.need(of: source) {
            case .none: return .now(detailed(try web.layer(ofTemplates: source, id: id)))
            case .kept:
                let kept = wait(upTo: SourceOpener.patience) { await load(source, id, web, prefersStored: true) }
                if let layer = try? kept?.get() { return .now(layer) }
            case .fetch: break
            }
        } catch {
            throw Notice.Problem("\(error)")
        }
        return .later(LaterLayer(name: source.name) { await load(source, id, web, prefersStored: false) })
    }

    private func sized(_ source: SourceDefinition) throws(Notice.Problem) -> SourceDefinition {
        guard let tileSize else { return source }
        do throws(SourceFailure) {
            return try source.sized(tileSize)
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    private func load(
        _ source: SourceDefinition, _ id: TileLayer.ID, _ web: WebSourceOpener, prefersStored: Bool
    ) async -> Result<TileLayer, Notice.Problem> {
        let change: @Sendable () -> Void = { onChange?(id) }
        do throws(WebSourceFailure) {
            return .success(
                detailed(try await web.layer(of: source, id: id, prefersStored: prefersStored, onChange: change)))
        } catch {
            return .failure(Notice.Problem("\(error)"))
        }
    }

    /// A TileJSON document in a file.
    private func layer(ofDocument path: String) throws(Notice.Problem) -> TileLayer {
        guard let web, let bytes = Files.read(path) else {
            throw Notice.Problem("\(path) can't be read; check its name")
        }
        do {
            let source = try TileJSON.read(JSON.parse(bytes), from: path, id: TileProbes.stem(path))
            return detailed(try web.layer(ofTemplates: try sized(source), id: "file:\(path)"))
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
            let isWorld = EmbeddedWorld.isWorld(old)
            guard var new = isWorld ? try? EmbeddedWorld.layer(theme) : vectorMaps.themed(old, theme) else { return old }
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
