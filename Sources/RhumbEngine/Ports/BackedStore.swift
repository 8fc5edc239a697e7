public import RhumbCore

/// A response store with the regions behind it: downloaded tiles are available even if the store has evicted
/// them. New responses go into the store.
public struct BackedStore: ResponseStore {
    private let store: any ResponseStore
    private let pinned: any PinnedResponses

    /// - Parameters:
    ///   - store: The store that is searched first.
    ///   - pinned: The responses of regions.
    public init(_ store: any ResponseStore, pinned: any PinnedResponses) {
        self.store = store
        self.pinned = pinned
    }

    /// Returns the stored response, from the disposable store or else from the pinned one.
    public func response(for key: ResourceKey) -> StoredResponse? {
        store.response(for: key) ?? pinned.response(for: key)
    }

    /// Returns the editions that either store has responses of.
    public func editions(of origin: TileOrigin) -> [TileEdition] {
        let own = store.editions(of: origin)
        return own + pinned.editions(of: origin).filter { !own.contains($0) }
    }

    /// Stores a response in the disposable store.
    public func store(_ response: StoredResponse, for key: ResourceKey) { store.store(response, for: key) }

    /// Waits for room in the disposable store.
    public func waitForRoom() async { await store.waitForRoom() }

    /// Extends the lifetime of a response in the disposable store.
    public func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders) {
        store.prolong(key, freshness, headers: headers)
    }

    /// Removes a response from the disposable store.
    public func forget(_ key: ResourceKey) { store.forget(key) }
    /// Limits the disposable store.
    public func limit(_ origin: TileOrigin, to bytes: Int) { store.limit(origin, to: bytes) }
    /// Protects the keys on screen in the disposable store.
    public func protect(_ keys: Set<ResourceKey>) { store.protect(keys) }
    /// Counts an event in the disposable store.
    public func count(_ event: CacheCounter, _ number: Int) { store.count(event, number) }
}
