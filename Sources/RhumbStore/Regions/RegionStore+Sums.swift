public import RhumbCore

/// Sums of stored tiles by zoom, for plans.
extension RegionStore {
    /// Returns the sizes of a source's stored tiles, by zoom.
    /// - Throws: `RegionStoreFailure`
    public func samples(origin: TileOrigin) throws(RegionStoreFailure) -> [Int: ByteSample] {
        try read { (table) throws(StoreFailure) in try table.samples(origin: origin) }
    }

    /// Returns the number of stored and fresh tiles of a zoom for which `isMeant` is true.
    /// - Throws: `RegionStoreFailure`
    public func freshCount(
        origin: TileOrigin, zoom: Int, at now: UnixSeconds, isMeant: @Sendable (TileID) -> Bool
    ) throws(RegionStoreFailure) -> Int {
        try read { (table) throws(StoreFailure) in try table.freshCount(origin, zoom, now, isMeant) }
    }
}

extension SharedCache {
    /// Returns the number of cached and fresh tiles of a zoom for which `isMeant` is true.
    public func freshTiles(
        origin: TileOrigin, zoom: Int, at now: UnixSeconds, isMeant: @Sendable (TileID) -> Bool
    ) -> Int {
        flush()
        return scan { (table) throws(StoreFailure) in try table.freshCount(origin, zoom, now, isMeant) } ?? 0
    }

    /// Returns the sizes of a source's cached tiles, by zoom.
    public func samples(origin: TileOrigin) -> [Int: ByteSample] {
        scan { (table) throws(StoreFailure) in try table.samples(origin: origin) } ?? [:]
    }
}

extension ResponseTable {
    fileprivate func samples(origin: TileOrigin) throws(StoreFailure) -> [Int: ByteSample] {
        let statement = try connection.prepare(
            """
            SELECT z, count(*), sum(size), sum(1.0 * size * size) FROM entries
            WHERE origin IN (SELECT id FROM origins WHERE kind = 0 AND \(TileOrigin.isEdition))
                AND body IS NOT NULL GROUP BY z
            """, to: "learn the sizes of tiles")
        try statement.bind(origin.sourceValues)
        var samples: [Int: ByteSample] = [:]
        while try statement.step() {
            samples[statement.int(0) ?? 0] = ByteSample(
                count: statement.int(1) ?? 0, sum: statement.double(2) ?? 0,
                sumOfSquares: statement.double(3) ?? 0)
        }
        return samples
    }

    fileprivate func freshCount(
        _ origin: TileOrigin, _ zoom: Int, _ now: UnixSeconds, _ isMeant: (TileID) -> Bool
    ) throws(StoreFailure) -> Int {
        guard let id = try originID(origin) else { return 0 }
        let statement = try connection.prepare(
            "SELECT x, y FROM entries WHERE origin = @origin AND z = @zoom AND \(CacheFilter.isFresh)",
            to: "count fresh tiles")
        try statement.bind(["now": Int(now.value), "origin": id, "zoom": zoom])
        var count = 0
        while try statement.step() {
            guard let tile = TileID(zoom: zoom, x: statement.int(0) ?? -1, y: statement.int(1) ?? -1) else {
                continue
            }
            if isMeant(tile) { count += 1 }
        }
        return count
    }
}
