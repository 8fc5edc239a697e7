internal import Dispatch
public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOffline
internal import RhumbOpening
public import RhumbStore
internal import Synchronization

/// Everything that a program needs to show maps: the HTTP client, the shared cache, the offline regions, the
/// tile engine, and the opener of maps. A session lasts from `open` to `close`.
public final class MapSession: OfflineServices, Sendable {
    /// Sends requests.
    public let client: HTTPClient
    private let stores: SessionStores
    private let packRenewal: PackRenewal
    /// Fetches tiles from the cache, the regions or servers.
    public let fetcher: CachedTileFetcher
    /// Loads documents and parts of archives through the cache and the regions.
    public let loader: DocumentLoader
    /// Loads and decodes the tiles of the view.
    public let engine: TileEngine
    /// The traffic drawn over the engine's tiles.
    public let traffic: TrafficTiles
    /// Opens maps.
    public let opener: MapOpener
    /// Finds places, features of stored maps, and results of online services.
    public let search: SessionSearch
    /// Finds routes, reachable areas and heights with routing engines. Nothing is requested automatically.
    public let routes: RouteFinder
    /// The roads of stored maps.
    package let roads: StoredRoads
    /// Finds features of stored maps, and places.
    public var offlineSearch: OfflineSearchEngine { search.offline }
    /// The events of the session, for a single listener. It includes events from before the first read. The
    /// stream ends when the session is closed.
    public let news: AsyncStream<SessionEvent>
    private let reports: AsyncStream<SessionEvent>.Continuation
    /// The catalogues in the options.
    let packageCatalogs: [String]
    let packageKey: String?
    /// The package loaders by catalogue, created on demand.
    let mapLoaders = Mutex<[String: MapLoader]>([:])
    /// The queue of `offline`; nil before its first use and after the session is closed.
    let queue = Mutex<RegionQueue?>(nil)

    /// Opens a session. The stores are opened in the background, unless `opensStoresLater` is true; failures
    /// to open them are reported as events.
    public static func open(_ options: Options) async -> MapSession {
        await withTaskExecutorPreference(BlockingExecutor.shared) { MapSession(options) }
    }

    /// Opens the stores in the background, if they are not open yet.
    public func openStores() { stores.open() }

    private init(_ options: Options) {
        let (news, reports) = AsyncStream.makeStream(of: SessionEvent.self)
        let (networks, changes) = AsyncStream.makeStream(of: NetworkState.self)
        var clientOptions = options.client
        clientOptions.providers = options.catalog.providers
        clientOptions.onNetworkChange = { changes.yield($0) }
        clientOptions.onServerProblem = { reports.yield(.trouble($0)) }
        let client = HTTPClient(clientOptions)
        client.isOffline = options.isOffline
        client.isMetered = options.isMetered
        let stores = SessionStores(options) { reports.yield(.trouble($0)) }
        if !options.opensStoresLater { stores.open() }
        let fetcher = CachedTileFetcher(
            client, stores: { (stores.cache, stores.regionStore) }, renewsRegions: options.renewsRegions,
            configuration: options.configuration)
        let packs = PackRenewal(fetcher) { stores.regionStore }
        if options.renewsRegions { fetcher.afterRenewal { [weak packs] in packs?.begin(after: $0) } }
        packRenewal = packs
        let engine = TileEngine(
            decoder: SniffingDecoder(), fetcher: fetcher, board: options.board, prefetch: options.prefetch)
        self.client = client
        self.stores = stores
        self.fetcher = fetcher
        self.engine = engine
        self.news = news
        self.reports = reports
        packageCatalogs = options.packageCatalogs
        packageKey = options.packageKey
        loader = MapSession.loader(client, stores)
        traffic = TrafficTiles(
            engine: engine, sources: options.catalog.traffic, decoder: SniffingDecoder(),
            fetcher: HTTPTrafficFetcher(client), drawer: TrafficDrawings(),
            onChange: { reports.yield(.traffic) })
        traffic.setOnline(!options.isOffline)
        traffic.setPassThrough(options.configuration.passThroughFeatures)
        let places = LazyPlaceSearch({ fetcher.configuration }, open: options.places)
        let offlineSearch = OfflineSearchEngine(places, stores: { (stores.regionStore, stores.cache?.path) })
        { fetcher.configuration }
        let online = OnlineSearchEngine(
            client, options.catalog, configuration: { fetcher.configuration },
            hasAgreed: options.hasAcceptedTerms)
        search = SessionSearch(offline: offlineSearch, online: online, placeSearch: places)
        // The sources of the shared cache are only known by their names.
        let roads = StoredRoads(attribution: { [catalog = options.catalog] key in
            offlineSearch.attribution(of: key)
                ?? (try? catalog.sources())?.first { key.hasPrefix("\($0.id) ") }?.attribution
        }) { offlineSearch.roadStores }
        self.roads = roads
        routes = RouteFinder(
            client, options.catalog, roads: roads, configuration: { fetcher.configuration },
            hasAgreed: options.hasAcceptedTerms)
        var opener = MapOpener(loader, options.catalog)
        opener.styleFolder = options.styleFolder
        opener.stylePacks = { (try? stores.regionStore?.stylePacks()) ?? [] }
        opener.styles = VectorStyles(
            options.style.map(opener.location(ofStyle:)), prefersStored: !options.asksFirst)
        opener.asksFirst = options.asksFirst
        opener.onArchive = { [weak offlineSearch] in offlineSearch?.add($0, path: $1) }
        opener.web.passesThrough = { fetcher.configuration.passThroughFeatures.contains($0) }
        opener.onChange = { [weak engine] id in Task { await engine?.reload { VectorStyles.plain($0) == id } }
        }
        self.opener = opener
        Task { [weak engine] in
            for await state in networks {
                reports.yield(.network(state))
                if state == .reachable { engine?.networkReturned() }
            }
        }
    }

    /// Returns the document loader. It uses the cache first and then the regions. Documents of style packs
    /// are used without revalidation.
    private static func loader(_ client: HTTPClient, _ stores: SessionStores) -> DocumentLoader {
        var loader = DocumentLoader(client, openingStore: { stores.documents })
        loader.held = { key in
            guard case .document(let address) = key else { return nil }
            return stores.regionStore?.packedStyle(address)
        }
        return loader
    }

    /// The shared cache; nil if there is none, for a reason reported as an event. Blocks while the cache is
    /// being opened.
    public var cache: SharedCache? { stores.cache }

    /// The maximum size of the cache on disk in bytes; 0 if there is no cache. It applies to all sessions of
    /// this process that share the cache. Setting a smaller one evicts the least recently used responses
    /// before it returns. 0 removes all, and stores no others.
    public var cacheQuota: Int {
        get { cache?.quota ?? 0 }
        set { cache?.quota = newValue }
    }

    /// The maximum size of regions on disk in bytes; nil for no limit. Regions are never evicted: a smaller
    /// quota only refuses further tiles, and 0 further regions.
    public var regionQuota: Int? {
        get { stores.regionStore?.quota }
        set { stores.regionStore?.quota = newValue }
    }

    /// The offline regions, or the reason why there are none. Blocks while they are being opened.
    public var regionStore: Result<Regions, RegionStoreFailure> { stores.regions }

    /// True to open no network connections, except for features that pass through.
    public var isOffline: Bool {
        get { client.isOffline }
        set {
            client.isOffline = newValue
            traffic.setOnline(!newValue)
            if !newValue { engine.networkReturned() }
        }
    }

    /// The features that are enabled, prefetched, and passed through while offline. A change applies to the
    /// next request.
    public var configuration: LayerConfiguration {
        get { fetcher.configuration }
        set {
            fetcher.configuration = newValue
            traffic.setPassThrough(newValue.passThroughFeatures)
        }
    }

    /// The offline regions.
    /// - Throws: `RegionStoreFailure` if there are none.
    public func regions() throws(RegionStoreFailure) -> Regions { try regionStore.get() }

    /// Reports a failure of the program itself as an event.
    public func report(_ trouble: any Error) { reports.yield(.trouble(trouble)) }

    /// Limits current and future waits for locks of other programs to a time from now.
    public func stopWaiting(in time: Duration) { stores.lockTimeout.expire(in: time) }

    /// Writes the remaining cache entries, and ends the event stream. Waits for locks for at most two
    /// seconds.
    public func close() {
        stopWaiting(in: .seconds(2))
        offlineSearch.stopIndexing()
        packRenewal.cancel()
        queue.withLock { $0 = nil }
        stores.openCache?.finish()
        stores.openRegions?.finish()
        reports.finish()
    }
}

/// An event of a session.
public enum SessionEvent: Sendable {
    /// The network became unavailable or available.
    case network(NetworkState)
    /// A failure occurred that the user should know about.
    case trouble(any Error)
    /// The traffic to draw, or its status, has changed.
    case traffic
}

/// The databases of a session. They are opened when they are first used; access blocks until they are open.
final class SessionStores: Sendable {
    private typealias Opened = (cache: SharedCache?, regions: Result<Regions, RegionStoreFailure>)

    /// The policy for waiting for locks of other programs.
    let lockTimeout: LockTimeout
    private let opened: Lazy<Opened>

    /// - Parameter onTrouble: Called for a database that can't be opened, and for long waits.
    init(_ options: MapSession.Options, onTrouble: @escaping @Sendable (any Error) -> Void) {
        let lockTimeout = LockTimeout(limit: options.lockTimeout, onWait: onTrouble)
        let opened = Lazy<Opened> {
            let cache = options.openCache(lockTimeout, onTrouble),
                regions = options.openRegions(cache, lockTimeout)
            if case .failure(let failure) = regions, case .success = options.regions { onTrouble(failure) }
            return (cache, regions)
        }
        self.lockTimeout = lockTimeout
        self.opened = opened
    }

    /// Opens the databases in the background.
    func open() { DispatchQueue(label: "rhumb.stores", qos: .userInitiated).async { _ = self.opened.value } }

    /// The shared cache; nil if there is none.
    var cache: SharedCache? { opened.value.cache }

    /// The shared cache; nil if it is not open yet or there is none.
    var openCache: SharedCache? { opened.valueIfMade?.cache }

    /// The region store; nil if it is not open yet or there is none.
    var openRegions: RegionStore? { try? opened.valueIfMade?.regions.get().store }

    /// The offline regions, or the reason why there are none.
    var regions: Result<Regions, RegionStoreFailure> { opened.value.regions }

    /// The region store; nil if there is none.
    var regionStore: RegionStore? { (try? regions.get())?.store }

    /// The cache, backed by the regions.
    var documents: (any ResponseStore)? {
        cache.flatMap { cache in regionStore.map { BackedStore(cache, pinned: $0) } ?? cache }
    }
}

extension MapSession {
    /// The options of a session. Nothing is stored on disk unless a path is given.
    public struct Options: Sendable {
        /// The options of the HTTP client, except its providers and callbacks.
        public var client: ClientOptions
        /// True to open the stores when they are first used, or by `openStores()`.
        public var opensStoresLater = false
        /// True to start offline.
        public var isOffline = false
        /// True to pause region downloads because the connection is metered.
        public var isMetered = false
        /// The path of the shared cache; nil to cache nothing.
        public var cache: String?
        /// The maximum size of the cache on disk in bytes. Nil for 50 MiB, or for the quota of the cache if
        /// another session of this process has it open.
        public var cacheQuota: Int?
        /// The path of the region store, or the reason why there is none.
        public var regions: Result<String, RegionStoreFailure> = .failure(.switchedOff)
        /// The maximum size of regions on disk in bytes; nil for no limit.
        public var regionQuota: Int?
        /// True if browsing also updates tiles of regions and fills their gaps.
        public var renewsRegions = false
        /// The maximum wait for a lock that another program holds on the cache or the regions. Waits longer
        /// than a second are reported as events.
        public var lockTimeout = Duration.seconds(30)
        /// The maximum time that downloads wait for a lost network; nil for no limit. See `Regions`.
        public var networkTimeout: Duration?
        /// The features that are enabled, prefetched, and passed through while offline.
        public var configuration = LayerConfiguration()
        /// The named sources, and the keys.
        public var catalog = SourceCatalog()
        /// The addresses and files of the package catalogues.
        public var packageCatalogs: [String] = []
        /// The minisign key that must have signed the catalogues, or its fingerprint; nil for any key.
        public var packageKey: String?
        /// The names, files or addresses of the styles in which vector tiles are drawn.
        public var style = StyleChoice.standard
        /// The folder of named styles; nil if there is none.
        public var styleFolder: String?
        /// True to revalidate stale documents before they are used.
        public var asksFirst = false
        /// The memory that holds decoded tiles.
        public var board = TileBoard()
        /// Opens the list of places for searches by name. The default list is empty.
        public var places: @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch = { NoPlaces() }
        /// Returns true if the user has accepted the terms of the source with this id. By default, no terms
        /// are accepted.
        public var hasAcceptedTerms: @Sendable (_ source: String) -> Bool = { _ in false }
        /// The limits of prefetching.
        public var prefetch = PrefetchLimits()

        /// - Parameter userAgent: The program's name in requests.
        public init(userAgent: UserAgent) { client = ClientOptions(userAgent: userAgent) }

        func openCache(
            _ lockTimeout: LockTimeout, _ onTrouble: @escaping @Sendable (CacheFailure) -> Void
        ) -> SharedCache? {
            guard let cache else { return nil }
            var options = SharedCache.Options()
            options.quota = cacheQuota
            options.lockTimeout = lockTimeout
            options.onTrouble = onTrouble
            do throws(CacheFailure) {
                return try SharedCache.open(cache, options)
            } catch {
                onTrouble(error)
                return nil
            }
        }

        func openRegions(
            _ cache: SharedCache?, _ lockTimeout: LockTimeout
        ) -> Result<Regions, RegionStoreFailure> {
            Result { () throws(RegionStoreFailure) in
                var opened = Regions(
                    try RegionStore(try regions.get(), quota: regionQuota, lockTimeout: lockTimeout),
                    cache: cache)
                opened.networkTimeout = networkTimeout
                return opened
            }
        }
    }
}
