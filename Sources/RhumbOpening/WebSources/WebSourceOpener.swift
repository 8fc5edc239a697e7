public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

/// Opens layers of web sources. Layers of templates need no document. Layers of TileJSON documents and
/// archives need theirs, from the store or the server.
public struct WebSourceOpener: Sendable {
    /// Loads documents, through its client and its store.
    public package(set) var loader: DocumentLoader
    let environment: @Sendable (String) -> String?
    let keys: @Sendable (String) -> String?
    let probe: TileProbe?
    let providers: Providers
    /// Returns true if a feature may use the network while Rhumb is offline.
    public var passesThrough: @Sendable (Feature) -> Bool = { _ in false }
    /// True to revalidate documents even if they are fresh.
    public var reloadsDocuments = false
    /// The address of a file with the same bytes as the archive to open, which no other edition replaces; nil
    /// for the archive itself.
    package var location: HTTPAddress?
    /// The copy of the archive to open, for a server that ignores ranges.
    package var copy: WholeFile?
    /// Called before a document that the map needs is requested.
    var onFetch: @Sendable () -> Void = {}

    /// Creates an opener.
    /// - Parameters:
    ///   - loader: The client and the store of documents.
    ///   - environment: Returns the environment variables of the process.
    ///   - keys: Returns the keys of the configuration file, by name.
    ///   - probe: Reads the size of images in archives; nil to assume 256 pixels.
    ///   - providers: The providers whose rules and keys apply.
    public init(
        loader: DocumentLoader, environment: @escaping @Sendable (String) -> String?,
        keys: @escaping @Sendable (String) -> String? = { _ in nil }, probe: TileProbe? = nil,
        providers: Providers = Providers()
    ) {
        self.loader = loader
        self.environment = environment
        self.keys = keys
        self.probe = probe
        self.providers = providers
    }

    /// The part of a source that is needed before it can be shown.
    public enum Need: Sendable {
        /// Nothing is needed.
        case none
        /// A document that is already stored.
        case stored
        /// A document that must be fetched.
        case fetch
    }

    /// Returns the part of a source that is needed before it can be shown.
    /// - Throws: `WebSourceFailure` for an invalid definition or a missing key.
    public func need(of source: SourceDefinition) throws(WebSourceFailure) -> Need {
        guard source.kind != .tiles else { return .none }
        // Builds are deleted after some days, so their list is requested each time.
        guard source.builds == nil || source.build != nil else { return .fetch }
        return loader.stored(try resource(source)) == nil ? .fetch : .stored
    }

    /// Opens a source as a layer. For vector tiles, the caller adds the drawing.
    /// - Parameters:
    ///   - id: The id of the layer, unique in the map.
    ///   - prefersStored: True to use a stored document of any age. It is then revalidated in the background.
    ///   - onChange: Called when an archive was replaced on its server.
    /// - Throws: `WebSourceFailure`.
    public func layer(
        of source: SourceDefinition, id: TileLayer.ID, prefersStored: Bool = false,
        onChange: (@Sendable () -> Void)? = nil
    ) async throws(WebSourceFailure) -> TileLayer {
        switch source.kind {
        case .tiles: return try layer(ofTemplates: source, id: id)
        case .tilejson:
            let resource = try resource(source)
            let document = try await document(
                resource, prefersStored, revalidates: source.policy.viewing)
            let definition = try described(source, by: json(document, of: source))
            return try layer(ofTemplates: definition, id: id).made(of: [resource])
        case .archive:
            let source = try await resolved(providers.governed(source))
            return try await layer(ofArchive: source, id: id, prefersStored, onChange)
        case .osrm, .valhalla, .tomtomRouting, .hereRouting:
            throw .source(.definition(source: source.id, "it is a routing engine, not a map"))
        case .nominatim, .photon:
            throw .source(.definition(source: source.id, "it is a search service, not a map"))
        }
    }

    /// The content at a source's address: a source, or a style.
    public enum Content: Sendable {
        case layer(TileLayer)
        /// A style, its address, and the resource it was fetched from.
        case style(Style, address: String, WebResource)
    }

    /// Returns the layer of a source, or the style that was found in its place.
    /// - Parameters: As in `layer(of:id:prefersStored:onChange:)`.
    /// - Throws: `WebSourceFailure`.
    public func content(
        of source: SourceDefinition, id: TileLayer.ID, prefersStored: Bool = false,
        onChange: (@Sendable () -> Void)? = nil
    ) async throws(WebSourceFailure) -> Content {
        guard source.kind == .tilejson else {
            return .layer(
                try await layer(of: source, id: id, prefersStored: prefersStored, onChange: onChange))
        }
        let resource = try resource(source)
        let json = try json(try await document(resource, prefersStored), of: source)
        if json.isMapStyle {
            let plain = try withoutKeys(json, of: source), url = try url(of: source)
            do throws(StyleFailure) {
                return .style(try Style(plain), address: url, resource)
            } catch {
                throw .document(.unreadable(address: url, error.description))
            }
        }
        return .layer(try layer(ofTemplates: try described(source, by: json), id: id).made(of: [resource]))
    }

    /// Returns the layer of a source that needs no document.
    /// - Throws: `WebSourceFailure`.
    public func layer(
        ofTemplates source: SourceDefinition, id: TileLayer.ID
    ) throws(WebSourceFailure) -> TileLayer {
        try converting(
            WebTileSource(providers.governed(source), environment: environment, configuration: keys).layer(
                id: id), to: WebSourceFailure.source)
    }

    /// Returns an opener that calls a closure with the map's name before it fetches anything.
    func announcing(_ name: String, _ onFetch: @escaping @Sendable (String) -> Void) -> WebSourceOpener {
        var opener = self
        opener.onFetch = { onFetch(name) }
        return opener
    }

    func document(
        _ resource: WebResource, _ prefersStored: Bool, revalidates: Bool = true
    ) async throws(WebSourceFailure) -> Document {
        if prefersStored, let stored = loader.stored(resource) {
            if case .outdated = stored.standing, revalidates { Task { try? await loader.load(resource) } }
            return stored
        }
        onFetch()
        return try await convertingAsync(
            await loader.load(resource, isReload: reloadsDocuments), to: WebSourceFailure.document)
    }
}

extension TileLayer {
    /// Returns the layer with these documents added to those it was made from.
    package func made(of documents: [WebResource]) -> TileLayer {
        var layer = self
        layer.documents = documents + layer.documents
        return layer
    }
}

/// An error while opening a web source.
public enum WebSourceFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    case source(SourceFailure)
    case document(DocumentFailure)
    case archive(ArchiveFailure)

    init(_ error: any Error) {
        self = .source(error as? SourceFailure ?? .document("\(error)"))
    }

    public var description: String {
        switch self {
        case .source(let failure): failure.description
        case .document(let failure): failure.description
        case .archive(let failure): failure.description
        }
    }

    /// A further remedy; nil for none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .source(let failure): failure.remedy
        case .document(let failure): failure.remedy
        case .archive(let failure): failure.remedy
        }
    }
}

/// The documents that describe sources, and the keys in them.
extension WebSourceOpener {
    /// Returns the source that a TileJSON document describes, with the definition's remaining properties.
    /// - Parameter json: The document.
    /// - Throws: `WebSourceFailure` if it is not TileJSON.
    public func described(
        _ source: SourceDefinition, by json: JSON
    ) throws(WebSourceFailure) -> SourceDefinition {
        let plain = try withoutKeys(json, of: source), url = try url(of: source)
        return try converting(
            TileJSON.read(plain, from: url, id: source.id, base: providers.governed(source)),
            to: WebSourceFailure.source)
    }

    /// Returns a document with tokens in place of the keys of its request. Servers write these keys into
    /// addresses, which may be on other servers.
    func withoutKeys(_ json: JSON, of source: SourceDefinition) throws(WebSourceFailure) -> JSON {
        let secrets = try converting(
            providers.governed(source).secrets(environment: environment, configuration: keys),
            to: WebSourceFailure.source)
        return secrets.reduce(json) { $0.masked($1.value, with: "{\($1.key)}") }
    }

    /// Returns the address of a source's document without keys, as the base of relative addresses.
    func url(of source: SourceDefinition) throws(WebSourceFailure) -> String {
        try converting(
            source.templates(environment: environment).first?.canonical ?? "", to: WebSourceFailure.source)
    }

    func json(_ document: Document) throws(WebSourceFailure) -> JSON {
        try converting(document.json(), to: WebSourceFailure.document)
    }

    /// Returns the JSON of a source's document.
    func json(_ document: Document, of source: SourceDefinition) throws(WebSourceFailure) -> JSON {
        let isJSON = document.body.first == UInt8(ascii: "{")
        if FeatureReader.mayHold(document.body, isNamedJSON: isJSON) == true {
            throw .document(.features(address: try url(of: source)))
        }
        return try json(document)
    }

    /// Returns the resource of a document at an address, with its keys filled in.
    /// - Parameter isLocal: True if the document may be a file on this machine.
    /// - Throws: `WebSourceFailure` if a key is missing or not meant for that server.
    public func resource(
        document address: String, isLocal: Bool = false
    ) throws(WebSourceFailure) -> WebResource {
        var source = SourceDefinition(id: URLReference(address).host ?? "", name: "", addresses: [address])
        source.kind = .tilejson
        source.isLocal = isLocal
        source.nameKeys()
        return try resource(source)
    }

    /// Returns the resource that a source is opened from: its document, or the start of its archive.
    /// - Throws: `WebSourceFailure` for an invalid definition or a missing key.
    public func resource(_ source: SourceDefinition) throws(WebSourceFailure) -> WebResource {
        let source = providers.governed(source)
        do throws(SourceFailure) {
            let address = try source.documentAddress(environment: environment, configuration: keys)
            let start = ByteRange(offset: 0, count: UInt64(PMTilesIndex.startLength))
            var resource = WebResource(
                document: address, range: source.kind == .archive ? start : nil, rules: source.rules,
                headers: source.headers)
            resource.passesThrough = { [passesThrough, feature = source.feature] in passesThrough(feature) }
            return resource
        } catch {
            throw .source(error)
        }
    }
}

/// Opens archives that are read in parts.
extension WebSourceOpener {
    func layer(
        ofArchive source: SourceDefinition, id: TileLayer.ID, _ prefersStored: Bool,
        _ onChange: (@Sendable () -> Void)?
    ) async throws(WebSourceFailure) -> TileLayer {
        let resource = try resource(source)
        if !prefersStored || loader.stored(resource) == nil { onFetch() }
        let sharedAddress = try sharedAddress(source)
        let file = RemoteFile(
            resource: resource, loader: loader, sharedAddress: sharedAddress, location: location, copy: copy)
        do throws(ArchiveFailure) {
            let archive = try await RemoteArchive.open(
                file, probe: probe, prefersStored: prefersStored,
                isReload: reloadsDocuments || location != nil,
                definition: source,
                onChange: onChange)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
            return layer(of: archive, source, id: id).made(of: archive.documents)
        } catch {
            throw .archive(error)
        }
    }

    /// The source with the newest build of its archive, unless it names a build or has none.
    func resolved(_ source: SourceDefinition) async throws(WebSourceFailure) -> SourceDefinition {
        guard source.build == nil, let builds = source.builds, let list = source.buildListSource else {
            return source
        }
        let document = try json(await document(resource(list), false))
        guard let newest = builds.newestBuild(in: document) else {
            throw .source(
                .definition(source: source.id, "its list of builds has none of version \(builds.version)"))
        }
        var source = source
        source.build = newest
        return source
    }

    /// The address that identifies the tiles of all builds; nil for an archive with one address.
    private func sharedAddress(_ source: SourceDefinition) throws(WebSourceFailure) -> String? {
        guard source.builds != nil else { return nil }
        var anyBuild = source
        anyBuild.build = nil
        return try url(of: anyBuild)
    }

    private func layer(
        of archive: RemoteArchive, _ source: SourceDefinition, id: TileLayer.ID
    ) -> TileLayer {
        var info = archive.info
        if source.name != source.id { info.name = source.name }
        if !source.attribution.isEmpty { info.attribution = source.attribution }
        info.isOverlay = info.isOverlay || source.isOverlay
        let image = archive.imageLayer(id: id, info)
        var layer = image ?? TileLayer(id: id, source: archive, info: info)
        if image == nil || source.feature != .rendering { layer.feature = source.feature }
        layer.policy = source.policy
        return layer
    }
}
