public import RhumbCore

/// Updating regions while browsing.
extension RegionStore {
    /// Returns true if a finished region stores a pack completely rather than only some of its tiles.
    public func holdsWhole(_ pack: TilePack, of origin: TileOrigin) -> Bool {
        let holders =
            (try? read { (table) throws(StoreFailure) in try table.connection.holders(of: pack, origin) })
            ?? []
        guard !holders.isEmpty, let regions = try? regions() else { return false }
        return regions.contains { region in
            holders.contains(region.number) && region.definition?.packing == .wholePacks
                && [.complete, .completeWithGaps].contains(region.state)
        }
    }

    /// Replaces a stored response with a newer one, and removes the gap of a finished region. Does nothing
    /// for a tile that no region needs.
    public func renew(_ key: ResourceKey, with response: StoredResponse, at now: UnixSeconds) {
        let isStored = has(key)
        try? write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "update a tile") { () throws(StoreFailure) in
                let gaps = try writer.gaps(at: key)
                guard isStored || !gaps.isEmpty else { return }
                var response = response
                // Viewed tiles arrive unpacked.
                if case .tile = key { response.body = response.body.map(TileBody.packed) }
                try writer.table.put(response, for: key, used: now)
                for region in gaps { try writer.close(key, of: region, with: response, at: now) }
            }
        }
    }
}

extension RegionWriter {
    /// Returns the numbers of the regions that finished without a tile, or without updating it.
    fileprivate func gaps(at key: ResourceKey) throws(StoreFailure) -> [Int] {
        guard case .tile(let origin, let tile) = key else { return [] }
        let statement = try connection.prepare(
            """
            SELECT region FROM gaps JOIN parts USING (region, stage, place) JOIN regions ON number = region
            WHERE state = \(RegionState.completeWithGaps.rawValue) AND stage = 0
                AND (\(TileOrigin.columns)) = (\(TileOrigin.parameters)) AND (z, x, y) = (@z, @x, @y)
            """, to: "look for gaps")
        defer { statement.reset() }
        try statement.bind(origin.values)
        try statement.bind(["z": tile.zoom, "x": tile.x, "y": tile.y])
        return try statement.all { $0.int(0) ?? 0 }
    }

    fileprivate func close(
        _ key: ResourceKey, of region: Int, with response: StoredResponse, at now: UnixSeconds
    ) throws(StoreFailure) {
        guard case .tile(let origin, let tile) = key else { return }
        let find = try connection.prepare(
            """
            SELECT place FROM parts
            WHERE region = @region AND stage = 0 AND (\(TileOrigin.columns)) = (\(TileOrigin.parameters))
            """, to: "find a source of a region")
        try find.bind("region", region)
        try find.bind(origin.values)
        guard try find.step(), let index = find.int(0) else { return }
        find.reset()
        try connection.run(
            "DELETE FROM gaps WHERE (region, stage, place, z, x, y) = (@region, 0, @index, @z, @x, @y)",
            ["region": region, "index": index, "z": tile.zoom, "x": tile.x, "y": tile.y])
        try connection.run(
            """
            UPDATE parts SET failed = failed - 1, done = done + @found, absent = absent + 1 - @found,
                bytes = bytes + @bytes
            WHERE region = @region AND stage = 0 AND place = @index
            """,
            [
                "region": region, "index": index, "found": response.body == nil ? 0 : 1,
                "bytes": response.body?.count ?? 0,
            ])
        try connection.run(
            """
            UPDATE regions SET state = \(RegionState.complete.rawValue), reason = '', changed = @now,
                refresh = NULL
            WHERE number = @region AND NOT EXISTS (SELECT 1 FROM gaps WHERE region = @region AND stage = 0)
            """, ["region": region, "now": Int(now.value)])
    }
}
