public import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The installed packages for which a catalogue has something newer.
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
        /// The most bytes that an update fetches.
        public let bytes: Int

        /// True if the catalogue has a newer edition than the installed one.
        public var isNewer: Bool { to.map { to in from.map { $0 < to } ?? true } ?? false }
    }

    /// The catalogue's id.
    public let catalog: String
    /// Those that are not as they should be, in the catalogue's order.
    public let packages: [Package]

    /// True if all installed packages are up to date.
    public var isUpToDate: Bool { packages.isEmpty }
    /// The most bytes that all updates fetch.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
}

extension MapLoader {
    /// Compares the installed packages with the catalogue, which takes one request.
    /// - Throws: `MapLoaderFailure`
    public func checkForUpdate() async throws(MapLoaderFailure) -> CatalogUpdateInfo {
        try updates(try await catalog(isReload: true))
    }

    func updates(_ loaded: LoadedCatalog) throws(MapLoaderFailure) -> CatalogUpdateInfo {
        let installed = try installed(loaded)
        let packages = loaded.catalog.packages.compactMap { package in
            installed[package.id].flatMap { update(of: package, $0) }
        }
        return CatalogUpdateInfo(catalog: loaded.catalog.id, packages: packages)
    }

    private func update(
        of package: CatalogPackage, _ installed: InstalledPackage
    ) -> CatalogUpdateInfo.Package? {
        let new = package.edition
        let from = installed.isWhole ? installed.edition : nil,
            isPartial = !installed.isWhole || !installed.record.coming.isEmpty
        // Features that select no tiles change nothing of a package.
        let groups = Set(Feature.ofVectorTiles.map(\.name))
        let missing = features.subtracting(installed.features).intersection(groups)
        let surplus = installed.features.subtracting(features).intersection(groups)
        let update = CatalogUpdateInfo.Package(
            id: package.id, from: from, to: new?.version, isPartial: isPartial, missingFeatures: missing,
            surplusFeatures: surplus, bytes: new?.fetchedBytes(with: features) ?? 0)
        // A catalogue with an older edition than before has gone backwards: the installed one stays.
        return isPartial || update.isNewer || !missing.isEmpty || !surplus.isEmpty ? update : nil
    }
}
