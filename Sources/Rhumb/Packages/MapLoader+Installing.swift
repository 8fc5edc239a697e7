internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Packages installed and uninstalled.
extension MapLoader {
    /// Begins to install packages, whatever they consist of. What is installed is left as it is, of what
    /// is there in part the rest is fetched.
    /// - Parameter isPermitted: the person says that the providers allow it, where their terms leave it open.
    /// - Throws: `MapLoaderBusy`
    public func install(_ ids: [String], isPermitted: Bool = false) throws(MapLoaderBusy) -> MapLoaderTask {
        try begin(.install) { (task) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(), installed = try await self.installed(loaded)
            let wanted = try loaded.contents(of: ids).filter { installed[$0.id]?.isWhole != true }
            let new = wanted.filter { installed[$0.id] == nil }
            if !isPermitted, let unsaid = try self.unsaidTerms(of: new).first {
                throw MapLoaderFailure(.invalidParameters, unsaid, .sayPermitted)
            }
            try self.checkStorage(wanted, await self.features)
            try await self.queue(new, loaded)
            do throws(MapLoaderFailure) {
                return try await self.go(through: wanted, task) { (package) throws(MapLoaderFailure) in
                    try await self.install(package, loaded, task)
                }
            } catch {
                if !task.isLeft { try? await self.forgetQueued(new, loaded) }
                throw error
            }
        }
    }

    /// Notes what is to be installed, so that it is known should the process die.
    private func queue(_ packages: [CatalogPackage], _ loaded: LoadedCatalog) throws(MapLoaderFailure) {
        for package in packages {
            let id = try InstalledPackage.regionID(package.id, of: loaded.catalog)
            guard let geometry = try? package.area?.geometry() ?? .box(.world), let zooms = try? package.zooms ?? ZoomRange(0, 0),
                let queued = try? RegionDefinition(
                    id: id, name: package.englishTitle, metadata: InstalledPackage.metadata(nil, of: loaded),
                    geometry: geometry, zooms: zooms, sources: [package.id], features: features.sorted())
            else { continue }
            _ = try MapLoader.storing { () throws(RegionStoreFailure) in
                try regions.store.put(queued, parts: [], packs: [], at: .now)
            }
        }
    }

    private func forgetQueued(_ packages: [CatalogPackage], _ loaded: LoadedCatalog) throws(MapLoaderFailure) {
        let installed = try installed(loaded)
        for package in packages {
            guard let queued = installed[package.id], queued.isQueued else { continue }
            _ = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.remove(queued.record) }
        }
    }

    /// Begins to remove packages, whatever they consist of, and the tiles that no other package or region
    /// holds.
    /// - Throws: `MapLoaderBusy`
    public func uninstall(_ ids: [String]) throws(MapLoaderBusy) -> MapLoaderTask {
        try begin(.uninstall) { (task) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(), installed = try await self.installed(loaded)
            let contents = try loaded.contents(of: ids).filter { installed[$0.id] != nil }
            return try await self.go(through: contents, task) { (package) throws(MapLoaderFailure) in
                guard let record = installed[package.id]?.record else { return }
                _ = try MapLoader.storing { () throws(RegionStoreFailure) in try self.regions.remove(record) }
            }
        }
    }

    /// Works on packages one after the other. One that lacks tiles keeps those after it from nothing.
    nonisolated func go(
        through packages: [CatalogPackage], _ task: MapLoaderTask,
        _ body: @Sendable (CatalogPackage) async throws(MapLoaderFailure) -> Void
    ) async throws(MapLoaderFailure) -> [String] {
        var gaps: [String] = []
        for (done, package) in packages.enumerated() {
            if task.isCancelled { throw .cancelled }
            task.change { progress in
                progress = MapLoaderTask.Progress()
                (progress.package, progress.packages) = (package.id, (done, packages.count))
            }
            do throws(MapLoaderFailure) { try await body(package) } catch {
                guard error.reason == .incomplete else { throw error }
                gaps.append(error.message)
            }
        }
        task.change { $0.packages = (packages.count, packages.count) }
        guard gaps.isEmpty else { throw MapLoaderFailure(.incomplete, gaps.joined(separator: "; ")) }
        return packages.map(\.id)
    }

    private nonisolated func checkStorage(_ packages: [CatalogPackage], _ features: Set<String>) throws(MapLoaderFailure) {
        let needed = packages.reduce(0) { $0 + ($1.edition?.bytes(with: features) ?? 0) }
        let free = regions.store.quota.map { max($0 - regions.store.bytesOnDisk, 0) } ?? regions.freeDisk
        guard let free, needed > free else { return }
        throw MapLoaderFailure(
            .insufficientStorage,
            "the packages need up to \(AmountText.bytes(needed)), but only \(AmountText.bytes(free)) are free; free some space, or install fewer")
    }

    func install(
        _ package: CatalogPackage, _ loaded: LoadedCatalog, _ task: MapLoaderTask
    ) async throws(MapLoaderFailure) {
        let offered = try await offered(package, opener), documents = try await documents(offered, loaded)
        let source = offered.source
        let definition = try definition(package, source, loaded, edition: package.edition?.version)
        let work = try MapLoader.storing { () throws(RegionStoreFailure) in
            try regions.start(regions.add(definition, [source], documents: documents), [source], RegionPass(.retry))
        }
        try MapLoader.check(await task.follow(work), package)
    }

    static func storing<Value>(
        _ body: () throws(RegionStoreFailure) -> Value
    ) throws(MapLoaderFailure) -> Value {
        do throws(RegionStoreFailure) { return try body() } catch { throw MapLoaderFailure(error) }
    }

    /// What the end of the work on a package means.
    static func check(_ record: RegionRecord, _ package: CatalogPackage) throws(MapLoaderFailure) {
        switch record.state {
        case .complete: return
        case .cancelled: throw .cancelled
        case .completeWithGaps:
            throw MapLoaderFailure(
                .incomplete, "\(package.id): \(AmountText.count(record.failed)) tiles failed; install it again to retry")
        default: throw MapLoaderFailure(.connectionFailed, "\(package.id): \(record.explanation)")
        }
    }
}
