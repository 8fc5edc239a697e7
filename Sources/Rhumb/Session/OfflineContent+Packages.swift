internal import RhumbCore
public import RhumbEngine
public import RhumbStore
internal import Synchronization

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
                let source = try? RegionSource(layer.words, layer, client: session.client),
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
