internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Installs and uninstalls packages.
extension MapLoader {
    /// Starts to install packages, including those they consist of. Skips installed packages, and fetches
    /// only the missing tiles of partial ones.
    /// - Parameters:
    ///   - heights: The source of the heights to include; nil for none. Heights that are already installed
    ///     stay.
    ///   - smallHeights: A source for `plan(_:smallHeights:)`; ignored if `heights` has a value.
    ///   - onHeights: Called with the estimated size of such heights in bytes.
    ///   - isPermitted: True if the user confirmed that the providers allow it. Needed only if their terms
    ///     leave this open.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func install(
        _ ids: [String], heights: String? = nil, smallHeights: String? = nil, isPermitted: Bool = false,
        onHeights: (@Sendable (Int) -> Void)? = nil
    ) throws(OfflineFailure) -> PackageJob {
        try begin(.install) { (job) throws(MapLoaderFailure) in
            var plan =
                heights == nil
                ? try await self.plan(ids, smallHeights: smallHeights, measures: false)
                : try await self.plan(ids, heights: heights, measures: false)
            plan.isPermitted = isPermitted
            if heights == nil, plan.heights != nil { onHeights?(plan.heightBytes) }
            return try await self.install(plan, job)
        }
    }

    func install(_ plan: PackagePlan, _ job: PackageJob) async throws(MapLoaderFailure) -> [String] {
        if !plan.isPermitted, let unsaid = plan.unsaidTerms.first {
            throw MapLoaderFailure(.notPermitted, unsaid, .sayPermitted)
        }
        try requireRoom(for: plan)
        // Another process may have installed some packages since the plan was made.
        let loaded = plan.loaded, installed = try installed(loaded)
        let wanted = plan.packages.map(\.package).filter { installed[$0.id]?.lacks(plan.heights) ?? true }
        let new = wanted.filter { installed[$0.id] == nil }
        for package in wanted { _ = try specified(of: package) }
        try queue(new, loaded, heights: plan.heights)
        do throws(MapLoaderFailure) {
            return try await go(through: wanted, job) { (package) throws(MapLoaderFailure) in
                do throws(MapLoaderFailure) {
                    try await self.install(
                        package, loaded, job, heights: plan.heights, isPermitted: plan.isPermitted)
                } catch {
                    if error.isRefusal { try? await self.forgetQueued([package], loaded) }
                    throw error
                }
            }
        } catch {
            // After other failures, and when it is cancelled, the packages stay queued for `resume`.
            if error.isRefusal { try? forgetQueued(new, loaded) }
            throw error
        }
    }

    /// Adds the packages to the store as queued, so that a crash doesn't lose them.
    private func queue(
        _ packages: [CatalogPackage], _ loaded: LoadedCatalog, heights: String?
    ) throws(MapLoaderFailure) {
        for package in packages {
            let id = try InstalledPackage.regionID(package.id, of: loaded.catalog)
            guard let geometry = try? package.area?.geometry() ?? .box(.world),
                let zooms = try? package.zooms ?? ZoomRange(0, 0),
                let queued = try? RegionDefinition(
                    id: id, name: package.englishTitle,
                    metadata: InstalledPackage.metadata(nil, of: loaded, heights: heights),
                    geometry: geometry, zooms: zooms, sources: [package.id], features: features.sorted())
            else { continue }
            _ = try MapLoader.storing { () throws(RegionStoreFailure) in
                try regions.store.put(queued, parts: [], packs: [], at: .now)
            }
        }
    }

    private func forgetQueued(_ packages: [CatalogPackage], _ loaded: LoadedCatalog) throws(MapLoaderFailure)
    {
        let installed = try installed(loaded)
        for package in packages {
            guard let queued = installed[package.id], queued.isQueued else { continue }
            _ = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.remove(queued.record) }
        }
    }

    /// Starts to remove packages, including those they consist of, and the tiles that no other region uses.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func uninstall(_ ids: [String]) throws(OfflineFailure) -> PackageJob {
        try begin(.uninstall) { (job) throws(MapLoaderFailure) in
            let packages = try await self.installed(having: ids)
            return try await self.go(through: packages, job) { (package) throws(MapLoaderFailure) in
                _ = try MapLoader.storing { () throws(RegionStoreFailure) in
                    try self.regions.remove(package.record)
                }
            }
        }
    }

    /// Returns the installed packages that the given ones consist of. Groups need the catalogue.
    private func installed(having ids: [String]) async throws(MapLoaderFailure) -> [InstalledPackage] {
        let installed = try await installed()
        var contents: [String] = []
        for id in ids {
            let loaded: LoadedCatalog
            do throws(MapLoaderFailure) { loaded = try await catalog() } catch {
                guard installed[id] != nil else { throw error }
                contents.append(id)
                continue
            }
            let isWithdrawn = loaded.tree[id] == nil && installed[id] != nil
            contents += isWithdrawn ? [id] : try loaded.contents(of: [id]).map(\.id)
        }
        guard !ids.isEmpty else { throw MapLoaderFailure(.invalidParameters, "no package given") }
        var seen: Set<String> = []
        return contents.filter { seen.insert($0).inserted }.compactMap { installed[$0] }
    }

    /// - Parameters:
    ///   - heights: The source of the heights to include; nil for those that the package has.
    ///   - isPermitted: True if the user confirmed that the provider allows the download.
    func install(
        _ package: CatalogPackage, _ loaded: LoadedCatalog, _ job: PackageJob, heights: String? = nil,
        isPermitted: Bool = true
    ) async throws(MapLoaderFailure) {
        let there = try installed(loaded)[package.id]
        let offered = try await offered(package, loaded, opener, job),
            heights = try await self.heights(
                there?.heights ?? heights, of: package, offered.source, loaded, opener)
        let documents = try await documents(offered, heights, loaded)
        let source = offered.source
        try await requireRoom(for: package, source, loaded)
        let definition = try definition(
            package, source, loaded, edition: package.edition?.version, heights: heights)
        let isNew = there?.isQueued != false, sources = [source, heights].compactMap(\.self)
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            let record = try regions.add(definition, sources, documents: documents, isPermitted: isPermitted)
            return try regions.start(record, sources, SyncMode(.retry))
        }
        let record = try await job.follow(work)
        do throws(MapLoaderFailure) { try MapLoader.check(record, package) } catch {
            if isNew, error.reason == .untrusted {
                _ = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.remove(record) }
            }
            throw error
        }
    }

    static func storing<Value>(
        _ body: () throws(RegionStoreFailure) -> Value
    ) throws(MapLoaderFailure) -> Value {
        do throws(RegionStoreFailure) { return try body() } catch { throw MapLoaderFailure(error) }
    }

    /// Throws the failure that corresponds to the final state of a package's download; returns if it is
    /// complete.
    static func check(_ record: RegionRecord, _ package: CatalogPackage) throws(MapLoaderFailure) {
        switch record.state {
        case .complete: return
        case .cancelled, .queued: throw .cancelled
        case .completeWithGaps:
            throw MapLoaderFailure(
                .incomplete,
                "\(package.id): \(AmountText.count(record.failed, "tile")) failed; install it again to retry")
        // A metered connection; others are waited for.
        case .waitingForNetwork:
            throw MapLoaderFailure(.incomplete, "\(package.id): \(record.explanation)", .resumePackages)
        case _ where record.reason.hasSuffix(RemoteArchiveSupply.mismatch):
            throw CatalogSignature.untrusted("\(package.id): \(record.reason); ask its publisher")
        default: throw MapLoaderFailure(.connectionFailed, "\(package.id): \(record.explanation)")
        }
    }
}

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
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func update(_ options: UpdateOptions = UpdateOptions()) throws(OfflineFailure) -> PackageJob {
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
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func normalise() throws(OfflineFailure) -> PackageJob {
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
        try noteSignature(of: loaded)
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
            if error.isRefusal, commit == .eachPackage { try? forgetUnstarted(packages, loaded) }
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
        let offered = try await offered(package, loaded, asking, job),
            heights = try await self.heights(old.heights, of: package, offered.source, loaded, asking)
        let documents = try await documents(offered, heights, loaded)
        let changed = try MapLoader.storing { () throws(RegionStoreFailure) in
            try offered.since(old.record, regions.store)
        }
        try await requireRoom(for: package, changed, over: old.record)
        let source = changed.source, sources = [source, heights].compactMap(\.self)
        var updated = try definition(package, source, loaded, edition: old.edition, heights: heights)
        var pass = SyncMode(.refresh)
        updated.metadata = old.record.definition?.metadata ?? updated.metadata
        pass.takesOver = commit == .eachPackage
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            if old.record.definition != updated {
                _ = try regions.add(updated, sources, documents: documents)
            }
            return try regions.start(
                regions.store.region(updated.id.text), sources, pass, documents: documents)
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
            members["key"] = loaded.signature.map { .string($0.key.text) }
            members[RegionRecord.pendingUpdate] = nil
        }
    }

    /// Changes the metadata of an installed package.
    func note(
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
