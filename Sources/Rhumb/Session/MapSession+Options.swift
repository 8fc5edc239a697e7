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
                Regions(
                    try RegionStore(try regions.get(), quota: regionQuota, lockTimeout: lockTimeout),
                    cache: cache)
            }
        }
    }
}
