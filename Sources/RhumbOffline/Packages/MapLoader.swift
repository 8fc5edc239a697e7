public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// Lists, installs, updates and removes the packages of a catalogue. An installed package is a region, so
/// that packages share their common tiles. Only one operation runs on a store at a time, across all
/// processes; reading is always possible.
public actor MapLoader {
    /// The catalogue's address, as the user named it.
    public nonisolated let address: String
    let regions: Regions
    let opener: WebSourceOpener
    let named: @Sendable (String) -> SourceDefinition?
    /// The key that must have signed the catalogue, or its fingerprint; nil for the key of installed
    /// packages.
    let key: String?
    /// The names of the selected data groups.
    private(set) var features: Set<String>
    var loaded: LoadedCatalog?
    private var job: PackageJob?
    /// The interval of checks for cancel requests of other processes.
    private static let attention = Duration.milliseconds(300)
    private let executor = SerialBlockingExecutor()

    /// The executor for work on the store, which may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - address: The catalogue's address.
    ///   - opener: Opens sources. Its loader's store also contains the documents of regions.
    ///   - features: The names of the selected data groups; the base map is always included.
    ///   - key: The minisign key that must have signed the catalogue, or its fingerprint. If nil, the first
    ///     key
    ///     that is found is used for all later catalogues, and unsigned catalogues are accepted until then.
    ///   - named: Returns the source with a name that a catalogue contains; nil if there is none.
    public init(
        _ address: String, regions: Regions, opener: WebSourceOpener, features: Set<String> = [],
        key: String? = nil,
        named: @escaping @Sendable (String) -> SourceDefinition? = { _ in nil }
    ) {
        self.address = address
        self.regions = regions
        self.opener = opener
        self.named = named
        self.key = key
        self.features = features.union([Feature.rendering.name])
    }

    // MARK: Reading

    /// Returns the root of the catalogue.
    /// - Throws: `MapLoaderFailure`
    public func rootPackage() async throws(MapLoaderFailure) -> MapPackage {
        let loaded = try await catalog()
        return try snapshot(loaded.tree.root, loaded)
    }

    /// Returns the package with an id.
    /// - Throws: `MapLoaderFailure.invalidParameters`, …
    public func package(_ id: String) async throws(MapLoaderFailure) -> MapPackage {
        let loaded = try await catalog()
        return try snapshot(loaded.package(id), loaded)
    }

    /// Returns the children of a package.
    /// - Throws: `MapLoaderFailure`
    public func children(of id: String) async throws(MapLoaderFailure) -> [MapPackage] {
        let loaded = try await catalog()
        return try snapshots(loaded.tree.children(of: loaded.package(id)), loaded)
    }

    /// Returns the smallest package that contains a location, at most as large as a country.
    /// - Throws: `MapLoaderFailure.searchFailed`, with the nearest package, if none contains it.
    public func package(at place: Coordinate) async throws(MapLoaderFailure) -> MapPackage {
        let loaded = try await catalog()
        switch loaded.tree.at(place) {
        case .here(let package): return try snapshot(package, loaded)
        case .nearest(let package):
            throw MapLoaderFailure(
                .searchFailed,
                "no package covers this place; the nearest is \(package.id), \(package.englishTitle)")
        case nil: throw MapLoaderFailure(.searchFailed, "the catalogue has no areas for its packages")
        }
    }

    /// Returns the packages that match a query; see `PackageTree.search`.
    /// - Throws: `MapLoaderFailure`
    public func search(_ query: String) async throws(MapLoaderFailure) -> [MapPackage] {
        let loaded = try await catalog()
        return try snapshots(loaded.tree.search(query), loaded)
    }

    private func snapshot(
        _ package: CatalogPackage, _ loaded: LoadedCatalog
    ) throws(MapLoaderFailure) -> MapPackage {
        loaded.tree.snapshot(package, try installed(loaded), features)
    }

    func snapshots(
        _ packages: [CatalogPackage], _ loaded: LoadedCatalog
    ) throws(MapLoaderFailure) -> [MapPackage] {
        let installed = try installed(loaded)
        return packages.map { loaded.tree.snapshot($0, installed, features) }
    }

    // MARK: Data groups

    /// Selects a data group for later installations; `update` adds it to installed packages.
    public func select(_ feature: Feature) { features.insert(feature.name) }

    /// Deselects a data group; `update` then removes it from installed packages. The base map can't be
    /// deselected.
    public func deselect(_ feature: Feature) {
        if feature != .rendering { features.remove(feature.name) }
    }

    /// True if a data group is selected.
    public func isSelected(_ feature: Feature) -> Bool { features.contains(feature.name) }

    // MARK: Operations

    /// The running operation; nil if there is none.
    public var operation: PackageJob? { job }

    /// Starts an operation.
    /// - Throws: `OfflineFailure.busy` while another operation runs, even of another catalogue or process.
    func begin(
        _ operation: PackageOperation,
        _ work: @escaping @Sendable (PackageJob) async throws(MapLoaderFailure) -> [String]
    ) throws(OfflineFailure) -> PackageJob {
        let lock: PackageLock
        do throws(MapLoaderBusy) { lock = try self.lock(for: operation) } catch { throw .busy(error) }
        let job = PackageJob(PackageJobProgress(operation))
        self.job = job
        job.start(on: BlockingExecutor.shared) {
            let listening = Task { await MapLoader.listen(lock, job) }
            let result: MapLoaderResult
            do throws(MapLoaderFailure) { result = .success(try await work(job)) } catch {
                result = .failure(job.isCancelled ? .cancelled : OfflineFailure(error))
            }
            listening.cancel()
            await listening.value
            lock.release()
            await self.end(job)
            return (result.ending(stop: job.state.stop), result)
        }
        return job
    }

    private nonisolated func lock(for operation: PackageOperation) throws(MapLoaderBusy) -> PackageLock {
        try PackageLock.take(of: regions.store.path, for: operation)
    }

    /// Cancels an operation when another process requests it.
    private static func listen(_ lock: PackageLock, _ job: PackageJob) async {
        while (try? await Task.sleep(for: attention)) != nil {
            if lock.isAskedToCancel { job.cancel() }
        }
    }

    private func end(_ job: PackageJob) { if self.job === job { self.job = nil } }

    /// Checks that an operation could start now.
    /// - Throws: `MapLoaderBusy` while another operation runs, even of another catalogue or process.
    public nonisolated func requireIdle(for operation: PackageOperation) throws(MapLoaderBusy) {
        try lock(for: operation).release()
    }

    /// Returns the running operation on the packages of a store, in any process; nil if there is none.
    public nonisolated static func running(in store: RegionStore) -> MapLoaderBusy? {
        PackageLock.holder(of: store.path)
    }

    /// Asks the process that works on the packages of a store to cancel its operation.
    /// - Returns: The operation; nil if there is none.
    public nonisolated static func askToCancel(in store: RegionStore) -> MapLoaderBusy? {
        PackageLock.askToCancel(on: store.path)
    }

    // MARK: The catalogue

    /// Returns the catalogue, loading it on first use.
    /// - Parameter isReload: If true, loads the catalogue again, and revalidates it even if it is fresh.
    func catalog(isReload: Bool = false) async throws(MapLoaderFailure) -> LoadedCatalog {
        if let loaded, !isReload { return loaded }
        let found = try await load(isReload: isReload)
        loaded = found
        return found
    }

    /// True if a region is a package of this catalogue, or of any catalogue while this one is not loaded.
    func isOwn(_ record: RegionRecord) -> Bool {
        record.package.map { package in loaded.map { $0.catalog.id == package.catalog } ?? true } ?? false
    }

    /// Returns the installed packages of the catalogue by package id. The catalogue need not be available:
    /// packages can be removed and checked even if it is refused.
    func installed() async throws(MapLoaderFailure) -> [String: InstalledPackage] {
        if let loaded = try? await catalog() { return try installed(loaded) }
        let address = storedAddress
        return try installed { record, _ in record.packageCatalog == address }
    }

    /// Returns the ids of the installed packages of the catalogue, even if it is not available.
    /// - Throws: `MapLoaderFailure`
    public func installedIDs() async throws(MapLoaderFailure) -> Set<String> {
        Set(try await installed().keys)
    }

    /// Returns the installed packages of the catalogue by package id.
    func installed(_ loaded: LoadedCatalog) throws(MapLoaderFailure) -> [String: InstalledPackage] {
        try installed { _, name in name.catalog == loaded.catalog.id }
    }

    private func installed(
        _ isOwn: (RegionRecord, PackageName) -> Bool
    ) throws(MapLoaderFailure) -> [String: InstalledPackage] {
        let records = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.store.regions() }
        var installed: [String: InstalledPackage] = [:]
        for record in records {
            guard let name = record.package, isOwn(record, name) else { continue }
            installed[name.package] = InstalledPackage(id: name.package, record: record)
        }
        return installed
    }
}

/// The state of the installed packages at the start of a program.
public enum PackageStoreState: String, Sendable, CaseIterable {
    case ok
    /// A download is unfinished or an update is not yet active; `MapLoader.resume` continues it.
    case pendingUpdate
    /// A download failed or ended with missing tiles. Data stored earlier is still shown.
    case brokenUpdate
    /// The store is damaged, or a package is unreadable or lacks documents.
    case corrupted
    /// The store was written by a newer version of the program.
    case migrationNeeded
    /// The store is unavailable.
    case storageClosed

    /// The remedies, mildest first. If one doesn't help, the next may.
    public enum Remedy: String, Sendable, CaseIterable { case repair, update, clear }

    /// The remedy to try first; nil if there is nothing to do, or the loader can't help.
    public var remedy: Remedy? {
        switch self {
        case .pendingUpdate, .brokenUpdate: .update
        case .corrupted: .repair
        case .ok, .migrationNeeded, .storageClosed: nil
        }
    }

    /// Creates the state for a store that can't be opened or read.
    public init(_ failure: RegionStoreFailure) {
        self =
            switch failure {
            case .damaged, .unreadable: .corrupted
            case .newerSchema: .migrationNeeded
            case .switchedOff, .noFolder, .noRegion, .quota, .busy, .lost, .refused, .store: .storageClosed
            }
    }
}

/// Detects interrupted and damaged installations, and repairs them on request.
extension MapLoader {
    /// Returns the state of the installed packages. Unlike `repair`, doesn't check tiles.
    public func state() -> PackageStoreState {
        do throws(RegionStoreFailure) {
            let records = try regions.store.regions().filter { isOwn($0) }
            for record in records {
                if try isDamaged(record) { return .corrupted }
            }
            if records.contains(where: \.isBroken) { return .brokenUpdate }
            return records.contains(where: \.isPending) ? .pendingUpdate : .ok
        } catch {
            return PackageStoreState(error)
        }
    }

    private func isDamaged(_ record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard record.definition != nil, record.parts.allSatisfy({ $0.definition != nil }) else { return true }
        return try !regions.store.missingDocuments(of: record.number).isEmpty
    }

    /// Resumes interrupted installations and updates.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func resume() throws(OfflineFailure) -> PackageJob {
        try begin(.resume) { (job) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(isReload: true), installed = try await self.installed(loaded)
            let left = installed.filter { $0.value.record.isPending || $0.value.record.isBroken }
            let updates = left.filter { $0.value.isWhole || $0.value.isTogether }
            let commit: UpdateOptions.Commit =
                updates.contains { $0.value.isTogether } ? .allAtEnd : .eachPackage
            let updated = try await self.update(Set(updates.keys), loaded, commit, job)
            let others = left.values.filter { updates[$0.id] == nil }
            return updated + (try await self.install(others, loaded, job))
        }
    }

    /// Checks every installed tile, and fetches those that are missing or damaged.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func repair() throws(OfflineFailure) -> PackageJob {
        try begin(.repair) { (job) throws(MapLoaderFailure) in
            var damaged: [InstalledPackage] = []
            for package in try await self.installed().values {
                if job.isCancelled { throw .cancelled }
                let isDamaged = try MapLoader.storing { () throws(RegionStoreFailure) in
                    try self.prepareRepair(of: package.record)
                }
                if isDamaged { damaged.append(package) }
            }
            return damaged.isEmpty ? [] : try await self.install(damaged, self.catalog(), job)
        }
    }

    /// Installs the missing parts of packages, in the catalogue's order.
    /// - Throws: `MapLoaderFailure`, also if the catalogue no longer has one of them
    private func install(
        _ packages: [InstalledPackage], _ loaded: LoadedCatalog, _ job: PackageJob
    ) async throws(MapLoaderFailure) -> [String] {
        let ids = Set(packages.map(\.id)), offered = loaded.catalog.packages.filter { ids.contains($0.id) }
        let done = try await go(through: offered, job) { (package) throws(MapLoaderFailure) in
            try await self.install(package, loaded, job)
        }
        let withdrawn = ids.subtracting(offered.map(\.id)).sorted()
        guard withdrawn.isEmpty else {
            throw MapLoaderFailure(
                .incomplete,
                "tiles of \(withdrawn.joined(separator: ", ")) are missing or damaged, and the catalogue no longer has \(withdrawn.count == 1 ? "this package" : "these packages")",
                .removePackages(withdrawn))
        }
        return done
    }

    private nonisolated func prepareRepair(of record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard record.definition != nil else { return true }
        let check = try regions.check(record)
        guard !check.isWhole else { return false }
        _ = try regions.prepareRepair(of: record, check)
        return true
    }

    /// Removes all packages, including unreadable ones, and the tiles that no other region uses.
    /// - Throws: `OfflineFailure.busy` while another operation runs.
    public func clear() throws(OfflineFailure) -> PackageJob {
        try begin(.clear) { (_) throws(MapLoaderFailure) in
            let records = try await self.ownRecords()
            return try MapLoader.storing { () throws(RegionStoreFailure) in
                for record in records { _ = try self.regions.remove(record) }
                return records.map(\.id)
            }
        }
    }

    private func ownRecords() throws(MapLoaderFailure) -> [RegionRecord] {
        try MapLoader.storing { () throws(RegionStoreFailure) in
            try regions.store.regions().filter { isOwn($0) }
        }
    }
}

extension RegionRecord {
    /// True if the package is not completely installed, or its update is unfinished.
    var isPending: Bool { isStarted || pendingUpdate != nil || parts.isEmpty }

    /// True if a download is unfinished.
    var isStarted: Bool { !coming.isEmpty || refresh != nil || active.contains { $0.settled < $0.planned } }

    /// True for a package whose pending update is activated together with those of others, false if it is
    /// activated by itself; nil if no update is pending.
    var pendingUpdate: Bool? { definition?.metadata["package"]?[RegionRecord.pendingUpdate]?.bool }

    /// The member of a package's metadata that marks a pending update.
    static let pendingUpdate = "together"

    /// True if the download failed or ended with missing tiles.
    var isBroken: Bool { state == .failed || active.contains { $0.failed > 0 } }
}
