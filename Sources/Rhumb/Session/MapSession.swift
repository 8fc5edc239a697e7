internal import RhumbDrawing
public import RhumbEngine
public import RhumbHTTP
internal import RhumbOffline
internal import RhumbOpening
public import RhumbStore
internal import Synchronization

/// Everything that a program needs to show maps: the HTTP client, the shared cache, the offline regions, the
/// tile engine, and the opener of maps. It lives from `open` to `close`.
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
    /// The traffic over the engine's tiles.
    public let traffic: TrafficTiles
    /// Opens maps.
    public let opener: MapOpener
    /// Finds places, features of stored maps, and results of web services.
    public let search: SessionSearch
    /// Finds routes, reachable areas and heights with routing engines. Nothing is requested automatically.
    public let routes: RouteFinder
    /// Finds features of stored maps, and places.
    public var offlineSearch: OfflineSearchEngine { search.offline }
    /// The events of the session, including those before the first read, for a single listener. The stream
    /// ends with the session.
    public let news: AsyncStream<SessionEvent>
    private let reports: AsyncStream<SessionEvent>.Continuation
    /// The catalogues in the options.
    let packageCatalogs: [String]
    /// The package loaders by catalogue, created on demand.
    let mapLoaders = Mutex<[String: MapLoader]>([:])
    /// The queue of `offline`; nil until it is needed, and after the session has been closed.
    let queue = Mutex<RegionQueue?>(nil)

    /// Opens a session. The stores open in the background; failures to open them are reported as events.
    public static func open(_ options: Options) async -> MapSession {
        await withTaskExecutorPreference(BlockingExecutor.shared) { MapSession(options) }
    }

    private init(_ options: Options) {
        let (news, reports) = AsyncStream.makeStream(of: SessionEvent.self)
        let (networks, changes) = AsyncStream.makeStream(of: NetworkState.self)
        var clientOptions = options.client
        clientOptions.providers = options.catalog.providers
        clientOptions.onNetworkChange = { changes.yield($0) }
        let client = HTTPClient(clientOptions)
        client.isOffline = options.isOffline
        client.isMetered = options.isMetered
        let stores = SessionStores(options) { reports.yield(.trouble($0)) }
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
        routes = RouteFinder(
            client, options.catalog, configuration: { fetcher.configuration },
            hasAgreed: options.hasAcceptedTerms)
        var opener = MapOpener(loader, options.catalog)
        opener.styleFolder = options.styleFolder
        opener.stylePacks = { (try? stores.regionStore?.stylePacks()) ?? [] }
        opener.styles = VectorStyles(
            options.style.map(opener.place(ofStyle:)), prefersStored: !options.asksFirst)
        opener.asksFirst = options.asksFirst
        opener.onArchive = { [weak offlineSearch] in offlineSearch?.add($0, path: $1) }
        opener.web.passesThrough = { fetcher.configuration.passThroughFeatures.contains($0) }
        opener.onChange = { [weak engine] id in Task { await engine?.reload { VectorStyles.plain($0) == id } }
        }
        self.opener = opener
        Task { [weak engine] in
            for await state in networks {
                reports.yield(.network(state))
                if state == .reachable { await engine?.networkReturned() }
            }
        }
    }

    /// Returns the loader of documents. It uses the cache and then the regions; documents of style packs are
    /// used without revalidation.
    private static func loader(_ client: HTTPClient, _ stores: SessionStores) -> DocumentLoader {
        var loader = DocumentLoader(client, openingStore: { stores.documents })
        loader.held = { key in
            guard case .document(let address) = key else { return nil }
            return stores.regionStore?.packedStyle(address)
        }
        return loader
    }

    /// The shared cache; nil if there is none, which an event has reported. Waits while it is being opened.
    public var cache: SharedCache? { stores.cache }

    /// The offline regions, or why there are none. While they are being opened, the caller waits.
    public var regionStore: Result<Regions, RegionStoreFailure> { stores.regions }

    /// True to open no socket, except for features that pass through.
    public var isOffline: Bool {
        get { client.isOffline }
        set {
            client.isOffline = newValue
            traffic.setOnline(!newValue)
            if !newValue { Task { await engine.networkReturned() } }
        }
    }

    /// Which features are shown, fetched ahead and let through; a change holds for the next request.
    public var configuration: LayerConfiguration {
        get { fetcher.configuration }
        set {
            fetcher.configuration = newValue
            traffic.setPassThrough(newValue.passThroughFeatures)
        }
    }

    /// The offline regions.
    /// - Throws: `RegionStoreFailure`, where there are none.
    public func regions() throws(RegionStoreFailure) -> Regions { try regionStore.get() }

    /// Adds a trouble of the program's own to the news.
    public func report(_ trouble: any Error) { reports.yield(.trouble(trouble)) }

    /// Ends waits for locks of other programs, also later ones, after some time from now.
    public func stopWaiting(in time: Duration) { stores.patience.expire(in: time) }

    /// Writes the rest of the cache, and ends the news. Locks are waited for two seconds at most.
    public func close() {
        stopWaiting(in: .seconds(2))
        offlineSearch.stopIndexing()
        packRenewal.cancel()
        queue.withLock { $0 = nil }
        stores.openCache?.finish()
        reports.finish()
    }
}

/// An event of a session.
public enum SessionEvent: Sendable {
    /// The network was noticed to be gone, or to be back.
    case network(NetworkState)
    /// Something is wrong that a person should know.
    case trouble(any Error)
    /// There is other traffic to draw, or something else to say of it.
    case traffic
}
