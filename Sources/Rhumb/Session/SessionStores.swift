internal import Dispatch
internal import RhumbEngine
internal import RhumbStore

/// The databases of a session. They are opened in the background; access blocks until they are open.
final class SessionStores: Sendable {
    private typealias Opened = (cache: SharedCache?, regions: Result<Regions, RegionStoreFailure>)

    /// The policy for waiting for locks of other programs.
    let patience: LockPatience
    private let opened: Lazy<Opened>

    /// - Parameter onTrouble: Called for a database that can't be opened, and for long waits.
    init(_ options: MapSession.Options, onTrouble: @escaping @Sendable (any Error) -> Void) {
        let patience = LockPatience(limit: options.lockTimeout, onWait: onTrouble)
        let opened = Lazy<Opened> {
            let cache = options.openCache(patience, onTrouble), regions = options.openRegions(cache, patience)
            if case .failure(let failure) = regions, case .success = options.regions { onTrouble(failure) }
            return (cache, regions)
        }
        self.patience = patience
        self.opened = opened
        DispatchQueue(label: "rhumb.stores", qos: .userInitiated).async { _ = opened.value }
    }

    /// The shared cache; nil if there is none.
    var cache: SharedCache? { opened.value.cache }

    /// The shared cache; nil if it is not open yet or there is none.
    var openCache: SharedCache? { opened.valueIfMade?.cache }

    /// The offline regions, or the reason why there are none.
    var regions: Result<Regions, RegionStoreFailure> { opened.value.regions }

    /// The region store; nil if there is none.
    var regionStore: RegionStore? { (try? regions.get())?.store }

    /// The cache, backed by the regions.
    var documents: (any ResponseStore)? {
        cache.flatMap { cache in regionStore.map { BackedStore(cache, pinned: $0) } ?? cache }
    }
}
