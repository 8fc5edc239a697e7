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
                WHERE origin IN (SELECT id FROM origins WHERE key IN
                    (SELECT origin FROM parts WHERE region = ?1)) AND body IS NOT NULL
                """, to: "find the earliest expiry")
            try statement.bind(1, region.number)
            defer { statement.reset() }
            guard try statement.step(), let moment = statement.int(0) else { return nil }
            return UnixSeconds(Int64(moment))
        }
    }

    /// The keys of documents that a region should carry, and that are not there.
    /// - Throws: `RegionStoreFailure`
    public func missingDocuments(of region: Int) throws(RegionStoreFailure) -> [String] {
        try read { (table) throws(StoreFailure) in
            var missing: [String] = []
            for key in try table.connection.documents(of: region) where try !table.has(.document(key)) {
                missing.append(key)
            }
            return missing
        }
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
            let statement = try table.connection.prepare("PRAGMA integrity_check(20)", to: "verify the regions")
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
            "SELECT 1 FROM entries WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4", to: "look for an answer")
        try statement.bind(1, place.origin)
        try statement.bind(2, place.z)
        try statement.bind(3, place.x)
        try statement.bind(4, place.y)
        return try statement.step()
    }
}
