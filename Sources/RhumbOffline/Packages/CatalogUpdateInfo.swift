public import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The installed packages of a catalogue that are out of date or incomplete.
public struct CatalogUpdateInfo: Sendable, Equatable {
    /// An installed package that needs an update.
    public struct Package: Sendable, Equatable, Identifiable {
        /// The package's id in the catalogue.
        public let id: String
        /// The installed edition; nil if the package is incomplete.
        public let from: PackageVersion?
        /// The newest edition in the catalogue; nil if it offers none.
        public let to: PackageVersion?
        /// True if tiles are missing or an update is unfinished.
        public let isPartial: Bool
        /// Selected data groups that are not installed.
        public let missingFeatures: Set<String>
        /// Installed data groups that are no longer selected.
        public let surplusFeatures: Set<String>
        /// An upper limit for the number of bytes to fetch.
        public let bytes: Int

        /// True if the catalogue offers a newer edition than the installed one, or no edition is completely
        /// installed.
        public var isNewer: Bool { to.map { to in from.map { $0 < to } ?? true } ?? false }
    }

    /// The catalogue's id.
    public let catalog: String
    /// The packages to update, in the catalogue's order.
    public let packages: [Package]

    /// True if no package needs an update.
    public var isUpToDate: Bool { packages.isEmpty }
    /// An upper limit for the number of bytes to fetch.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
}

extension MapLoader {
    /// Checks for updates, with one request for the catalogue.
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
        // Data groups that select no tiles don't change a package.
        let groups = Set(Feature.ofVectorTiles.map(\.name))
        let missing = features.subtracting(installed.features).intersection(groups)
        let surplus = installed.features.subtracting(features).intersection(groups)
        let update = CatalogUpdateInfo.Package(
            id: package.id, from: from, to: new?.version, isPartial: isPartial, missingFeatures: missing,
            surplusFeatures: surplus, bytes: new?.fetchedBytes(with: features) ?? 0)
        // Keep the installed edition if the catalogue offers an older one.
        return isPartial || update.isNewer || !missing.isEmpty || !surplus.isEmpty ? update : nil
    }
}
