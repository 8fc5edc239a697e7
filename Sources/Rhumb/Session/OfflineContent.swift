internal import RhumbCore
public import RhumbEngine
public import RhumbOffline
internal import Synchronization
public import RhumbStore

/// The offline content of a session: regions, packages and style packs.
public struct OfflineContent: Sendable {
    let session: MapSession

    /// Returns the queue that plans, downloads and removes regions. Each session has only one queue.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func regions() throws(RegionStoreFailure) -> RegionQueue { try session.regionQueue() }

    /// Returns the addresses and files of the known package catalogues.
    /// - Parameter layers: The open maps, whose countries are offered if the options name no catalogue.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func catalogs(beside layers: [TileLayer] = []) throws(RegionStoreFailure) -> [String] {
        try session.catalogs(beside: layers)
    }

    /// Returns the loader that installs and updates the packages of a catalogue.
    /// - Parameter catalog: The address or path of the catalogue.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func packages(of catalog: String) throws(RegionStoreFailure) -> MapLoader {
        try session.mapLoader(of: catalog)
    }

    /// Returns the manager of style packs.
    /// - Throws: `RegionStoreFailure` if the session has no region store.
    public func stylePacks() throws(RegionStoreFailure) -> OfflineManager {
        try OfflineManager(session, session.opener)
    }
}

extension MapSession {
    /// The offline content: regions, packages and style packs.
    public var offline: OfflineContent { OfflineContent(session: self) }

    /// Returns the session's only queue, creating it on first use.
    fileprivate func regionQueue() throws(RegionStoreFailure) -> RegionQueue {
        try queue.withLock { queue throws(RegionStoreFailure) in
            if let queue { return queue }
            let new = try RegionQueue(self, opener)
            queue = new
            return new
        }
    }
}
