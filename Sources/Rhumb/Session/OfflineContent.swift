internal import RhumbCore
public import RhumbEngine
public import RhumbOffline
public import RhumbOpening
public import RhumbStore
internal import Synchronization

/// The offline content of a session: regions, packages, style packs and prefetched tiles. Each kind of work
/// begins with an ``OfflinePlan``.
public struct OfflineContent: Sendable {
    let session: MapSession

    /// Returns the queue that plans, downloads and removes regions. Each session has only one queue.
    /// - Parameter opener: Opens the sources of the queue's regions if the queue is not open yet; nil for the
    ///   session's opener.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func regions(openedBy opener: MapOpener? = nil) throws(RegionStoreFailure) -> RegionQueue {
        try session.queue.withLock { queue throws(RegionStoreFailure) in
            if let queue { return queue }
            let new = try RegionQueue(session, opener ?? session.opener)
            queue = new
            return new
        }
    }

    /// Returns the events of all regions, packages and style packs from now on. A running job also has a
    /// stream of its own, `Job.updates()`.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func events() throws(RegionStoreFailure) -> AsyncStream<OfflineEvent> {
        try session.regions().store.events()
    }

    /// Returns the manager of style packs.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func stylePacks() throws(RegionStoreFailure) -> OfflineManager {
        try OfflineManager(session, session.opener)
    }

    /// Opens the base maps in stored regions and packages, as layers over another map. Sends no requests, and
    /// neither do the layers.
    /// - Parameter theme: The theme of vector tiles.
    /// - Returns: One layer for each source of a region, within the region's bounds; see
    ///   `MapOpener.openStoredStreets(_:theme:)`.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func layers(theme: MapTheme) async throws(RegionStoreFailure) -> [TileLayer] {
        await session.opener.openStoredStreets(try session.regions().store.regions(), theme: theme)
    }

    /// Returns a prefetcher, which plans to fetch tiles of a layer into the cache. Waits until the session's
    /// stores are open.
    public func prefetcher(of layer: TileLayer) -> MapPrefetcher {
        MapPrefetcher(layer, session.fetcher, session.cache)
    }
}

extension MapSession {
    /// The offline content: regions, packages, style packs and prefetched tiles.
    public var offline: OfflineContent { OfflineContent(session: self) }
}

/// Package catalogues.
extension OfflineContent {
    /// Returns the addresses and files of the catalogues in the options and of installed packages. If the
    /// options contain none, adds the countries of the open maps, or else of the user's own sources, provided
    /// that their policies allow downloads. If there are still none, returns the countries of the default
    /// download source.
    /// - Parameter layers: The open maps.
    /// - Throws: `RegionStoreFailure` if there are no regions.
    public func catalogs(beside layers: [TileLayer] = []) throws(RegionStoreFailure) -> [String] {
        let installed = try session.regions().store.regions().compactMap(\.packageCatalog)
        var known = session.packageCatalogs + installed
        if session.packageCatalogs.isEmpty { known += countries(of: layers) }
        if known.isEmpty {
            known = session.opener.catalog.ownSources.filter { $0.policy.offline == .allowed }.map {
                countries(of: $0.id)
            }
        }
        if known.isEmpty, let source = session.opener.catalog.downloadSource {
            known = [countries(of: source.id)]
        }
        var seen: Set<String> = []
        return known.filter { seen.insert(identity(ofCatalog: $0)).inserted }
    }

    /// Returns an identifier of a catalogue that is the same for all spellings of its path or address.
    private func identity(ofCatalog specifier: String) -> String {
        if specifier.hasPrefix(PackageCatalog.countriesPrefix) { return specifier }
        guard !SourceDefinition.isAddress(specifier) else {
            return (try? session.opener.web.resource(document: specifier))?.address.canonical ?? specifier
        }
        return Files.real(URLReference(specifier).localPath ?? specifier)
    }

    private func countries(of layers: [TileLayer]) -> [String] {
        layers.compactMap { layer in
            guard layer.isNamedOnWeb, layer.openedBy == nil,
                let source = try? RegionSource(layer.specifier, layer, client: session.client),
                source.supply.policy.offline == .allowed
            else { return nil }
            return countries(of: source.specifier)
        }
    }

    private func countries(of source: String) -> String { PackageCatalog.countriesPrefix + source }

    /// Returns the loader of a catalogue's packages, by its address or path. Different spellings return the
    /// same loader. Sends no requests.
    /// - Throws: `RegionStoreFailure` if there are no regions.
    public func packages(of catalog: String) throws(RegionStoreFailure) -> MapLoader {
        let regions = try session.regions(), identity = identity(ofCatalog: catalog)
        return session.mapLoaders.withLock { loaders in
            if let loader = loaders[identity] { return loader }
            let loader = MapLoader(
                catalog, regions: regions, opener: session.opener.web,
                features: Set(session.configuration.enabledFeatures.map(\.name)), key: session.packageKey,
                named: { [catalog = session.opener.catalog] in try? catalog.source(named: $0) })
            loaders[identity] = loader
            return loader
        }
    }

    /// Returns the loaders of all catalogues that are known without an open map.
    /// - Throws: `RegionStoreFailure` if there are no regions.
    public func allPackages() throws(RegionStoreFailure) -> [MapLoader] {
        var loaders: [MapLoader] = []
        for catalog in try catalogs() { loaders.append(try packages(of: catalog)) }
        return loaders
    }
}
