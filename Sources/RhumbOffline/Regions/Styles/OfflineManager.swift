public import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// Stores styles with their resources, exempt from eviction; modelled after Mapbox's OfflineManager. A style
/// with a pack is drawn from it until the pack is loaded again.
public struct OfflineManager: Sendable {
    /// The progress of loading a pack.
    public struct Progress: Sendable, Equatable {
        /// The style's name, file or address.
        public let style: String
        /// The number of the pack's resources; 1 until the style is loaded.
        public var required = 1
        /// The number of loaded resources.
        public var completed = 0
        /// The size of the loaded resources in bytes.
        public var completedBytes = 0
        /// The number of failed resources.
        public var errored = 0
    }

    let opener: MapOpener
    private let store: RegionStore
    private let cache: SharedCache?

    /// Creates a manager. Waits until the session's stores are open.
    /// - Throws: `RegionStoreFailure` if the session has no regions.
    public init(_ session: any OfflineServices, _ opener: MapOpener) throws(RegionStoreFailure) {
        store = try session.regions().store
        self.opener = opener
        cache = session.cache
    }

    // MARK: Loading

    /// Returns the plan of a pack. Requests nothing, because only the style names its resources.
    /// - Parameter style: The style's name, file or address.
    public func plan(_ style: String) -> StylePackPlan { StylePackPlan(style: style, manager: self) }

    /// Starts to load the pack of a style; `plan(_:)` has further options.
    /// - Parameters:
    ///   - style: The style's name, file or address.
    ///   - metadata: Arbitrary JSON, stored with the pack.
    /// - Throws: `OfflineFailure`
    public func loadStylePack(
        for style: String, metadata: JSON = .null
    ) async throws(OfflineFailure) -> StylePackJob {
        var plan = plan(style)
        plan.metadata = metadata
        return try await plan.start()
    }

    fileprivate func start(_ plan: StylePackPlan) -> StylePackJob {
        let job = StylePackJob(Progress(style: plan.style))
        job.start {
            let outcome = await Result(awaiting: { () async throws(OfflineFailure) in
                try await load(opener.location(ofStyle: plan.style), plan, job)
            })
            switch outcome {
            case .success(let pack): return (pack.missing.isEmpty ? .complete : .withGaps, outcome)
            case .failure: return (job.state.stop.map(JobState.Ending.stopped) ?? .failed, outcome)
            }
        }
        return job
    }

    private func load(
        _ location: String, _ plan: StylePackPlan, _ job: StylePackJob
    ) async throws(OfflineFailure) -> StylePack {
        var documents: [RegionDocument] = [], missing: [StylePack.Missing] = []
        let document = try await self.style(at: location, plan)
        let style = try Self.parsed(document)
        documents.append(document)
        let items = StyleResources(style, at: location, opener.web).items
        job.report { progress in
            progress.required += items.count
            progress.completed = 1
            progress.completedBytes = document.response.body?.count ?? 0
        }
        for item in items {
            await job.waitWhilePaused()
            guard !Task.isCancelled else { throw .cancelled }
            let (found, problem) = await self.document(item, plan)
            if let found { documents.append(found) }
            if let problem { missing.append(problem) }
            job.report { progress in
                if problem != nil {
                    progress.errored += 1
                } else {
                    progress.completed += 1
                    progress.completedBytes += found?.response.body?.count ?? 0
                }
            }
        }
        guard !Task.isCancelled else { throw .cancelled }
        let pack = StylePack(
            address: document.address, name: style.name, metadata: plan.metadata, missing: missing,
            changed: .now)
        return try saved(pack, documents)
    }

    private func saved(_ pack: StylePack, _ documents: [RegionDocument]) throws(OfflineFailure) -> StylePack {
        do throws(RegionStoreFailure) {
            try store.set(pack, documents: documents, at: pack.changed)
            return try store.stylePack(pack.address) ?? pack
        } catch {
            throw OfflineFailure(stylePack: error)
        }
    }

    private static func parsed(_ document: RegionDocument) throws(OfflineFailure) -> Style {
        try converting(Style(document.response.body ?? [])) { (error: StyleFailure) in
            OfflineFailure.unreadableStyle(document.address, reason: "\(error)")
        }
    }

    /// Loads the document of the style, which a pack requires.
    private func style(
        at location: String, _ plan: StylePackPlan
    ) async throws(OfflineFailure) -> RegionDocument {
        guard SourceDefinition.isAddress(location) else {
            guard let document = CachedFile.document(location) else { throw .noStyle(location) }
            return document
        }
        do {
            let (document, failure) = try await loaded(try opener.web.resource(document: location), plan)
            if let failure, try store.stylePack(document.address) != nil {
                throw OfflineFailure.notRenewed(SafeText.sanitised(failure.message))
            }
            return document
        } catch let failure as OfflineFailure {
            throw failure
        } catch let failure as DocumentFailure {
            if case .absent = failure { throw .noStyle(location) }
            throw Task.isCancelled ? .cancelled : .document(failure)
        } catch let failure as WebSourceFailure {
            throw .map(.web(failure))
        } catch let failure as RegionStoreFailure {
            throw OfflineFailure(stylePack: failure)
        } catch {
            throw Task.isCancelled ? .cancelled : .other("\(error)")
        }
    }

    /// Loads a resource of a style.
    /// - Returns: The document, nil if it is neither fetched nor stored; and the problem, nil if it was
    ///   fetched.
    private func document(
        _ item: StyleResources.Item, _ plan: StylePackPlan
    ) async -> (RegionDocument?, StylePack.Missing?) {
        switch item {
        case .unusable(let address, let reason):
            return (nil, StylePack.Missing(address: address, reason: reason))
        case .file(let path):
            let found = CachedFile.document(path)
            return (found, found == nil ? StylePack.Missing(address: path, reason: "it can't be read") : nil)
        case .web(let resource):
            let address = resource.address.description
            do throws(DocumentFailure) {
                let (document, failure) = try await loaded(resource, plan)
                return (
                    document,
                    failure.map {
                        StylePack.Missing(address: address, reason: "\($0); using the stored copy")
                    }
                )
            } catch {
                return (nil, StylePack.Missing(address: address, reason: "\(error)"))
            }
        }
    }

    /// Loads and revalidates a document, unless stored ones are accepted regardless of their age. Falls back
    /// to the stored copy.
    /// - Returns: The document, and the reason why it could not be revalidated; nil if it was.
    private func loaded(
        _ resource: WebResource, _ plan: StylePackPlan
    ) async throws(DocumentFailure) -> (document: RegionDocument, failure: HTTPFailure?) {
        let stored = plan.acceptsExpired ? opener.web.loader.stored(resource) : nil
        let document =
            if let stored { stored } else { try await opener.web.loader.load(resource, isReload: true) }
        guard case .document(let address)? = resource.key, document.isStorable else {
            throw .unreadable(
                address: resource.address.description, "the server forbids storing it (no-store)")
        }
        let failure: HTTPFailure? =
            if case .outdated(let failure) = document.standing { failure } else { nil }
        return (RegionDocument(address: address, document.stored), failure)
    }

    // MARK: Packs

    /// Returns all packs, sorted by address.
    /// - Throws: `RegionStoreFailure`
    public func allStylePacks() throws(RegionStoreFailure) -> [StylePack] { try store.stylePacks() }

    /// Returns the pack of a style.
    /// - Parameter style: The style's name, file or address.
    /// - Throws: `OfflineFailure`
    public func stylePack(for style: String) throws(OfflineFailure) -> StylePack {
        let address = try address(of: style), found: StylePack?
        do throws(RegionStoreFailure) { found = try store.stylePack(address) } catch {
            throw OfflineFailure(stylePack: error)
        }
        guard let found else { throw .noStyle("style pack \"\(style)\"") }
        return found
    }

    /// Returns the metadata of a pack.
    /// - Throws: `OfflineFailure`
    public func stylePackMetadata(for style: String) throws(OfflineFailure) -> JSON {
        try stylePack(for: style).metadata
    }

    /// Removes a pack. Moves its web documents to the shared cache, which may evict them.
    /// - Throws: `OfflineFailure`
    public func removeStylePack(for style: String) throws(OfflineFailure) {
        let pack = try stylePack(for: style)
        do throws(RegionStoreFailure) {
            for document in try store.removeStylePack(pack.address) where !document.address.hasPrefix("file:")
            {
                cache?.store(document.response, for: .document(document.address))
            }
        } catch {
            throw OfflineFailure(stylePack: error)
        }
    }

    /// Returns the address under which a style's pack is stored.
    private func address(of style: String) throws(OfflineFailure) -> String {
        let location = opener.location(ofStyle: style)
        guard SourceDefinition.isAddress(location) else { return CachedFile.address(location) }
        let key = try converting(opener.web.resource(document: location).key) { (error: WebSourceFailure) in
            OfflineFailure.map(.web(error))
        }
        return if case .document(let address)? = key { address } else { location }
    }
}

extension OfflineFailure {
    fileprivate init(stylePack failure: RegionStoreFailure) {
        if case .store(let store) = failure, store.kind == .diskFull {
            self = .diskFull
        } else {
            self = .store(failure)
        }
    }
}

/// The plan of a style pack. Its start loads the style and its resources, and replaces the pack. Missing
/// resources are counted, but don't fail the load.
public struct StylePackPlan: OfflinePlan {
    /// The style's name, file or address.
    public let style: String
    /// Arbitrary JSON, stored with the pack.
    public var metadata = JSON.null
    /// True to accept stored resources regardless of their age; false to revalidate all.
    public var acceptsExpired = false
    let manager: OfflineManager

    /// Starts to load the pack.
    public func start() async throws(OfflineFailure) -> StylePackJob { manager.start(self) }
}

/// The loading of a style pack.
public typealias StylePackJob = Job<OfflineManager.Progress, StylePack, OfflineFailure>

extension OfflineManager {
    /// Returns the resources of a style that are neither stored nor local files. Requests nothing.
    /// - Parameter style: The style's name, file or address.
    /// - Returns: The missing resources. If the style itself is missing, it is the only one.
    public func missingResources(ofStyle style: String) -> [StylePack.Missing] {
        let location = opener.location(ofStyle: style)
        guard let bytes = stored(style: location) else {
            return [StylePack.Missing(address: style, reason: "the style is not stored")]
        }
        let parsed: Style
        do {
            parsed = try Style(bytes)
        } catch {
            return [StylePack.Missing(address: style, reason: "\(error)")]
        }
        return StyleResources(parsed, at: location, opener.web).items.compactMap(missing)
    }

    private func stored(style location: String) -> [UInt8]? {
        guard SourceDefinition.isAddress(location) else {
            return CachedFile.read(location, opener.web.loader.store)
        }
        return (try? opener.web.resource(document: location)).flatMap { opener.web.loader.stored($0)?.body }
    }

    private func missing(_ item: StyleResources.Item) -> StylePack.Missing? {
        switch item {
        case .unusable(let address, let reason): StylePack.Missing(address: address, reason: reason)
        case .file(let path):
            CachedFile.read(path, opener.web.loader.store) == nil
                ? StylePack.Missing(address: path, reason: "the file can't be read") : nil
        case .web(let resource):
            opener.web.loader.stored(resource) == nil
                ? StylePack.Missing(address: resource.address.description, reason: "it is not stored") : nil
        }
    }
}

/// The resources of a style besides tiles: the documents of its sources, GeoJSON and sprites. Glyphs are not
/// needed in a terminal.
struct StyleResources {
    /// A resource.
    enum Item {
        case web(WebResource)
        /// A file path.
        case file(String)
        /// A resource that can't be requested, and the reason.
        case unusable(address: String, reason: String)
    }

    private let style: Style
    /// The address of the style, against which relative addresses are resolved.
    private let base: String
    private let web: WebSourceOpener

    init(_ style: Style, at base: String, _ web: WebSourceOpener) {
        self.style = style
        self.base = base
        self.web = web
    }

    /// The resources, sorted by source name. Archives are omitted, because regions store the parts they need.
    var items: [Item] {
        style.sources.sorted { $0.key < $1.key }.compactMap { item($1, named: $0) }
            + style.sprites.flatMap { [$0.index, $0.image] }.map(item)
    }

    private func item(_ source: StyleSource, named name: String) -> Item? {
        if source.kind == .geojson { return source.data?.string.map(item) }
        guard source.tiles.isEmpty, let url = source.url else { return nil }
        if let problem = source.problem { return .unusable(address: url, reason: problem) }
        do throws(SourceFailure) {
            let definition = try source.definition(named: name, in: base)
            return definition.kind == .tilejson ? item(url) : nil
        } catch {
            return .unusable(address: url, reason: "\(error)")
        }
    }

    private func item(_ url: String) -> Item {
        let address = StyleSource.absolute(url, in: base)
        guard SourceDefinition.isAddress(address) else { return .file(address) }
        do throws(WebSourceFailure) {
            return .web(try web.resource(document: address))
        } catch {
            return .unusable(address: url, reason: "\(error)")
        }
    }
}
