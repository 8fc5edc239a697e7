public import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// What of a catalogue is newer than what is installed.
public struct CatalogUpdateInfo: Sendable, Equatable {
    /// One installed package.
    public struct Package: Sendable, Equatable, Identifiable {
        /// Its id in the catalogue.
        public let id: String
        /// Nil where nothing of it is whole.
        public let from: PackageVersion?
        /// The newest edition that is offered; nil where there is none.
        public let to: PackageVersion?
        /// Something of it is missing.
        public let isPartial: Bool
        /// Data groups that were selected since.
        public let missingFeatures: Set<String>
        /// Data groups that were deselected since.
        public let surplusFeatures: Set<String>
        /// What of it may have to be fetched.
        public let bytes: Int

        /// Whether another edition is offered than the one that is installed.
        public var isNewer: Bool { from != to }
    }

    /// The catalogue's id.
    public let catalog: String
    /// Those that are not as they should be, in the catalogue's order.
    public let packages: [Package]

    /// Whether all that is installed is as the catalogue offers it.
    public var isUpToDate: Bool { packages.isEmpty }
    /// What may have to be fetched, in bytes.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
}

/// Packages brought to the editions that the catalogue offers now.
extension MapLoader {
    /// Asks what is newer than what is installed, with one request for the catalogue.
    /// - Throws: `MapLoaderFailure`
    public func checkForUpdate() async throws(MapLoaderFailure) -> CatalogUpdateInfo {
        try updates(try await catalog(isReload: true))
    }

    func updates(_ loaded: LoadedCatalog) throws(MapLoaderFailure) -> CatalogUpdateInfo {
        let installed = try installed(loaded)
        let packages = loaded.catalog.packages.compactMap { package in installed[package.id].flatMap { update(of: package, $0) } }
        return CatalogUpdateInfo(catalog: loaded.catalog.id, packages: packages)
    }

    private func update(of package: CatalogPackage, _ installed: InstalledPackage) -> CatalogUpdateInfo.Package? {
        let new = package.edition
        let from = installed.isWhole ? installed.edition : nil, isPartial = !installed.isWhole || !installed.record.coming.isEmpty
        let missing = features.subtracting(installed.features), surplus = installed.features.subtracting(features)
        guard isPartial || from != new?.version || !missing.isEmpty || !surplus.isEmpty else { return nil }
        return CatalogUpdateInfo.Package(
            id: package.id, from: from, to: new?.version, isPartial: isPartial, missingFeatures: missing,
            surplusFeatures: surplus, bytes: new?.bytes(with: features) ?? 0)
    }

    /// Begins to bring all installed packages up to date. What is installed of each is shown until all of
    /// the new edition is there. Where all is up to date it ends at once, with no package.
    /// - Throws: `MapLoaderBusy`
    public func update() throws(MapLoaderBusy) -> MapLoaderTask {
        try begin(.update) { (task) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(isReload: true), installed = try await self.installed(loaded)
            let wanted = Set(try await self.updates(loaded).packages.map(\.id))
            let packages = loaded.catalog.packages.filter { wanted.contains($0.id) }
            return try await self.go(through: packages, task) { (package) throws(MapLoaderFailure) in
                guard let old = installed[package.id] else { return }
                try await self.update(package, old, loaded, task)
            }
        }
    }

    private func update(
        _ package: CatalogPackage, _ old: InstalledPackage, _ loaded: LoadedCatalog, _ task: MapLoaderTask
    ) async throws(MapLoaderFailure) {
        var asking = opener
        asking.reloadsDocuments = true
        let source = try await source(of: package, asking), documents = try await documents(source, loaded)
        let kept = try definition(package, source, loaded, edition: old.edition)
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            if old.record.definition != kept { _ = try regions.add(kept, [source], documents: documents) }
            return try regions.start(
                regions.store.region(kept.id.text), [source], RegionPass(.refresh), documents: documents)
        }
        try MapLoader.check(await task.follow(work), package)
        let new = try definition(package, source, loaded, edition: package.edition?.version)
        try MapLoader.storing { () throws(RegionStoreFailure) in try regions.store.change(old.record.number, to: new) }
    }
}
