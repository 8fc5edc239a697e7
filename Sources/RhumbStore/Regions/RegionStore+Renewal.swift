public import RhumbCore

/// What browsing brings to regions.
extension RegionStore {
    /// Puts a newer answer in the place of a stored one, and one that a finished region lacks into
    /// its gap; nothing happens to what no region wants.
    public func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds) {
        let isStored = has(key)
        try? write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "renew a tile") { () throws(StoreFailure) in
                let gaps = isStored ? [] : try writer.gaps(at: key)
                guard isStored || !gaps.isEmpty else { return }
                try writer.table.put(response, for: key, used: now)
                for region in gaps { try writer.close(key, of: region, with: response, at: now) }
            }
        }
    }
}

extension RegionWriter {
    /// The numbers of the regions that ended without a tile.
    fileprivate func gaps(at key: ResourceKey) throws(StoreFailure) -> [Int] {
        guard case .tile(let origin, let tile) = key else { return [] }
        let statement = try connection.prepare(
            """
            SELECT region FROM gaps JOIN regions ON number = region
            WHERE state = \(RegionState.completeWithGaps.rawValue) AND origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4
            """, to: "look for gaps")
        defer { statement.reset() }
        try statement.bind(1, origin)
        try statement.bind(2, tile.zoom)
        try statement.bind(3, tile.x)
        try statement.bind(4, tile.y)
        var regions: [Int] = []
        while try statement.step() { regions.append(statement.int(0) ?? 0) }
        return regions
    }

    fileprivate func close(
        _ key: ResourceKey, of region: Int, with response: StoredResponse, at now: UnixSeconds
    ) throws(StoreFailure) {
        guard case .tile(let origin, let tile) = key else { return }
        try connection.run(
            "DELETE FROM gaps WHERE region = ?1 AND origin = ?2 AND z = ?3 AND x = ?4 AND y = ?5",
            [.integer(region), .text(origin), .integer(tile.zoom), .integer(tile.x), .integer(tile.y)])
        try connection.run(
            """
            UPDATE parts SET failed = failed - 1, done = done + ?3, absent = absent + 1 - ?3, bytes = bytes + ?4
            WHERE region = ?1 AND origin = ?2
            """,
            [
                .integer(region), .text(origin), .integer(response.body == nil ? 0 : 1),
                .integer(response.body?.count ?? 0),
            ])
        try connection.run(
            """
            UPDATE regions SET state = \(RegionState.complete.rawValue), changed = ?2
            WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM gaps WHERE region = ?1)
            """, [.integer(region), .integer(Int(now.value))])
    }
}
