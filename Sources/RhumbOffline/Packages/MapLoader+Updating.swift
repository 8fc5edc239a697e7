internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// The options of an update.
public struct UpdateOptions: Sendable, Equatable {
    /// When new editions take the place of old ones.
    public enum Commit: String, Sendable, CaseIterable {
        /// Each when all of it is there: there is never more than one package on the disk twice.
        case eachPackage
        /// All together when all of all are there.
        case allAtEnd
    }

    /// When new editions take the place of old ones.
    public var commit = Commit.eachPackage
    /// True if the update starts only when all packages can get the same edition.
    public var requiresSameEdition = false

    /// Package after package, to whichever editions there are.
    public init() {}
}

/// Packages brought to the editions that the catalogue offers now.
extension MapLoader {
    /// Begins to bring all installed packages up to date. What is installed of each is shown until all of
    /// the new edition is there. Where all is up to date it ends at once, with no package.
    /// - Throws: `MapLoaderBusy`
    public func update(_ options: UpdateOptions = UpdateOptions()) throws(MapLoaderBusy) -> MapLoaderTask {
        try begin(.update) { (task) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(isReload: true)
            if options.requiresSameEdition { try await self.requireSameEdition(loaded) }
            let wanted = try await self.updates(loaded).packages.map(\.id)
            return try await self.update(Set(wanted), loaded, options.commit, task)
        }
    }

    /// Adds and removes data groups of the installed packages until they match the selection, in whatever
    /// edition they are. Ends at once, with no package, if they match already.
    /// - Throws: `MapLoaderBusy`
    public func normalise() throws(MapLoaderBusy) -> MapLoaderTask {
        try begin(.normalise) { (task) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(isReload: true)
            let wanted = try await self.updates(loaded).packages.filter {
                !$0.missingFeatures.isEmpty || !$0.surplusFeatures.isEmpty
            }
            return try await self.update(Set(wanted.map(\.id)), loaded, .eachPackage, task)
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

    /// Updates packages, except those that the catalogue no longer has.
    func update(
        _ ids: Set<String>, _ loaded: LoadedCatalog, _ commit: UpdateOptions.Commit, _ task: MapLoaderTask
    ) async throws(MapLoaderFailure) -> [String] {
        let packages = try noteUpdate(of: ids, loaded, commit), installed = try installed(loaded)
        do throws(MapLoaderFailure) {
            let done = try await go(through: packages, task) { (package) throws(MapLoaderFailure) in
                guard let old = installed[package.id] else { return }
                try await self.fetch(package, old, loaded, commit, task)
                if commit == .eachPackage { try await self.noteEdition(of: package, in: loaded) }
            }
            if commit == .allAtEnd { try takeOver(packages, loaded, task) }
            return done
        } catch {
            if task.isCancelled, !task.isLeft, commit == .eachPackage {
                try? forgetUnstarted(packages, loaded)
            }
            throw error
        }
    }

    /// Notes in the ledger which packages are to be updated, so that `resume` knows those that were not
    /// started.
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
        _ task: MapLoaderTask
    ) async throws(MapLoaderFailure) {
        let offered = try await offered(package, asking, task),
            documents = try await documents(offered, loaded)
        let source = try MapLoader.storing { () throws(RegionStoreFailure) in
            try offered.since(old.record, regions.store)
        }.source
        var kept = try definition(package, source, loaded, edition: old.edition), pass = RegionPass(.refresh)
        kept.metadata = old.record.definition?.metadata ?? kept.metadata
        pass.takesOver = commit == .eachPackage
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            if old.record.definition != kept { _ = try regions.add(kept, [source], documents: documents) }
            return try regions.start(regions.store.region(kept.id.text), [source], pass, documents: documents)
        }
        try MapLoader.check(await task.follow(work), package)
    }

    /// All at the end: nothing of it can be cancelled.
    private func takeOver(
        _ packages: [CatalogPackage], _ loaded: LoadedCatalog, _ task: MapLoaderTask
    ) throws(MapLoaderFailure) {
        guard task.commit() else { throw .cancelled }
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

    /// Changes the stored metadata of an installed package.
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
