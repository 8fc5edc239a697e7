public import RhumbCore

/// Reading the stored tiles and documents of regions.
extension RegionStore {
    /// Returns the earliest expiry time of a region's tiles of a source; nil if none is stored.
    /// - Parameter isOwn: Returns true for a tile of the region. Called for packs that other regions touch,
    ///   too.
    /// - Throws: `RegionStoreFailure`
    package func earliestExpiry(
        of region: Int, _ origin: TileOrigin, includesUnknown: Bool = false, isOwn: (TileID) -> Bool
    ) throws(RegionStoreFailure) -> UnixSeconds? {
        try read { (table) throws(StoreFailure) in
            guard let id = try table.originID(.tiles(origin)) else { return nil }
            let whole = try table.connection.expiries(
                "min(received - age + lifetime)", isShared: false, includesUnknown)
            let single = try table.connection.expiries(
                "received - age + lifetime", isShared: true, includesUnknown)
            var earliest: Int?
            for statement in [whole, single] {
                try statement.bind(1, region)
                try statement.bind(2, origin.key)
                try statement.bind(3, id)
                while try statement.step() {
                    guard let expiry = statement.int(0), expiry < earliest ?? .max else { continue }
                    if statement === whole || statement.tile.map(isOwn) == true { earliest = expiry }
                }
            }
            return earliest.map { UnixSeconds(Int64($0)) }
        }
    }

    /// Returns the freshness and validators of the stored tiles of a source, without reading their bodies.
    /// Damaged tiles are left out.
    /// - Throws: `RegionStoreFailure`
    package func freshness(
        of origin: TileOrigin, where isWanted: (TileID) -> Bool
    ) throws(RegionStoreFailure) -> [(tile: TileID, freshness: Freshness, validators: Validators)] {
        try read { (table) throws(StoreFailure) in
            guard let id = try table.originID(.tiles(origin)) else { return [] }
            let statement = try table.connection.prepare(
                "SELECT z, x, y, received, age, lifetime, flags, headers FROM entries WHERE origin = ?1 AND z >= 0",
                to: "list the ages of tiles")
            try statement.bind(1, id)
            var found: [(tile: TileID, freshness: Freshness, validators: Validators)] = []
            while try statement.step() {
                let flags = EntryFlags(rawValue: statement.int("flags") ?? 0)
                guard let tile = statement.tile, !flags.contains(.invalidated), isWanted(tile) else {
                    continue
                }
                let freshness = Freshness(
                    receivedAt: statement.moment("received") ?? UnixSeconds(0),
                    initialAge: Int64(statement.int("age") ?? 0),
                    lifetime: Int64(statement.int("lifetime") ?? 0))
                let headers = HTTPHeaders(storedText: statement.text("headers") ?? "")
                found.append((tile, freshness, Validators(of: headers)))
            }
            return found
        }
    }

    /// Counts the stored tiles of a source without reading their bodies. Damaged tiles are left out.
    /// - Throws: `RegionStoreFailure`
    package func count(
        of origin: TileOrigin, where isWanted: (TileID) -> Bool
    ) throws(RegionStoreFailure) -> StoredTileCount {
        try read { (table) throws(StoreFailure) in
            var count = StoredTileCount()
            guard let id = try table.originID(.tiles(origin)) else { return count }
            let statement = try table.connection.prepare(
                "SELECT z, x, y, size, flags, body IS NULL FROM entries WHERE origin = ?1 AND z >= 0",
                to: "count tiles")
            try statement.bind(1, id)
            while try statement.step() {
                let flags = EntryFlags(rawValue: statement.int(4) ?? 0)
                guard !flags.contains(.invalidated), let tile = statement.tile, isWanted(tile) else {
                    continue
                }
                count.bytes += statement.int(3) ?? 0
                if statement.int(5) == 1 { count.absent += 1 } else { count.tiles += 1 }
            }
            return count
        }
    }

    /// Returns the documents of a region.
    /// - Parameter isComing: True for the documents of the new editions.
    /// - Throws: `RegionStoreFailure`
    public func documents(
        of region: Int, isComing: Bool = false
    ) throws(RegionStoreFailure) -> [RegionDocument] {
        try read { (table) throws(StoreFailure) in try table.documents(of: region, isComing: isComing).found }
    }

    /// Returns the addresses of documents that a region lacks, or that are damaged.
    /// - Throws: `RegionStoreFailure`
    public func missingDocuments(of region: Int) throws(RegionStoreFailure) -> [String] {
        try documentFaults(of: region).map(\.address)
    }

    /// Returns the addresses of documents that a region lacks, or that are damaged.
    /// - Returns: The addresses, each with true if the document is stored but damaged.
    /// - Throws: `RegionStoreFailure`
    public func documentFaults(
        of region: Int
    ) throws(RegionStoreFailure) -> [(address: String, isDamaged: Bool)] {
        try read { (table) throws(StoreFailure) in try table.documents(of: region, isComing: false).faults }
    }

    /// Returns true if a tile is stored, or known not to exist, without reading its body.
    public func has(_ key: ResourceKey) -> Bool {
        (try? read { (table) throws(StoreFailure) in try table.has(key) }) ?? false
    }

    /// Marks tiles with damaged bodies. They remain stored, and the next download of their region fetches
    /// them again.
    /// - Throws: `RegionStoreFailure`
    public func invalidate(_ keys: [ResourceKey]) throws(RegionStoreFailure) {
        try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "mark damaged tiles") { () throws(StoreFailure) in
                for key in keys { try writer.table.invalidate(key) }
            }
        }
    }

    /// Checks the pages of the file. Others can read meanwhile.
    /// - Parameter isQuick: True to leave out the comparison of indexes with tables, which takes most of the
    ///   time.
    /// - Returns: The faults as sentences.
    /// - Throws: `RegionStoreFailure`
    public func integrityFaults(isQuick: Bool = false) throws(RegionStoreFailure) -> [String] {
        do throws(RegionStoreFailure) {
            return try makeReader().integrityFaults(isQuick: isQuick)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            return [reason]
        }
    }
}

extension ResponseTable {
    /// Returns the newest undamaged document that regions store for an address.
    func newestDocument(_ address: String) throws(StoreFailure) -> StoredResponse? {
        let statement = try connection.prepare(
            """
            SELECT id FROM origins JOIN entries ON origin = id WHERE kind = 1 AND address = ?1
            ORDER BY received DESC
            """, to: "find a document")
        try statement.bind(1, address)
        defer { statement.reset() }
        while try statement.step(), let id = statement.int(0) {
            if let found = try response(at: EntryKey(document: id))?.0, !found.isDamaged { return found }
        }
        return nil
    }

    func documents(
        of region: Int, isComing: Bool
    ) throws(StoreFailure) -> (found: [RegionDocument], faults: [(address: String, isDamaged: Bool)]) {
        let statement = try connection.prepare(
            "SELECT address, edition FROM region_documents WHERE region = ?1 AND stage = ?2",
            to: "list documents")
        try statement.bind(1, region)
        try statement.bind(2, isComing ? 1 : 0)
        var found: [RegionDocument] = [], faults: [(address: String, isDamaged: Bool)] = []
        while try statement.step() {
            let address = statement.text(0) ?? "", edition = statement.text(1) ?? ""
            var document: RegionDocument?
            if let origin = try originID(.document(address, edition: edition)) {
                document = try response(at: EntryKey(document: origin)).map {
                    RegionDocument(address: address, $0.0)
                }
            }
            // Documents stored by version 1 have no digest.
            if let document, !document.response.isDamaged, edition.isEmpty || document.edition == edition {
                found.append(document)
            } else {
                faults.append((address, document != nil))
            }
        }
        return (found, faults)
    }

    fileprivate func invalidate(_ key: ResourceKey) throws(StoreFailure) {
        guard let entry = try entry(of: key) else { return }
        try connection.run(
            """
            UPDATE entries SET flags = flags | \(EntryFlags.invalidated.rawValue)
            WHERE \(EntryKey.condition)
            """, entry.values)
    }

    /// Returns true if there is an entry, without reading its body.
    func has(_ key: ResourceKey) throws(StoreFailure) -> Bool {
        guard let entry = try entry(of: key) else { return false }
        let statement = try connection.prepare(
            "SELECT 1 FROM entries WHERE \(EntryKey.condition)", to: "find a response")
        try statement.bind(entry.values)
        return try statement.step()
    }
}

extension Connection {
    /// Prepares a statement for tiles of a source in the packs of a region.
    /// - Parameter isShared: True for the packs that other regions touch, too; false for the others.
    fileprivate func expiries(
        _ expiry: String, isShared: Bool, _ includesUnknown: Bool
    ) throws(StoreFailure) -> Statement {
        let zooms = ZoomGroup.all.flatMap { group in
            (group.lowest...group.highest).map { "(\(group.lowest), \($0))" }
        }
        return try prepare(
            """
            WITH zooms (low, zoom) AS (VALUES \(zooms.joined(separator: ", ")))
            SELECT \(expiry), entries.z, entries.x, entries.y FROM region_packs AS pack
                CROSS JOIN zooms ON low = pack.z CROSS JOIN entries
            WHERE pack.region = ?1 AND pack.origin = ?2 AND entries.origin = ?3 AND entries.z = zoom
                AND entries.x BETWEEN pack.x << (zoom - low) AND ((pack.x + 1) << (zoom - low)) - 1
                AND entries.y BETWEEN pack.y << (zoom - low) AND ((pack.y + 1) << (zoom - low)) - 1
                AND body IS NOT NULL AND lifetime >= \(includesUnknown ? 0 : 1)
                AND \(isShared ? "" : "NOT ")EXISTS (SELECT 1 FROM region_packs AS other
                    WHERE (other.origin, other.z, other.x, other.y) = (pack.origin, pack.z, pack.x, pack.y)
                        AND other.region <> pack.region)
            """, to: "find the earliest expiry")
    }
}

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
