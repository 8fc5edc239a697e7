/// The contents of tiles that a check found sound, so that the next check need not decode them. A content is
/// identified by its hash, so a changed or damaged body is never taken for a sound one.
extension RegionStore {
    private static let table = """
        CREATE TABLE IF NOT EXISTS sound_bodies (
            hash INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (hash, kind)) WITHOUT ROWID
        """

    /// Returns the hash by which a content is known.
    public static func contentHash(of body: [UInt8]) -> Int { BodyHash.of(body) }

    /// Returns the hashes of sound contents; none if there was no check. Uses 16 bytes of memory for each.
    /// - Parameter kind: The kind of check.
    /// - Throws: `RegionStoreFailure`
    public func soundBodies(_ kind: String) throws(RegionStoreFailure) -> Set<Int> {
        try read { (table) throws(StoreFailure) in
            guard try RegionStore.hasTable(table.connection) else { return [] }
            let rows = try table.connection.prepare(
                "SELECT hash FROM sound_bodies WHERE kind = ?1", to: "read earlier checks")
            try rows.bind(1, kind)
            var hashes: Set<Int> = []
            while try rows.step() { if let hash = rows.int(0) { hashes.insert(hash) } }
            return hashes
        }
    }

    /// Stores that contents are sound, and removes those that no tile has any more.
    /// - Parameters:
    ///   - hashes: The hashes of the contents.
    ///   - kind: The kind of check.
    /// - Throws: `RegionStoreFailure`, also if another program is writing.
    public func addSoundBodies(_ hashes: [Int], _ kind: String) throws(RegionStoreFailure) {
        do throws(StoreFailure) {
            // A check reads, so it doesn't wait for a program that writes.
            let connection = try Connection(path, .readWrite, busyTimeout: .zero)
            let hasOthers = try RegionStore.hasOthers(connection)
            guard hasOthers || !hashes.isEmpty else { return }
            try connection.transaction(to: "store the result of a check") { () throws(StoreFailure) in
                try connection.execute(RegionStore.table, to: "store the result of a check")
                let add = try connection.prepare(
                    "INSERT OR IGNORE INTO sound_bodies VALUES (?1, ?2)", to: "store the result of a check")
                for hash in hashes {
                    try add.bind(1, hash)
                    try add.bind(2, kind)
                    _ = try add.step()
                    add.reset()
                }
                try connection.execute(
                    "DELETE FROM sound_bodies WHERE hash NOT IN (SELECT hash FROM bodies)",
                    to: "store the result of a check")
            }
        } catch {
            throw RegionStoreFailure(error, path)
        }
    }

    /// True if there must be results for contents that no tile has.
    private static func hasOthers(_ connection: Connection) throws(StoreFailure) -> Bool {
        guard try hasTable(connection) else { return false }
        return try connection.integer("SELECT count(*) FROM sound_bodies")
            > connection.integer("SELECT count(*) FROM bodies")
    }

    private static func hasTable(_ connection: Connection) throws(StoreFailure) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sound_bodies'") > 0
    }
}
