internal import RhumbCore
package import RhumbEngine

/// The sources, and the stored data: the cache, regions, packages and bookmarks.
package struct StoredMaps: Sendable {
    /// The sources to choose from; empty until they are listed.
    package internal(set) var sources: [SourceChoice] = []
    /// The sources of heights for downloads, the default first; not empty.
    package var heightSources: [HeightSourceItem] {
        get { listedHeights.value }
        set { listedHeights = Lazy { newValue } }
    }
    /// The list of these sources, read when first needed, because the first picture does not need it.
    package var listedHeights = Lazy { [HeightSourceItem.standard] }
    /// The features that are enabled, prefetched, and passed through while offline.
    package internal(set) var configuration: LayerConfiguration
    var cache = CacheAnswers()
    /// The regions as last reported.
    package internal(set) var regions: [RegionItem] = [] { didSet { areRegionsListed = true } }
    /// False until the regions are reported for the first time.
    private(set) var areRegionsListed = false
    var packages = PackageState()
    var agreements = Agreements()
    /// The bookmarks, sorted by their letters.
    package internal(set) var bookmarks: [Bookmark] = []

    init(configuration: LayerConfiguration) { self.configuration = configuration }
}

/// The known state of packages.
struct PackageState: Sendable {
    /// The packages; nil before the catalogues have been read.
    var list: PackageList?
    /// The running operation; nil for none.
    var progress: PackageProgress?
}

/// The hosts of the listed sources, and those that the user agreed to contact. The sources that the user
/// named, on the command line or in the configuration, are not listed.
struct Agreements: Sendable {
    var listed = Lazy<[ServiceOffer]> { [] }
    var stored = Lazy<Set<String>> { [] }
    /// The hosts that the user agreed to contact since the start.
    var hosts: Set<String> = []

    /// Returns the host behind a name of a source; nil if the user named it, or if there is none.
    func service(_ id: String) -> ServiceOffer? { listed.value.first { $0.id == id } }

    /// Stores that the user agreed to contact hosts.
    mutating func agree(to hosts: [String]) -> [Effect] {
        self.hosts.formUnion(hosts)
        return [.ask(StoreAgreement(hosts: hosts))]
    }
}

/// The last responses of the cache.
struct CacheAnswers: Sendable {
    /// The overview, requested by the page that shows it; nil if there is no cache.
    var overview = Loadable<CacheTab, CacheOverview?>()
    var heat = Loadable<HeatQuestion, HeatMap>()

    /// Returns the query for the figures of a page if they are old.
    mutating func askOverview(for tab: CacheTab, at now: Duration) -> [Effect] {
        guard overview.ask(tab, at: now, lifetime: tab == .tiles ? nil : CacheAnswers.lifetime) else {
            return []
        }
        if tab == .heat { heat.expire() }
        return [.ask(CacheOverviewQuery()), .wake(after: CacheAnswers.lifetime)]
    }

    static let listLimit = 500
    /// The interval of updates while the inspector is open.
    static let lifetime = Duration.seconds(2)
}
