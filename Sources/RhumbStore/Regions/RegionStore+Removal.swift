public import RhumbCore
internal import RhumbEngine

/// Returns true if at least one of the regions with these numbers covers a tile of a source. All of them
/// touch the tile's pack.
public typealias TileClaim = @Sendable (_ regions: [Int], _ origin: TileOrigin, TileID) -> Bool

/// The result of removing a region.
public struct RegionRemoval: Sendable, Equatable {
    /// The number of removed tiles.
    public var tiles = 0
    /// The number of bytes by which the file shrank.
    public var freedBytes = 0
    /// The number of the region's tiles that stay because other regions hold them.
    public var sharedTiles = 0
    /// The size of those tiles' bodies, in bytes.
    public var sharedBytes = 0
}

extension RegionStore {
    /// Removes a region and every tile that no other region holds, and returns the space to the disk. If
    /// interrupted, the region stays, and can be removed or downloaded again.
    /// - Parameter isHeld: Called for tiles in packs that other regions touch, and also with the number of
    ///   the removed region.
    /// - Throws: `RegionStoreFailure`
    public func remove(
        _ region: RegionRecord, isHeld: @escaping TileClaim
    ) throws(RegionStoreFailure) -> RegionRemoval {
        let before = bytesOnDisk
        try setState(
            .cancelled, of: region.number, reason: "removal was interrupted; remove it again", at: .now)
        // If it is downloaded again instead, the removed tiles must not count as stored.
        let region = try restart(region)
        var removal = try write { (writer) throws(StoreFailure) in
            try writer.connection.cuttingItsFile { () throws(StoreFailure) in
                var removal = try writer.remove(region.number, isHeld: isHeld)
                for part in region.parts + region.coming {
                    removal.tiles += try writer.sweepOrphans(of: part.origin.key)
                }
                return removal
            }
        }
        // The region is gone even if another process keeps reading or writing, so that the space can't be
        // returned now. Its pages are used again, or returned by the next removal.
        do throws(RegionStoreFailure) { try compact() } catch {
            FailureLog.note("regions", "can't return the space of \(region.id): \(error)")
        }
        removal.freedBytes = max(before - bytesOnDisk, 0)
        post(.removed(id: region.id))
        return removal
    }

    /// Removes tiles that no region holds, left by a process that wrote them after losing its region.
    /// - Returns: The number of tiles.
    /// - Throws: `RegionStoreFailure`
    public func sweepOrphans() throws(RegionStoreFailure) -> Int {
        let count = try write { (writer) throws(StoreFailure) in
            var count = 0
            for key in try writer.connection.editions().keys { count += try writer.sweepOrphans(of: key) }
            return count
        }
        if count > 0 { try compact() }
        return count
    }

    /// Returns all unused pages to the disk, in slices that let others write in between.
    func compact() throws(RegionStoreFailure) {
        while try write({ (writer) throws(StoreFailure) in try writer.giveBackSpace(pages: 4096) }) {}
        try write { (writer) throws(StoreFailure) in try writer.connection.emptyLog() }
    }
}

extension RegionWriter {
    fileprivate func remove(_ region: Int, isHeld: TileClaim) throws(StoreFailure) -> RegionRemoval {
        let removal = try sweep(packs(of: region), leaving: region, inParts: true, isHeld: isHeld)
        try connection.transaction(to: "remove a region") { () throws(StoreFailure) in
            for name in ["parts", "region_packs", "gaps", "region_documents", "workers"] {
                try connection.run("DELETE FROM \(name) WHERE region = @region", ["region": region])
            }
            try connection.run("DELETE FROM regions WHERE number = @region", ["region": region])
            try sweepDocuments()
        }
        return removal
    }

    /// Returns the packs that a region touches.
    func packs(of region: Int) throws(StoreFailure) -> [(key: String, pack: TilePack)] {
        let statement = try connection.prepare(
            "SELECT origin, z, x, y FROM region_packs WHERE region = ?1", to: "find the packs of a region")
        try statement.bind(1, region)
        return try statement.all { row in
            row.tile.flatMap { TilePack(top: $0) }.map { (row.text(0) ?? "", $0) }
        }
    }

    /// Removes the tiles of packs that no region uses.
    /// - Parameters:
    ///   - leaving: The number of a region that is being removed.
    ///   - inParts: True for several transactions; false within a transaction.
    func sweep(
        _ packs: [(key: String, pack: TilePack)], leaving: Int? = nil, inParts: Bool = false,
        isHeld: TileClaim
    ) throws(StoreFailure) -> RegionRemoval {
        table.forgetOrigins()
        var removal = RegionRemoval()
        let sweeper = try PackGarbageCollector(table, leaving: leaving)
        let editions = try connection.editions()
        for (key, pack) in packs {
            for (id, origin) in editions[key] ?? [] {
                try sweeper.list(pack, of: origin, id, isHeld, &removal)
            }
            if sweeper.isFull { try sweeper.removeListed(inParts: inParts) }
        }
        try sweeper.removeListed(inParts: inParts)
        return removal
    }

    /// Removes the tiles of a source, in all editions, from packs that no region touches.
    /// - Returns: The number of tiles.
    fileprivate func sweepOrphans(of key: String) throws(StoreFailure) -> Int {
        table.forgetOrigins()
        var removal = RegionRemoval()
        let sweeper = try PackGarbageCollector(table, leaving: nil)
        for (id, origin) in try connection.editions()[key] ?? [] {
            for pack in try connection.orphans(of: id, key) {
                // Checked again within the transaction, because another process may have created a region
                // there.
                try connection.transaction(to: "remove unused tiles") { () throws(StoreFailure) in
                    try sweeper.list(pack, of: origin, id, { _, _, _ in true }, &removal)
                    try sweeper.removeListed(inParts: false)
                }
            }
        }
        return removal.tiles
    }

    /// Removes documents that no region carries.
    func sweepDocuments() throws(StoreFailure) {
        try connection.run(
            """
            DELETE FROM entries WHERE z = -1 AND origin NOT IN
                (SELECT id FROM origins JOIN region_documents USING (address, edition) WHERE kind = 1)
            """)
    }
}

extension Connection {
    /// Returns the origins of all tiles, by the key that the editions of a source share.
    fileprivate func editions() throws(StoreFailure) -> [String: [(id: Int, origin: TileOrigin)]] {
        let statement = try prepare(
            "SELECT id, \(TileOrigin.columns) FROM origins WHERE kind = 0", to: "find the editions")
        var editions: [String: [(id: Int, origin: TileOrigin)]] = [:]
        while try statement.step() {
            let origin = TileOrigin(row: statement)
            editions[origin.key, default: []].append((statement.int("id") ?? 0, origin))
        }
        return editions
    }

    /// Returns the packs of an origin that contain tiles and that no region touches.
    fileprivate func orphans(of origin: Int, _ key: String) throws(StoreFailure) -> [TilePack] {
        let statement = try prepare(
            """
            SELECT DISTINCT x >> (z - @lowest), y >> (z - @lowest) FROM entries
            WHERE origin = @origin AND z BETWEEN @lowest AND @highest
            EXCEPT SELECT x, y FROM region_packs WHERE origin = @key AND z = @lowest
            """, to: "find tiles of no region")
        var packs: [TilePack] = []
        for group in ZoomGroup.all {
            try statement.bind(
                ["origin": origin, "lowest": group.lowest, "highest": group.highest, "key": key])
            packs += try statement.all { row in
                TileID(zoom: group.lowest, x: row.int(0) ?? -1, y: row.int(1) ?? -1).flatMap {
                    TilePack(top: $0)
                }
            }
        }
        return packs
    }
}
