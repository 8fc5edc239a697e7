public import RhumbCore

/// Where fetched answers are kept between runs: the shared cache. Every call may be made from
/// any thread; none fails: a store that can't work keeps nothing, and tells its owner why.
public protocol ResponseStore: Sendable {
    /// What is kept under a key; reads from disk, a few microseconds.
    func response(for key: ResourceKey) -> StoredResponse?

    /// The editions of a source of which something is kept, the newest first.
    func editions(of origin: TileOrigin) -> [TileEdition]

    /// Keeps an answer in place of what was there. It can be read at once, and is on disk soon; until
    /// then it lies in memory, so whoever keeps many awaits `waitForRoom` in between.
    func keep(_ response: StoredResponse, for key: ResourceKey)

    /// Returns once more may be kept: whoever fetches ahead of a person waits here while the disk is
    /// slower than the network, and memory stays bounded.
    func waitForRoom() async

    /// A server said that what is kept still holds: its life is prolonged, its body stays.
    func prolong(_ key: ResourceKey, _ freshness: Freshness, headers: HTTPHeaders)

    /// Forgets an answer that may not be kept any longer.
    func forget(_ key: ResourceKey)

    /// What is kept of an origin may take so many bytes; what was used least recently goes first.
    func limit(_ origin: TileOrigin, to bytes: Int)

    /// Says what is looked at now: it is never let go of.
    func spare(_ keys: Set<ResourceKey>)

    /// Counts what happened to requests, for the statistics.
    func count(_ event: StoreEvent, _ number: Int)
}

extension ResponseStore {
    /// A store that tells no editions apart has none.
    public func editions(of origin: TileOrigin) -> [TileEdition] { [] }
    /// A store that writes at once always has room.
    public func waitForRoom() async {}
    /// A store without limits of its own takes none.
    public func limit(_ origin: TileOrigin, to bytes: Int) {}
    /// A store that never makes room spares everything.
    public func spare(_ keys: Set<ResourceKey>) {}
    /// Counts one event.
    public func count(_ event: StoreEvent) { count(event, 1) }
}

/// Answers that regions hold: shown whatever their age.
public protocol PinnedResponses: Sendable {
    /// What is stored under a key.
    func response(for key: ResourceKey) -> StoredResponse?

    /// The editions of a source that regions show, the newest first.
    func editions(of origin: TileOrigin) -> [TileEdition]

    /// Puts a newer answer in the place of a stored one, and one that a region lacks into its gap;
    /// nothing happens to what no region wants.
    func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds)
}

/// What happened when something was wanted of a store.
public enum StoreEvent: String, Sendable, CaseIterable {
    /// Found and used without asking.
    case hit
    /// Found out of date and used all the same.
    case staleHit
    /// Not there.
    case miss
    /// A server said that what is kept still holds.
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
