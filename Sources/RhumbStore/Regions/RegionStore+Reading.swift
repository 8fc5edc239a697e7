public import RhumbCore

/// Reading the stored tiles and documents of regions.
extension RegionStore {
    /// Returns the earliest expiry time of a region's tiles; nil if none is stored.
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
        try read { (table) throws(StoreFailure) in try table.documents(of: region, isComing: false).missing }
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
    /// Returns the newest of the documents that regions store for an address.
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
            // Documents stored by version 1 have no digest.
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

    /// Returns true if there is an entry, without reading its body.
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
