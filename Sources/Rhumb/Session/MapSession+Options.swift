public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
public import RhumbStore

extension MapSession {
    /// The options of a session. Nothing is stored on disk unless a path is given.
    public struct Options: Sendable {
        /// The options of the HTTP client, except its providers and callbacks.
        public var client: ClientOptions
        /// True to start offline.
        public var isOffline = false
        /// True to pause downloads of regions, because the connection is metered.
        public var isMetered = false
        /// The file of the shared cache; nil: nothing is kept.
        public var cache: String?
        /// The bytes that the cache may take on disk.
        public var cacheQuota = SharedCache.Options().quota
        /// The file of the regions, or why there is none.
        public var regions: Result<String, RegionStoreFailure> = .failure(.switchedOff)
        /// The bytes that regions may take on disk; nil: as many as there is room for.
        public var regionQuota: Int?
        /// True if browsing renews tiles of regions, and fills their gaps.
        public var renewsRegions = false
        /// Longest wait for a lock of the cache or the regions that another program holds. A wait of more
        /// than a second is in the news.
        public var lockTimeout = Duration.seconds(30)
        /// The features that are enabled, looked ahead for and let through while offline.
        public var configuration = LayerConfiguration()
        /// The sources that have a name, and the keys.
        public var catalog = SourceCatalog()
        /// The addresses and files of catalogues of packages.
        public var packageCatalogs: [String] = []
        /// The names, files or addresses of the styles that vector tiles are drawn in.
        public var style = StyleChoice.standard
        /// The folder of styles that are known by their names; nil: none are.
        public var styleFolder: String?
        /// True to revalidate stale documents before they are used.
        public var asksFirst = false
        /// The memory for decoded tiles.
        public var board = TileBoard()
        /// Opens the list of places that are found by name. By default it has no places.
        public var places: @Sendable () throws(PlaceSearchFailure) -> any PlaceSearch = { NoPlaces() }
        /// Returns true if the user has accepted the terms of a source, by its id. By default none are.
        public var hasAcceptedTerms: @Sendable (_ source: String) -> Bool = { _ in false }
        /// The limits of prefetching.
        public var prefetch = PrefetchLimits()

        /// - Parameter userAgent: how the program calls itself towards servers.
        public init(userAgent: UserAgent) { client = ClientOptions(userAgent: userAgent) }

        func openCache(
            _ patience: LockPatience, _ onTrouble: @escaping @Sendable (CacheFailure) -> Void
        ) -> SharedCache? {
            guard let cache else { return nil }
            var options = SharedCache.Options()
            options.quota = cacheQuota
            options.patience = patience
            options.onTrouble = onTrouble
            do throws(CacheFailure) {
                return try SharedCache.open(cache, options)
            } catch {
                onTrouble(error)
                return nil
            }
        }

        func openRegions(
            _ cache: SharedCache?, _ patience: LockPatience
        ) -> Result<Regions, RegionStoreFailure> {
            Result { () throws(RegionStoreFailure) in
                Regions(
                    try RegionStore(try regions.get(), quota: regionQuota, patience: patience), cache: cache)
            }
        }
    }
}
