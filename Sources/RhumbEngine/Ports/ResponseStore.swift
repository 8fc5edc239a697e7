public import RhumbCore

/// A store of responses between runs, such as the shared cache. All methods are safe to call from any thread,
/// and none fails: a store that can't work stores nothing, and reports the reason to its owner.
public protocol ResponseStore: Sendable {
    /// Returns the stored response of a key; reads from disk within microseconds.
    func response(for key: ResourceKey) -> StoredResponse?

    /// Returns the stored editions of a source, the newest first.
    func editions(of origin: TileOrigin) -> [TileEdition]

    /// Stores a response in place of an earlier one. It can be read at once, and is on disk soon; until then
    /// it is in memory, so a caller that stores many must await `waitForRoom`.
    func store(_ response: StoredResponse, for key: ResourceKey)

    /// Returns when more responses may be stored. Prefetching waits here while the disk is slower than the
    /// network, so that memory is limited.
    func waitForRoom() async

    /// Extends the lifetime of a stored response that a server confirmed.
    func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders)

    /// Removes a response that may no longer be stored.
    func forget(_ key: ResourceKey)

    /// Limits the bytes of an origin; its least recently used entries are evicted first.
    func limit(_ origin: TileOrigin, to bytes: Int)

    /// Sets the keys on screen, which are never evicted.
    func protect(_ keys: Set<ResourceKey>)

    /// Counts an event for the statistics.
    func count(_ event: CacheCounter, _ number: Int)
}

extension ResponseStore {
    /// Empty by default, for stores that don't distinguish editions.
    public func editions(of origin: TileOrigin) -> [TileEdition] { [] }
    /// Returns at once by default, for stores that always have room.
    public func waitForRoom() async {}
    /// Does nothing by default, for stores without limits per origin.
    public func limit(_ origin: TileOrigin, to bytes: Int) {}
    /// Does nothing by default, for stores that never evict responses.
    public func protect(_ keys: Set<ResourceKey>) {}
    /// Counts one event.
    public func count(_ event: CacheCounter) { count(event, 1) }
}

/// The responses of regions, which are shown regardless of their age.
public protocol PinnedResponses: Sendable {
    /// Returns the stored response of a key; nil for none.
    func response(for key: ResourceKey) -> StoredResponse?

    /// Returns the editions of a source that regions show, the newest first.
    func editions(of origin: TileOrigin) -> [TileEdition]

    /// Replaces a stored response by a newer one, or fills a region's gap. Does nothing if no region contains
    /// the resource.
    func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds)
}

/// An event of a store.
public enum CacheCounter: String, Sendable, CaseIterable {
    /// A stored copy was used without a request.
    case hit
    /// A stale copy was used.
    case staleHit
    /// No copy was stored.
    case miss
    /// A server confirmed a stored response.
    case revalidation
    /// A body was downloaded from a server.
    case download
    /// A request failed.
    case failure
    /// A copy was evicted.
    case eviction
    /// A resource was prefetched.
    case prefetch
    /// The number of bytes of bodies from servers.
    case bytes
}
