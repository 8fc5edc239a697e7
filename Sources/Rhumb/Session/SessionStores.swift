internal import Dispatch
internal import RhumbEngine
internal import RhumbStore

/// What a session keeps on disk. The files are opened on a thread of their own while the session goes on; whoever
/// needs them before waits for that.
final class SessionStores: Sendable {
    private typealias Opened = (cache: SharedCache?, regions: Result<Regions, RegionStoreFailure>)

    private let opened: Lazy<Opened>

    /// - Parameter onTrouble: told what can't be opened.
    init(_ options: MapSession.Options, onTrouble: @escaping @Sendable (any Error) -> Void) {
        let opened = Lazy<Opened> {
            let cache = options.openCache(onTrouble), regions = options.openRegions(cache)
            if case .failure(let failure) = regions, case .success = options.regions { onTrouble(failure) }
            return (cache, regions)
        }
        self.opened = opened
        DispatchQueue(label: "rhumb.stores", qos: .userInitiated).async { _ = opened.value }
    }

    /// What was fetched; nil: nothing is kept.
    var cache: SharedCache? { opened.value.cache }

    /// The offline regions, or why there are none.
    var regions: Result<Regions, RegionStoreFailure> { opened.value.regions }

    /// The store of the regions; nil where there are none.
    var regionStore: RegionStore? { (try? regions.get())?.store }

    /// The cache with what regions hold behind it.
    var documents: (any ResponseStore)? {
        cache.flatMap { cache in regionStore.map { BackedStore(cache, pinned: $0) } ?? cache }
    }
}
