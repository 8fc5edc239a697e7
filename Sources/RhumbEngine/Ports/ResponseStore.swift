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

    /// Forgets an answer that may not be kept any longer.
    func forget(_ key: ResourceKey)

    /// Limits the bytes of an origin; its least recently used entries are evicted first.
    func limit(_ origin: TileOrigin, to bytes: Int)

    /// Sets the keys on screen, which are never evicted.
    func protect(_ keys: Set<ResourceKey>)

    /// Counts what happened to requests, for the statistics.
    func count(_ event: CacheCounter, _ number: Int)
}

extension ResponseStore {
    /// A store that tells no editions apart has none.
    public func editions(of origin: TileOrigin) -> [TileEdition] { [] }
    /// A store that writes at once always has room.
    public func waitForRoom() async {}
    /// A store without limits of its own takes none.
    public func limit(_ origin: TileOrigin, to bytes: Int) {}
    /// A store that never makes room spares everything.
    public func protect(_ keys: Set<ResourceKey>) {}
    /// Counts one event.
    public func count(_ event: CacheCounter) { count(event, 1) }
}

/// Answers that regions hold: shown whatever their age.
public protocol PinnedResponses: Sendable {
    /// Returns the stored response of a key; nil for none.
    func response(for key: ResourceKey) -> StoredResponse?

    /// The editions of a source that regions show, the newest first.
    func editions(of origin: TileOrigin) -> [TileEdition]

    /// Puts a newer answer in the place of a stored one, and one that a region lacks into its gap;
    /// nothing happens to what no region wants.
    func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds)
}

/// An event of a store.
public enum CacheCounter: String, Sendable, CaseIterable {
    /// Found and used without asking.
    case hit
    /// Found out of date and used all the same.
    case staleHit
    /// Not there.
    case miss
    /// A server confirmed a stored response.
    case revalidation
    /// A body came from a server.
    case download
    /// A request failed.
    case failure
    /// Made room for others.
    case eviction
    /// Fetched before it was looked at.
    case prefetch
    /// Bytes of bodies that came from servers.
    case bytes
}
