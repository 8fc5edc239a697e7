internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Options of an update.
public struct UpdateOptions: Sendable, Equatable {
    /// The time at which new editions replace old ones.
    public enum Commit: String, Sendable, CaseIterable {
        /// Each edition, as soon as it is complete. At most one package is on the disk twice.
        case eachPackage
        /// All editions together, once all are complete.
        case allAtEnd
    }

    /// The time at which new editions replace old ones.
    public var commit = Commit.eachPackage
    /// If true, the update fails before it starts unless the catalogue offers the same edition of all
    /// installed packages.
    public var requiresSameEdition = false

    /// Creates the default options: each package is activated by itself, and editions may differ.
    public init() {}
}

/// Updates packages to the editions in the catalogue.
extension MapLoader {
    /// Starts to update all installed packages. The installed edition stays in use until the new one is
    /// complete. Ends immediately, without packages, if all are up to date.
    /// - Throws: `MapLoaderBusy`
    public func update(_ options: UpdateOptions = UpdateOptions()) throws(MapLoaderBusy) -> PackageJob {
        try begin(.update) { (job) throws(MapLoaderFailure) in
            var plan = try await self.checkForUpdate()
            plan.options = options
            return try await self.update(plan, job)
        }
    }

    func update(_ plan: UpdatePlan, _ job: PackageJob) async throws(MapLoaderFailure) -> [String] {
        if plan.options.requiresSameEdition { try requireSameEdition(plan.loaded) }
        return try await update(Set(plan.packages.map(\.id)), plan.loaded, plan.options.commit, job)
    }

    /// Starts to update the packages whose data groups differ from the selection. Ends immediately, without
    /// packages, if none does.
    /// - Throws: `MapLoaderBusy`
    public func normalise() throws(MapLoaderBusy) -> PackageJob {
        try begin(.normalise) { (job) throws(MapLoaderFailure) in
            var plan = try await self.checkForUpdate()
            plan.packages.removeAll { $0.missingFeatures.isEmpty && $0.surplusFeatures.isEmpty }
            return try await self.update(plan, job)
        }
    }

    private func requireSameEdition(_ loaded: LoadedCatalog) throws(MapLoaderFailure) {
        let installed = try installed(loaded),
            packages = loaded.catalog.packages.filter { installed[$0.id] != nil }
        let editions = Dictionary(grouping: packages) { $0.edition.map { "\($0.version)" } ?? "none" }
        guard editions.count > 1 else { return }
        let list = editions.sorted { $0.key < $1.key }.map {
            "\($0.key) of \($0.value.map(\.id).joined(separator: ", "))"
        }
        throw MapLoaderFailure(
            .invalidParameters,
            "the catalogue offers different editions: \(list.joined(separator: "; ")). Wait until all packages have the same edition, "
                + "or allow different ones.")
    }

    /// Updates packages, skipping those that the catalogue no longer contains.
    func update(
        _ ids: Set<String>, _ loaded: LoadedCatalog, _ commit: UpdateOptions.Commit, _ job: PackageJob
    ) async throws(MapLoaderFailure) -> [String] {
        let packages = try noteUpdate(of: ids, loaded, commit), installed = try installed(loaded)
        do throws(MapLoaderFailure) {
            let done = try await go(through: packages, job) { (package) throws(MapLoaderFailure) in
                guard let old = installed[package.id] else { return }
                try await self.fetch(package, old, loaded, commit, job)
                if commit == .eachPackage { try await self.noteEdition(of: package, in: loaded) }
            }
            if commit == .allAtEnd { try takeOver(packages, loaded, job) }
            return done
        } catch {
            if job.isCancelled, job.state.stop != .interrupted, commit == .eachPackage {
                try? forgetUnstarted(packages, loaded)
            }
            throw error
        }
    }

    /// Marks the packages to update in the store, so that `resume` finds those that were not started.
    private func noteUpdate(
        of ids: Set<String>, _ loaded: LoadedCatalog, _ commit: UpdateOptions.Commit
    ) throws(MapLoaderFailure) -> [CatalogPackage] {
        let installed = try installed(loaded)
        let packages = loaded.catalog.packages.filter { ids.contains($0.id) && installed[$0.id] != nil }
        for package in packages where installed[package.id]?.record.definition != nil {
            try note(package, in: loaded) { members in
                members["address"] = .string(loaded.address)
                members[RegionRecord.pendingUpdate] = .bool(commit == .allAtEnd)
            }
        }
        return packages
    }

    private func forgetUnstarted(
        _ packages: [CatalogPackage], _ loaded: LoadedCatalog
    ) throws(MapLoaderFailure) {
        let installed = try installed(loaded)
        for package in packages where installed[package.id]?.record.isStarted == false {
            try note(package, in: loaded) { $0[RegionRecord.pendingUpdate] = nil }
        }
    }

    private func fetch(
        _ package: CatalogPackage, _ old: InstalledPackage, _ loaded: LoadedCatalog,
        _ commit: UpdateOptions.Commit,
        _ job: PackageJob
    ) async throws(MapLoaderFailure) {
        let offered = try await offered(package, asking, job),
            documents = try await documents(offered, loaded)
        let source = try MapLoader.storing { () throws(RegionStoreFailure) in
            try offered.since(old.record, regions.store)
        }.source
        var kept = try definition(package, source, loaded, edition: old.edition), pass = SyncMode(.refresh)
        kept.metadata = old.record.definition?.metadata ?? kept.metadata
        pass.takesOver = commit == .eachPackage
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            if old.record.definition != kept { _ = try regions.add(kept, [source], documents: documents) }
            return try regions.start(regions.store.region(kept.id.text), [source], pass, documents: documents)
        }
        try MapLoader.check(await job.follow(work), package)
    }

    /// Activates all new editions. Can't be cancelled.
    private func takeOver(
        _ packages: [CatalogPackage], _ loaded: LoadedCatalog, _ job: PackageJob
    ) throws(MapLoaderFailure) {
        guard job.apply(.commit) else { throw .cancelled }
        for package in packages {
            let id = try InstalledPackage.regionID(package.id, of: loaded.catalog)
            try MapLoader.storing { () throws(RegionStoreFailure) in
                try regions.takeOver(regions.store.region(id.text))
            }
            try noteEdition(of: package, in: loaded)
        }
    }

    private func noteEdition(of package: CatalogPackage, in loaded: LoadedCatalog) throws(MapLoaderFailure) {
        try note(package, in: loaded) { members in
            members["edition"] = package.edition.map { .string("\($0.version)") } ?? .null
            members[RegionRecord.pendingUpdate] = nil
        }
    }

    /// Changes the metadata of an installed package.
    private func note(
        _ package: CatalogPackage, in loaded: LoadedCatalog, _ change: (inout JSONObject) -> Void
    ) throws(MapLoaderFailure) {
        let id = try InstalledPackage.regionID(package.id, of: loaded.catalog)
        try MapLoader.storing { () throws(RegionStoreFailure) in
            let record = try regions.store.region(id.text)
            var definition = try record.readDefinition(), members = definition.metadata.object ?? JSONObject()
            var package = members["package"]?.object ?? JSONObject()
            change(&package)
            members["package"] = .object(package)
            definition.metadata = .object(members)
            if definition != record.definition { try regions.store.change(record.number, to: definition) }
        }
    }
}
