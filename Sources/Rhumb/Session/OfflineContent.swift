internal import RhumbCore
public import RhumbEngine
public import RhumbOffline
public import RhumbOpening
internal import Synchronization
public import RhumbStore

/// The offline content of a session: regions, packages, style packs and prefetched tiles. Each kind of work
/// begins with an ``OfflinePlan``.
public struct OfflineContent: Sendable {
    let session: MapSession

    /// Returns the queue that plans, downloads and removes regions. Each session has only one queue.
    /// - Parameter opener: Opens the sources of the queue's regions if the queue is not open yet; nil for the
    ///   session's opener.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func regions(openedBy opener: MapOpener? = nil) throws(RegionStoreFailure) -> RegionQueue {
        try session.queue.withLock { queue throws(RegionStoreFailure) in
            if let queue { return queue }
            let new = try RegionQueue(session, opener ?? session.opener)
            queue = new
            return new
        }
    }

    /// Returns the events of all regions, packages and style packs from now on. A running job also has a
    /// stream of its own, `Job.updates()`.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func events() throws(RegionStoreFailure) -> AsyncStream<OfflineEvent> {
        try session.regions().store.events()
    }

    /// Returns the manager of style packs.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func stylePacks() throws(RegionStoreFailure) -> OfflineManager {
        try OfflineManager(session, session.opener)
    }

    /// Opens the base maps in stored regions and packages, as layers over another map. Sends no requests, and
    /// neither do the layers.
    /// - Parameter theme: The theme of vector tiles.
    /// - Returns: One layer for each source of a region, within the region's bounds; see
    ///   `MapOpener.openStoredStreets(_:theme:)`.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func layers(theme: MapTheme) async throws(RegionStoreFailure) -> [TileLayer] {
        await session.opener.openStoredStreets(try session.regions().store.regions(), theme: theme)
    }

    /// Returns a prefetcher, which plans to fetch tiles of a layer into the cache. Waits until the session's
    /// stores are open.
    public func prefetcher(of layer: TileLayer) -> MapPrefetcher {
        MapPrefetcher(layer, session.fetcher, session.cache)
    }
}

extension MapSession {
    /// The offline content: regions, packages, style packs and prefetched tiles.
    public var offline: OfflineContent { OfflineContent(session: self) }
}
