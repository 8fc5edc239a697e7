internal import Glibc
public import RhumbCore
internal import Synchronization

/// A damaged region store that was moved aside, opened to recover its contents.
public final class QuarantinedStore: Sendable {
    /// The new path of the file.
    public let path: String
    private let table: Mutex<ResponseTable?>

    /// Renames a damaged store and its log. No data is lost.
    /// - Throws: `RegionStoreFailure.store` if the file can't be renamed.
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

    /// Opens the database. Reading the log requires write access.
    private static func open(_ path: String) -> sending ResponseTable? {
        for mode in [Connection.Mode.readWrite, .immutable] {
            if let table = try? ResponseTable(Connection(path, mode)) { return table }
        }
        return nil
    }

    /// The readable regions, with their readable parts.
    public var regions: [RegionRecord] {
        table.withLock { table in (try? table?.connection.regions()) ?? [] }
    }

    /// Returns the tile or document for a key; nil if it is missing or unreadable.
    public func response(for key: ResourceKey) -> StoredResponse? {
        table.withLock { table in (try? table?.response(for: key))??.0 }
    }

    /// Returns the readable documents of a region.
    public func documents(of region: Int) -> [RegionDocument] {
        table.withLock { table in (try? table?.documents(of: region, isComing: false).found) ?? [] }
    }
}
