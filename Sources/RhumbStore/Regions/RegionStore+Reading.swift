public import RhumbCore

/// What is stored of regions, tile by tile.
extension RegionStore {
    /// When the first of a region's tiles expires; nil if none is stored.
    /// - Throws: `RegionStoreFailure`
    public func earliestExpiry(of region: RegionRecord) throws(RegionStoreFailure) -> UnixSeconds? {
        try read { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                """
                SELECT min(received - age + lifetime) FROM entries
                WHERE origin IN (SELECT id FROM origins JOIN parts USING (\(TileOrigin.columns))
                    WHERE kind = 0 AND region = ?1 AND stage = 0) AND body IS NOT NULL AND lifetime > 0
                """, to: "find the earliest expiry")
            try statement.bind(1, region.number)
            defer { statement.reset() }
            guard try statement.step(), let moment = statement.int(0) else { return nil }
            return UnixSeconds(Int64(moment))
        }
    }

    /// The documents that a region carries.
    /// - Parameter isComing: those of the editions that are under way.
    /// - Throws: `RegionStoreFailure`
    public func documents(
        of region: Int, isComing: Bool = false
    ) throws(RegionStoreFailure) -> [RegionDocument] {
        try read { (table) throws(StoreFailure) in try table.documents(of: region, isComing: isComing).found }
    }

    /// The addresses of documents that a region should carry, and that are not there or not as they came.
    /// - Throws: `RegionStoreFailure`
    public func missingDocuments(of region: Int) throws(RegionStoreFailure) -> [String] {
        try read { (table) throws(StoreFailure) in try table.documents(of: region, isComing: false).missing }
    }

    /// Whether a tile is stored, or known not to exist; without reading its body.
    public func has(_ key: ResourceKey) -> Bool {
        (try? read { (table) throws(StoreFailure) in try table.has(key) }) ?? false
    }

    /// Marks tiles whose bodies are damaged: they stay, and the next work on their region fetches
    /// them anew.
    /// - Throws: `RegionStoreFailure`
    public func invalidate(_ keys: [ResourceKey]) throws(RegionStoreFailure) {
        try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "mark damaged tiles") { () throws(StoreFailure) in
                for key in keys { try writer.table.invalidate(key) }
            }
        }
    }

    /// Reads the pages of the file.
    /// - Returns: sentences about what is wrong; none when all is well.
    /// - Throws: `RegionStoreFailure`
    public func integrityFaults() throws(RegionStoreFailure) -> [String] {
        do throws(RegionStoreFailure) {
            return try foundFaults()
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            return [reason]
        }
    }

    private func foundFaults() throws(RegionStoreFailure) -> [String] {
        try read { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                "PRAGMA integrity_check(20)", to: "verify the regions")
            var faults: [String] = []
            while try statement.step() {
                let line = statement.text(0) ?? ""
                if line != "ok" { faults.append(SafeText.sanitised(line)) }
            }
            return faults
        }
    }
}

extension ResponseTable {
    /// Of several that regions carry under an address, the one that came last.
    func newestDocument(_ address: String) throws(StoreFailure) -> StoredResponse? {
        let statement = try connection.prepare(
            """
            SELECT id FROM origins JOIN entries ON origin = id WHERE kind = 1 AND address = ?1
            ORDER BY received DESC LIMIT 1
            """, to: "find a document")
        try statement.bind(1, address)
        defer { statement.reset() }
        guard try statement.step(), let id = statement.int(0) else { return nil }
        return try response(at: EntryPlace(document: id))?.0
    }

    func documents(
        of region: Int, isComing: Bool
    ) throws(StoreFailure) -> (found: [RegionDocument], missing: [String]) {
        let statement = try connection.prepare(
            "SELECT address, edition FROM region_documents WHERE region = ?1 AND stage = ?2",
            to: "list documents")
        try statement.bind(1, region)
        try statement.bind(2, isComing ? 1 : 0)
        var found: [RegionDocument] = [], missing: [String] = []
        while try statement.step() {
            let address = statement.text(0) ?? "", edition = statement.text(1) ?? ""
            var document: RegionDocument?
            if let origin = try originID(.document(address, edition: edition)) {
                document = try response(at: EntryPlace(document: origin)).map {
                    RegionDocument(address: address, $0.0)
                }
            }
            // Those of the first version have no digest.
            if let document, edition.isEmpty || document.edition == edition {
                found.append(document)
            } else {
                missing.append(address)
            }
        }
        return (found, missing)
    }

    fileprivate func invalidate(_ key: ResourceKey) throws(StoreFailure) {
        guard let place = try place(of: key) else { return }
        try connection.run(
            """
            UPDATE entries SET flags = flags | \(EntryFlags.invalidated.rawValue)
            WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4
            """, [.integer(place.origin), .integer(place.z), .integer(place.x), .integer(place.y)])
    }

    /// Whether there is an entry; its body is not read.
    func has(_ key: ResourceKey) throws(StoreFailure) -> Bool {
        guard let place = try place(of: key) else { return false }
        let statement = try connection.prepare(
            "SELECT 1 FROM entries WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4", to: "find a response")
        try statement.bind(1, place.origin)
        try statement.bind(2, place.z)
        try statement.bind(3, place.x)
        try statement.bind(4, place.y)
        return try statement.step()
    }
}
