public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore

/// The packages of a catalogue: looked at, installed, brought up to date and uninstalled. A package
/// that is installed is a region, so that tiles which several of them hold are stored once. One
/// operation on a store is under way at a time, in whatever process; looking is always possible.
public actor MapLoader {
    let address: String
    let regions: Regions
    let opener: WebSourceOpener
    let named: @Sendable (String) -> SourceDefinition?
    /// The data groups that are installed.
    private(set) var features: Set<String>
    private var loaded: LoadedCatalog?
    private var current: MapLoaderTask?
    /// How often somebody else's wish to cancel is looked for.
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

    /// The package that all others lie in.
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

    /// Installs a data group from now on; `update` adds it to what is installed.
    public func select(_ feature: Feature) { features.insert(feature.name) }

    /// Installs a data group no more; `update` takes it from what is installed. The base map stays.
    public func deselect(_ feature: Feature) {
        if feature != .rendering { features.remove(feature.name) }
    }

    /// Whether a data group is installed.
    public func isSelected(_ feature: Feature) -> Bool { features.contains(feature.name) }

    // MARK: Operations

    /// The operation that is under way.
    public var operation: MapLoaderTask? { current }

    /// Begins an operation.
    /// - Throws: `MapLoaderBusy` while another is under way, of another catalogue or process also.
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

    /// Whether an operation could begin now.
    /// - Throws: `MapLoaderBusy` while another is under way, of another catalogue or process also.
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

    /// The catalogue as it is kept, else as it comes now.
    /// - Parameter isReload: asks its server even about what is fresh.
    func catalog(isReload: Bool = false) async throws(MapLoaderFailure) -> LoadedCatalog {
        if let loaded, !isReload { return loaded }
        let found = try await load(isReload: isReload)
        loaded = found
        return found
    }

    /// Whether a region is a package of the catalogue. Before that was read: of any.
    func isOwn(_ record: RegionRecord) -> Bool {
        record.package.map { package in loaded.map { $0.catalog.id == package.catalog } ?? true } ?? false
    }

    /// What is installed of the catalogue, by package.
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
