internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// The program's way to the network: the client, the shared cache, and the fetcher that goes
/// through both.
final class Web: Sendable {
    let client: HTTPClient
    /// nil: nothing is kept; the notice said why.
    let cache: SharedCache?
    let fetcher: CachedTileFetcher
    /// nil: switched off, or the store can't be used; `regionFailure` says why.
    let regions: Regions?
    let regionFailure: RegionStoreFailure?
    private let listener = Mutex<(@Sendable (WebNews) -> Void)?>(nil)
    private let unheard = Mutex<[WebNews]>([])

    /// - Throws: a sentence, when the options can't be understood.
    init(_ invocation: Invocation, _ environment: [String: String]) throws {
        let told = Told()
        var options = ClientOptions(userAgent: try invocation.userAgent())
        options.providers = Providers(shipped: SourceCatalog.shipped)
        options.downloadRate = invocation[.rate]
        options.onNetworkChange = { told.tell(.network($0)) }
        options.authorities = CertificateAuthorities(environment, named: invocation[.authorities])
        if let path = options.authorities.unreadable {
            told.tell(.trouble("\(path) can't be read: no https server is trusted without its authorities; name another file with --ca-file"))
        }
        client = HTTPClient(options)
        client.isOffline = invocation[.offline]
        client.isMetered = invocation[.metered]
        do throws(CacheFailure) {
            cache = try Web.cache(invocation, environment, told)
        } catch {
            cache = nil
            told.tell(.trouble("\(error)"))
        }
        do throws(RegionStoreFailure) {
            regions = try Web.regions(invocation, environment, cache)
            regionFailure = regions == nil ? Web.reason(invocation) : nil
        } catch {
            (regions, regionFailure) = (nil, error)
            told.tell(.trouble("\(error)"))
        }
        fetcher = CachedTileFetcher(
            client, store: cache, regions: regions?.store, renewsRegions: invocation[.store] == "update",
            configuration: try invocation.layerConfiguration())
        told.web = self
    }

    /// From now on says to the person what is wrong, also what was before.
    func sayTroubles() {
        listen { if case .trouble(let text) = $0 { Output.say("rhumb: \(text)") } }
    }

    /// Loads documents and parts of archives, through the cache and the regions.
    var loader: DocumentLoader {
        guard let cache, let regions else { return DocumentLoader(client, store: cache) }
        return DocumentLoader(client, store: BackedStore(cache, pinned: regions.store))
    }

    /// Traffic over the tiles of an engine, with or without a network as the options have it.
    func traffic(
        _ engine: TileEngine, _ sources: TrafficSources, onChange: @escaping @Sendable () -> Void = {}
    ) -> TrafficTiles {
        let tiles = TrafficTiles(
            engine: engine, sources: sources, decoder: SniffingDecoder(), fetcher: HTTPTrafficFetcher(client),
            onChange: onChange)
        tiles.setOnline(!client.isOffline)
        tiles.setPassThrough(fetcher.configuration.passThroughFeatures)
        return tiles
    }

    /// Calls `listener` with everything that happens, also with what happened before.
    func listen(_ listener: @escaping @Sendable (WebNews) -> Void) {
        self.listener.withLock { $0 = listener }
        for news in unheard.withLock({ news in defer { news = [] }; return news }) { listener(news) }
    }

    /// The place of the cache: as named, else in the folder for caches; nil without a home.
    static func cachePath(_ invocation: Invocation, _ environment: [String: String]) -> String? {
        invocation[.cachePath] ?? Folders(environment: environment).cache.map { $0 + "/tiles.db" }
    }

    private static func cache(
        _ invocation: Invocation, _ environment: [String: String], _ told: Told
    ) throws(CacheFailure) -> SharedCache? {
        guard let path = cachePath(invocation, environment) else {
            told.tell(.trouble("no tiles are kept, for \(Folders.missing), or name a file with --cache-path"))
            return nil
        }
        var options = SharedCache.Options()
        options.quota = invocation[.cacheSize] ?? options.quota
        options.onTrouble = { told.tell(.trouble("\($0)")) }
        return try SharedCache.open(path, options)
    }

    private static func regions(
        _ invocation: Invocation, _ environment: [String: String], _ cache: SharedCache?
    ) throws(RegionStoreFailure) -> Regions? {
        guard invocation[.store] != "off", let path = regionPath(invocation, environment) else { return nil }
        return Regions(try RegionStore(path, quota: invocation[.regionQuota]), cache: cache)
    }

    private static func reason(_ invocation: Invocation) -> RegionStoreFailure {
        invocation[.store] == "off" ? .switchedOff : .noPlace
    }

    /// The file of the regions; nil without a home.
    static func regionPath(_ invocation: Invocation, _ environment: [String: String]) -> String? {
        (invocation[.dataPath] ?? Folders(environment: environment).data).map { $0 + "/regions.db" }
    }

    func hear(_ news: WebNews) {
        let listener = listener.withLock { $0 }
        if let listener { listener(news) } else { unheard.withLock { $0.append(news) } }
    }
}

/// What the network and the cache have to tell.
enum WebNews: Sendable {
    case network(NetworkState)
    case trouble(String)
}

/// Passes news on from before the web is made until after it is gone.
private final class Told: Sendable {
    private let state = Mutex<(web: WeakWeb, early: [WebNews])>((WeakWeb(), []))

    private struct WeakWeb {
        weak var web: Web?
    }

    var web: Web? {
        get { state.withLock { $0.web.web } }
        set {
            let early = state.withLock { state in
                state.web.web = newValue
                defer { state.early = [] }
                return state.early
            }
            for news in early { newValue?.hear(news) }
        }
    }

    func tell(_ news: WebNews) {
        let web = state.withLock { state in
            if state.web.web == nil { state.early.append(news) }
            return state.web.web
        }
        web?.hear(news)
    }
}

extension Invocation {
    /// What servers are told: Rhumb, or what the person chose.
    /// - Throws: a sentence, for a name that says nothing or imitates another program.
    func userAgent() throws(UsageError) -> UserAgent {
        guard let name = self[.userAgent] else { return .rhumb(version: CommandTable.version) }
        do throws(UserAgentFailure) {
            return try UserAgent(name)
        } catch {
            throw UsageError("--user-agent: \(error)")
        }
    }

    /// The three lists of features, as far as they were given.
    func layerConfiguration() throws -> LayerConfiguration {
        do throws(FeatureFailure) {
            var configuration = LayerConfiguration()
            if let list = self[.features] { try configuration.enable(exactly: LayerConfiguration.features(list)) }
            if let list = self[.prefetch] {
                configuration.implicitlyPrefetchedFeatures = try LayerConfiguration.features(list)
            }
            if let list = self[.passThrough] {
                configuration.passThroughFeatures = try LayerConfiguration.features(list)
            }
            return configuration
        } catch {
            throw UsageError("\(error)")
        }
    }
}
