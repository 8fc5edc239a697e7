internal import Glibc
public import RhumbCore
internal import Synchronization

/// A damaged region store that was moved aside, opened to recover its contents.
public final class QuarantinedStore: Sendable {
    /// The new path.
    public let path: String
    private let table: Mutex<ResponseTable?>

    /// Sets a damaged store aside under another name, its log with it; nothing of it is lost.
    /// - Throws: `RegionStoreFailure.store` when it can't be moved.
    public init(settingAside path: String, at now: UnixSeconds) throws(RegionStoreFailure) {
        let aside = "\(path).damaged-\(now.value)"
        guard rename(path, aside) == 0 else {
            throw .store(
                StoreFailure(
                    code: 14, attempt: "rename the store", file: path,
                    reason: String(cString: strerror(errno))))
        }
        _ = rename(path + "-wal", aside + "-wal")
        unlink(path + "-shm")
        self.path = aside
        table = Mutex(QuarantinedStore.open(aside))
    }

    /// Writing is needed only for the log to be looked at.
    private static func open(_ path: String) -> sending ResponseTable? {
        for mode in [Connection.Mode.readWrite, .immutable] {
            if let table = try? ResponseTable(Connection(path, mode)) { return table }
        }
        return nil
    }

    /// The regions that can be read, those parts of them that can.
    public var regions: [RegionRecord] {
        table.withLock { table in (try? table?.connection.regions()) ?? [] }
    }

    /// A tile or document that can be read.
    public func response(for key: ResourceKey) -> StoredResponse? {
        table.withLock { table in (try? table?.response(for: key))??.0 }
    }

    /// The documents that a region carries, as far as they can be read.
    public func documents(of region: Int) -> [RegionDocument] {
        table.withLock { table in (try? table?.documents(of: region, isComing: false).found) ?? [] }
    }
}
