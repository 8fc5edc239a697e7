package import RhumbCore
internal import Synchronization

/// A connection that reads a store of regions. Several of them can read at the same time.
package final class RegionReader: Sendable {
    private let path: String
    private let table: Mutex<ResponseTable>

    /// - Parameter isUnwritable: True if the store may be on a read-only disk.
    init(_ path: String, isUnwritable: Bool, _ lockTimeout: LockTimeout) throws(RegionStoreFailure) {
        self.path = path
        do {
            let connection = try RegionStore.layout.openReader(path, isUnwritable: isUnwritable, lockTimeout)
            table = Mutex(try ResponseTable(connection))
        } catch {
            throw RegionStoreFailure(error, path)
        }
    }

    func read<Result>(
        _ body: (ResponseTable) throws(StoreFailure) -> sending Result
    ) throws(RegionStoreFailure) -> sending Result {
        do throws(StoreFailure) {
            return try table.withLock { (table) throws(StoreFailure) in try body(table) }
        } catch {
            throw RegionStoreFailure(error, path)
        }
    }

    /// Returns the tiles of an origin, nil for each that is missing. It is fastest if the tiles are sorted.
    /// - Parameter limit: The size of bodies in bytes after which the later tiles are left out.
    /// - Returns: At least one response if there are tiles.
    package func responses(
        for tiles: ArraySlice<TileID>, of origin: TileOrigin, upTo limit: Int
    ) -> [StoredResponse?] {
        var found: [StoredResponse?] = [], bytes = 0
        try? read { (table) throws(StoreFailure) in
            try table.connection.reading(to: "read tiles") { () throws(StoreFailure) in
                for tile in tiles where bytes < limit {
                    let response = try table.response(for: .tile(origin: origin, tile))?.0
                    found.append(response)
                    bytes += response?.body?.count ?? 0
                }
            }
        }
        // A tile on a damaged page is missing, and ends the transaction.
        return found.isEmpty ? [nil] : found
    }

    /// Checks the pages of the file: see `RegionStore.integrityFaults(isQuick:)`.
    func integrityFaults(isQuick: Bool) throws(RegionStoreFailure) -> [String] {
        try read { (table) throws(StoreFailure) in
            try table.connection.execute("PRAGMA cache_size = -16384", to: "verify the regions")
            let statement = try table.connection.prepare(
                "PRAGMA \(isQuick ? "quick" : "integrity")_check(20)", to: "verify the regions")
            var faults: [String] = []
            while try statement.step() {
                let line = statement.text(0) ?? ""
                if line != "ok" { faults.append(SafeText.sanitised(line)) }
            }
            return faults
        }
    }
}
