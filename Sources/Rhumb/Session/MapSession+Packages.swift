internal import RhumbCore
internal import RhumbEngine
public import RhumbStore
internal import Synchronization

/// Packages of catalogues.
extension MapSession {
    /// The addresses and files of the catalogues: those of the options, and those that what is
    /// installed came from.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func catalogs() throws(RegionStoreFailure) -> [String] {
        let installed = try regions().store.regions().compactMap(\.packageCatalog)
        var seen: Set<String> = []
        return (packageCatalogs + installed).filter { seen.insert($0).inserted }
    }

    /// What installs the packages of a catalogue, by its address or file; always the same for the
    /// same one. Nothing is asked of a server before something is asked of it.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func mapLoader(of catalog: String) throws(RegionStoreFailure) -> MapLoader {
        let regions = try regions()
        return mapLoaders.withLock { loaders in
            if let loader = loaders[catalog] { return loader }
            let loader = MapLoader(
                catalog, regions: regions, opener: opener.web, features: Set(configuration.enabledFeatures.map(\.name)),
                named: { [catalog = opener.catalog] in try? catalog.source(named: $0) })
            loaders[catalog] = loader
            return loader
        }
    }

    /// One for each of the catalogues.
    /// - Throws: `RegionStoreFailure`, where there are no regions.
    public func allMapLoaders() throws(RegionStoreFailure) -> [MapLoader] {
        var loaders: [MapLoader] = []
        for catalog in try catalogs() { loaders.append(try mapLoader(of: catalog)) }
        return loaders
    }
}
