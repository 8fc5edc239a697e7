internal import RhumbCore
public import RhumbEngine
public import RhumbOffline
internal import Synchronization
public import RhumbStore

/// The offline content of a session: regions, packages and style packs.
public struct OfflineContent: Sendable {
    let session: MapSession

    /// Returns the queue that plans, downloads and removes regions. A session has one queue.
    /// - Throws: `RegionStoreFailure` if the session has no file for regions.
    public func regions() throws(RegionStoreFailure) -> RegionQueue { try session.regionQueue() }

    /// Returns the addresses and files of the known catalogues of packages.
    /// - Parameter layers: The open maps, whose countries are offered if the options name no catalogue.
    /// - Throws: `RegionStoreFailure` if the session has no file for regions.
    public func catalogs(beside layers: [TileLayer] = []) throws(RegionStoreFailure) -> [String] {
        try session.catalogs(beside: layers)
    }

    /// Returns the loader that installs and updates the packages of a catalogue.
    /// - Parameter catalog: Its address or file.
    /// - Throws: `RegionStoreFailure` if the session has no file for regions.
    public func packages(of catalog: String) throws(RegionStoreFailure) -> MapLoader {
        try session.mapLoader(of: catalog)
    }

    /// Returns the manager of style packs.
    /// - Throws: `RegionStoreFailure` if the session has no file for regions.
    public func stylePacks() throws(RegionStoreFailure) -> OfflineManager {
        try OfflineManager(session, session.opener)
    }
}

extension MapSession {
    /// The offline content: regions, packages and style packs.
    public var offline: OfflineContent { OfflineContent(session: self) }

    /// Returns the only queue of the session, which is created when it is needed.
    fileprivate func regionQueue() throws(RegionStoreFailure) -> RegionQueue {
        try queue.withLock { queue throws(RegionStoreFailure) in
            if let queue { return queue }
            let new = try RegionQueue(self, opener)
            queue = new
            return new
        }
    }
}
