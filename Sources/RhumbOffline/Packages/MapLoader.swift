public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// Installs, updates, lists and removes the packages of a catalogue. An installed package is a region, so
/// tiles that several packages share are stored once. One operation runs on a store at a time, in any
/// process; reading is always possible.
public actor MapLoader {
    let address: String
    let regions: Regions
    let opener: WebSourceOpener
    let named: @Sendable (String) -> SourceDefinition?
    /// The data groups that are installed.
    private(set) var features: Set<String>
    private var loaded: LoadedCatalog?
    private var current: MapLoaderTask?
    /// The interval at which requests of other processes to cancel are polled.
    private static let attention = Duration.milliseconds(300)
    private let executor = SerialBlockingExecutor()

    /// The executor of the store's work, on which blocking is allowed.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - address: of the catalogue.
    ///   - opener: with a loader whose store has what regions hold behind it.
    ///   - features: the data groups that are installed; the base map always is.
    ///   - named: the sources that catalogues may name.
    public init(
        _ address: String, regions: Regions, opener: WebSourceOpener, features: Set<String> = [],
        named: @escaping @Sendable (String) -> SourceDefinition? = { _ in nil }
    ) {
        self.address = address
        self.regions = regions
        self.opener = opener
        self.named = named
        self.features = features.union([Feature.rendering.name])
    }

    // MARK: Looking

    /// Returns the package that contains all others.
    /// - Throws: `MapLoaderFailure`
    public func rootPackage() async throws(MapLoaderFailure) -> MapPackage {
        let loaded = try await catalog()
        return try snapshot(loaded.tree.root, loaded)
    }

    /// - Throws: `MapLoaderFailure.invalidParameters`, …
    public func package(_ id: String) async throws(MapLoaderFailure) -> MapPackage {
        let loaded = try await catalog()
        return try snapshot(loaded.package(id), loaded)
    }

    /// The packages that lie directly in one.
    /// - Throws: `MapLoaderFailure`
    public func children(of id: String) async throws(MapLoaderFailure) -> [MapPackage] {
        let loaded = try await catalog()
        return try snapshots(loaded.tree.children(of: loaded.package(id)), loaded)
    }

    /// The smallest package at a place, never more than a country.
    /// - Throws: `MapLoaderFailure.searchFailed` where none is, which names the nearest.
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

    /// Packages by name; see `PackageTree.search`.
    /// - Throws: `MapLoaderFailure`
    public func search(_ words: String) async throws(MapLoaderFailure) -> [MapPackage] {
        let loaded = try await catalog()
        return try snapshots(loaded.tree.search(words), loaded)
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

    /// Selects a data group for installation; `update` adds it to installed packages.
    public func select(_ feature: Feature) { features.insert(feature.name) }

    /// Deselects a data group; `update` removes it from installed packages. The base map stays.
    public func deselect(_ feature: Feature) {
        if feature != .rendering { features.remove(feature.name) }
    }

    /// Returns true if a data group is selected.
    public func isSelected(_ feature: Feature) -> Bool { features.contains(feature.name) }

    // MARK: Operations

    /// The running operation; nil if there is none.
    public var operation: MapLoaderTask? { current }

    /// Starts an operation.
    /// - Throws: `MapLoaderBusy` if another operation is running, also of another catalogue or process.
    func begin(
        _ operation: MapLoaderTask.Operation,
        _ work: @escaping @Sendable (MapLoaderTask) async throws(MapLoaderFailure) -> [String]
    ) throws(MapLoaderBusy) -> MapLoaderTask {
        let lock = try lock(for: operation), task = MapLoaderTask(operation)
        current = task
        task.follow(
            Task(executorPreference: BlockingExecutor.shared) {
                let listening = Task { await MapLoader.listen(lock, task) }
                let result: MapLoaderResult
                do throws(MapLoaderFailure) { result = .success(try await work(task)) } catch {
                    result = .failure(task.isCancelled ? .cancelled : error)
                }
                listening.cancel()
                await listening.value
                lock.release()
                await self.end(task)
                return result
            })
        return task
    }

    private nonisolated func lock(for operation: MapLoaderTask.Operation) throws(MapLoaderBusy) -> PackageLock
    {
        do throws(PackageLockHeld) {
            return try PackageLock.take(of: regions.store.path, for: operation.rawValue)
        } catch {
            throw MapLoaderBusy(error)
        }
    }

    /// Cancels an operation as soon as another process asks for it.
    private static func listen(_ lock: PackageLock, _ task: MapLoaderTask) async {
        while (try? await Task.sleep(for: attention)) != nil {
            if lock.isAskedToCancel { task.cancel() }
        }
    }

    private func end(_ task: MapLoaderTask) {
        current = nil
        task.end()
    }

    /// Checks that an operation can start now.
    /// - Throws: `MapLoaderBusy` if another operation is running, also of another catalogue or process.
    public nonisolated func requireIdle(for operation: MapLoaderTask.Operation) throws(MapLoaderBusy) {
        try lock(for: operation).release()
    }

    /// The running operation on the packages of a store, in any process; nil if there is none.
    public nonisolated static func running(in store: RegionStore) -> MapLoaderBusy? {
        PackageLock.holder(of: store.path).map(MapLoaderBusy.init)
    }

    /// Asks the process that works on the packages of a store to cancel its operation.
    /// - Returns: The operation; nil if there is none.
    public nonisolated static func askToCancel(in store: RegionStore) -> MapLoaderBusy? {
        PackageLock.askToCancel(on: store.path).map(MapLoaderBusy.init)
    }

    // MARK: The catalogue

    /// Returns the stored catalogue, or else loads it.
    /// - Parameter isReload: True to revalidate even a fresh document.
    func catalog(isReload: Bool = false) async throws(MapLoaderFailure) -> LoadedCatalog {
        if let loaded, !isReload { return loaded }
        let found = try await load(isReload: isReload)
        loaded = found
        return found
    }

    /// Returns true if a region is a package of the catalogue, or of any catalogue before this one is loaded.
    func isOwn(_ record: RegionRecord) -> Bool {
        record.package.map { package in loaded.map { $0.catalog.id == package.catalog } ?? true } ?? false
    }

    /// Returns the installed packages of the catalogue by their ids.
    func installed(_ loaded: LoadedCatalog) throws(MapLoaderFailure) -> [String: InstalledPackage] {
        let records = try MapLoader.storing { () throws(RegionStoreFailure) in try regions.store.regions() }
        var installed: [String: InstalledPackage] = [:]
        for record in records {
            guard let name = record.package, name.catalog == loaded.catalog.id else { continue }
            installed[name.package] = InstalledPackage(record: record)
        }
        return installed
    }
}
