internal import RhumbCore
public import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Packages of catalogues.
extension MapSession {
    /// The addresses and files of the catalogues: those of the options, and those that what is installed came
    /// from. Where the options name none, the countries of the open maps; where none are known, those of the
    /// person's own sources: as far as their policies allow downloads. If none does, those of the source that
    /// areas are downloaded from.
    /// - Parameter layers: the open maps.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func catalogs(beside layers: [TileLayer] = []) throws(RegionStoreFailure) -> [String] {
        let installed = try regions().store.regions().compactMap(\.packageCatalog)
        var known = packageCatalogs + installed
        if packageCatalogs.isEmpty { known += countries(of: layers) }
        if known.isEmpty {
            known = opener.catalog.ownSources.filter { $0.policy.offline == .allowed }.map {
                countries(of: $0.id)
            }
        }
        if known.isEmpty, let source = opener.catalog.downloadSource { known = [countries(of: source.id)] }
        var seen: Set<String> = []
        return known.filter { seen.insert(identity(ofCatalog: $0)).inserted }
    }

    /// What packages carry of a catalogue, whichever way its file or its address is written.
    func identity(ofCatalog words: String) -> String {
        if words.hasPrefix(PackageCatalog.countriesPrefix) { return words }
        guard !SourceDefinition.isAddress(words) else {
            return (try? opener.web.resource(document: words))?.address.canonical ?? words
        }
        return Files.real(URLReference(words).localPath ?? words)
    }

    private func countries(of layers: [TileLayer]) -> [String] {
        layers.compactMap { layer in
            guard layer.isNamedOnWeb, layer.openedBy == nil,
                let source = try? RegionSource(layer.words, layer, client: client),
                source.supply.policy.offline == .allowed
            else { return nil }
            return countries(of: source.words)
        }
    }

    private func countries(of source: String) -> String { PackageCatalog.countriesPrefix + source }

    /// What installs the packages of a catalogue, by its address or file; always the same for the
    /// same one, however that is written. Nothing is asked of a server before something is asked of it.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func mapLoader(of catalog: String) throws(RegionStoreFailure) -> MapLoader {
        let regions = try regions(), identity = identity(ofCatalog: catalog)
        return mapLoaders.withLock { loaders in
            if let loader = loaders[identity] { return loader }
            let loader = MapLoader(
                catalog, regions: regions, opener: opener.web,
                features: Set(configuration.enabledFeatures.map(\.name)),
                named: { [catalog = opener.catalog] in try? catalog.source(named: $0) })
            loaders[identity] = loader
            return loader
        }
    }

    /// One for each of the catalogues that are known without an open map.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func allMapLoaders() throws(RegionStoreFailure) -> [MapLoader] {
        var loaders: [MapLoader] = []
        for catalog in try catalogs() { loaders.append(try mapLoader(of: catalog)) }
        return loaders
    }
}
