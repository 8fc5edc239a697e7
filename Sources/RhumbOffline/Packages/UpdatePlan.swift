public import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The plan of an update of the installed packages that are out of date or incomplete.
public struct UpdatePlan: OfflinePlan {
    /// A package to update.
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
        /// An upper limit for the number of bytes to fetch; 0 if only data groups are removed.
        public fileprivate(set) var bytes: Int
        /// An upper limit for the number of bytes on the disk that the update needs beside the installed
        /// edition.
        public fileprivate(set) var storedBytes: Int
        /// The number of bytes that removed data groups free, according to the publisher.
        public let freed: Int
        /// The number of changed tiles to fetch; nil if all tiles are fetched, or if it was not measured.
        public fileprivate(set) var tiles: Int?
        /// The number of bytes that need not be fetched, because the tiles are already stored.
        public fileprivate(set) var saved = 0
        /// The reason why all tiles are fetched; empty if only changed ones are, or if it was not measured.
        /// Safe to print.
        public fileprivate(set) var reason = ""

        /// True if the catalogue offers a newer edition than the installed one, or no edition is completely
        /// installed.
        public var isNewer: Bool { to.map { to in from.map { $0 < to } ?? true } ?? false }

        /// True if the update only removes data groups, for which nothing is fetched.
        public var onlyRemoves: Bool { !isPartial && !isNewer && missingFeatures.isEmpty }
    }

    /// The packages to update, in the catalogue's order.
    public internal(set) var packages: [Package]
    /// The ids of the installed packages that the catalogue no longer has, sorted.
    public let withdrawn: [String]
    /// The options of the update.
    public var options = UpdateOptions()
    let loaded: LoadedCatalog
    let loader: MapLoader

    /// The catalogue's id.
    public var catalog: String { loaded.catalog.id }
    /// True if no package needs an update.
    public var isUpToDate: Bool { packages.isEmpty }
    /// An upper limit for the number of bytes to fetch.
    public var bytes: Int { packages.reduce(0) { $0 + $1.bytes } }
    /// An upper limit for the number of bytes on the disk that the update needs.
    public var storedBytes: Int { packages.reduce(0) { $0 + $1.storedBytes } }
    /// The number of bytes that need not be fetched.
    public var saved: Int { packages.reduce(0) { $0 + $1.saved } }

    /// Starts to update the packages. The installed edition stays in use until the new one is complete.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func start() async throws(OfflineFailure) -> PackageJob {
        try await loader.begin(.update) { (job) throws(MapLoaderFailure) in
            try await loader.update(self, job)
        }
    }
}

extension MapLoader {
    /// Plans an update, with one request for the catalogue.
    /// - Throws: `MapLoaderFailure`
    public func checkForUpdate() async throws(MapLoaderFailure) -> UpdatePlan {
        try updates(try await catalog(isReload: true))
    }

    /// Plans an update, and measures it with the hash lists and directories of the archives. Fetches them;
    /// the update itself then reuses them.
    /// - Throws: `MapLoaderFailure`
    public func planUpdate() async throws(MapLoaderFailure) -> UpdatePlan {
        var plan = try await checkForUpdate()
        let loaded = plan.loaded, installed = try installed(loaded)
        for (at, update) in plan.packages.enumerated() {
            guard let old = installed[update.id] else { continue }
            plan.packages[at] = try await measured(update, loaded.package(update.id), loaded, old.record)
        }
        return plan
    }

    func updates(_ loaded: LoadedCatalog) throws(MapLoaderFailure) -> UpdatePlan {
        let installed = try installed(loaded)
        let packages = loaded.catalog.packages.compactMap { package in
            installed[package.id].flatMap { update(of: package, $0) }
        }
        let withdrawn = installed.keys.filter { loaded.tree[$0] == nil }.sorted()
        return UpdatePlan(packages: packages, withdrawn: withdrawn, loaded: loaded, loader: self)
    }

    private func update(of package: CatalogPackage, _ installed: InstalledPackage) -> UpdatePlan.Package? {
        let new = package.edition
        let from = installed.isWhole ? installed.edition : nil,
            isPartial = !installed.isWhole || !installed.record.coming.isEmpty
        // Data groups that select no tiles don't change a package.
        var groups = Set(Feature.ofVectorTiles.map(\.name))
        if let sizes = new?.featureBytes, !sizes.isEmpty { groups.formIntersection(sizes.keys) }
        let missing = features.subtracting(installed.features).intersection(groups)
        var surplus = installed.features.subtracting(features).intersection(groups)
        // Installed heights stay, whether or not their feature is enabled.
        if installed.heights != nil { surplus.remove(Feature.terrain.name) }
        var update = UpdatePlan.Package(
            id: package.id, from: from, to: new?.version, isPartial: isPartial, missingFeatures: missing,
            surplusFeatures: surplus, bytes: new?.fetchedBytes(with: features) ?? 0,
            storedBytes: new?.bytes(with: features) ?? 0,
            freed: surplus.reduce(0) { $0 + (new?.featureBytes[$1] ?? 0) })
        if update.onlyRemoves { (update.bytes, update.storedBytes) = (0, 0) }
        // Keep the installed edition if the catalogue offers an older one.
        return isPartial || update.isNewer || !missing.isEmpty || !surplus.isEmpty ? update : nil
    }

    private func measured(
        _ update: UpdatePlan.Package, _ package: CatalogPackage, _ loaded: LoadedCatalog, _ old: RegionRecord
    ) async throws(MapLoaderFailure) -> UpdatePlan.Package {
        guard !update.onlyRemoves else { return update }
        var update = update
        func whole(_ reason: String) -> UpdatePlan.Package {
            update.reason = reason
            return update
        }
        let wholeFile = "its server sends whole files only", offered: PackageSource
        do throws(MapLoaderFailure) { offered = try await self.offered(package, loaded, asking) } catch {
            if error.obstacle == .wholeFilesOnly { return whole(wholeFile) }
            throw error
        }
        if (offered.source.layer.source as? RemoteArchive)?.needsCopy == true { return whole(wholeFile) }
        let source = try MapLoader.storing { () throws(RegionStoreFailure) in
            try offered.since(old, regions.store)
        }
        guard let archive = source.archive, let patch = archive.patch else { return whole(source.problem) }
        guard update.missingFeatures.isEmpty else { return whole("all tiles get new data groups") }
        let changed = patch.new.changed(since: patch.old)
        do throws(SupplyFailure) {
            let bytes = try await archive.bytes(of: changed)
            update.tiles = changed.count
            update.bytes = bytes
            update.storedBytes = archive.stored(bytes)
            update.saved = max(await archive.tileBytes - bytes, 0)
            return update
        } catch {
            throw MapLoaderFailure(.connectionFailed, "\(package.id): \(error.message)")
        }
    }

    /// A copy of the opener that accepts documents only if their servers return or confirm them now.
    var asking: WebSourceOpener {
        var asking = opener
        asking.reloadsDocuments = true
        asking.loader.requiresServer = true
        return asking
    }
}
