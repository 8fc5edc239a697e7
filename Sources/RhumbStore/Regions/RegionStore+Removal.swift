public import RhumbCore

/// What the removal of a region brought.
public struct RegionRemoval: Sendable, Equatable {
    /// Tiles that are gone.
    public var tiles = 0
    /// Bytes the file became smaller by.
    public var freedBytes = 0
    /// Tiles that stay because other regions hold them.
    public var sharedTiles = 0
    public var sharedBytes = 0
}

extension RegionStore {
    /// Removes a region and every tile that no other region holds, and gives the space back to
    /// the disk.
    /// - Parameter isHeld: whether one of the other regions, by number, wants a tile of a pack that
    ///   both touch; asked only where that is not clear from the packs.
    /// - Throws: `RegionStoreFailure`
    public func remove(
        _ region: RegionRecord, isHeld: @Sendable ([Int], String, TileID) -> Bool
    ) throws(RegionStoreFailure) -> RegionRemoval {
        let before = bytesOnDisk
        var removal = try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "remove a region") { () throws(StoreFailure) in
                try writer.remove(region.number, isHeld: isHeld)
            }
        }
        try compact()
        removal.freedBytes = max(before - bytesOnDisk, 0)
        return removal
    }

    /// Gives all unused pages back, in slices between which others may write.
    func compact() throws(RegionStoreFailure) {
        while try write({ (writer) throws(StoreFailure) in try writer.giveBackSpace(pages: 4096) }) {}
        _ = try write { (writer) throws(StoreFailure) in
            try writer.connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}

extension RegionWriter {
    fileprivate func remove(
        _ region: Int, isHeld: ([Int], String, TileID) -> Bool
    ) throws(StoreFailure) -> RegionRemoval {
        table.forgetOrigins()
        var removal = RegionRemoval()
        for (origin, pack, others) in try packs(of: region) {
            guard let id = try originID(origin) else { continue }
            if others.isEmpty {
                removal.tiles += try removeAll(of: pack, origin: id)
            } else {
                try removeSome(of: pack, origin: (id, origin), &removal) { isHeld(others, origin, $0) }
            }
        }
        for name in ["parts", "region_packs", "gaps", "region_documents", "workers"] {
            try connection.run("DELETE FROM \(name) WHERE region = ?1", [.integer(region)])
        }
        try connection.run("DELETE FROM regions WHERE number = ?1", [.integer(region)])
        try connection.run(
            """
            DELETE FROM entries WHERE z = -1 AND origin NOT IN
                (SELECT id FROM origins JOIN region_documents ON document = key)
            """, [])
        return removal
    }

    /// The packs of a region, each with the other regions that touch it.
    private func packs(of region: Int) throws(StoreFailure) -> [(origin: String, pack: TilePack, others: [Int])] {
        let statement = try connection.prepare(
            """
            SELECT mine.origin, mine.z, mine.x, mine.y, group_concat(other.region) FROM region_packs AS mine
            LEFT JOIN region_packs AS other ON other.origin = mine.origin AND other.z = mine.z
                AND other.x = mine.x AND other.y = mine.y AND other.region != mine.region
            WHERE mine.region = ?1 GROUP BY 1, 2, 3, 4
            """, to: "find the packs of a region")
        try statement.bind(1, region)
        var packs: [(origin: String, pack: TilePack, others: [Int])] = []
        while try statement.step() {
            guard let top = TileID(zoom: statement.int(1) ?? -1, x: statement.int(2) ?? -1, y: statement.int(3) ?? -1),
                let pack = TilePack(top: top)
            else { continue }
            let others = (statement.text(4) ?? "").split(separator: ",").compactMap { Int($0) }
            packs.append((statement.text(0) ?? "", pack, others))
        }
        return packs
    }

    private func originID(_ key: String) throws(StoreFailure) -> Int? {
        let statement = try connection.prepare("SELECT id FROM origins WHERE key = ?1", to: "find a source")
        try statement.bind(1, key)
        defer { statement.reset() }
        return try statement.step() ? statement.int(0) : nil
    }

    private func removeAll(of pack: TilePack, origin: Int) throws(StoreFailure) -> Int {
        var removed = 0
        for zoom in pack.group.zooms {
            try connection.run(
                "DELETE FROM entries WHERE \(RegionWriter.within(pack, zoom))", [.integer(origin)])
            removed += connection.changedRows
        }
        return removed
    }

    private func removeSome(
        of pack: TilePack, origin: (id: Int, key: String), _ removal: inout RegionRemoval, isHeld: (TileID) -> Bool
    ) throws(StoreFailure) {
        for zoom in pack.group.zooms {
            let statement = try connection.prepare(
                "SELECT x, y, size FROM entries WHERE \(RegionWriter.within(pack, zoom))", to: "find the tiles of a pack")
            try statement.bind(1, origin.id)
            var free: [TileID] = []
            while try statement.step() {
                guard let tile = TileID(zoom: zoom, x: statement.int(0) ?? -1, y: statement.int(1) ?? -1) else { continue }
                if isHeld(tile) {
                    removal.sharedTiles += 1
                    removal.sharedBytes += statement.int(2) ?? 0
                } else {
                    free.append(tile)
                }
            }
            for tile in free { try table.remove(.tile(origin: origin.key, tile)) }
            removal.tiles += free.count
        }
    }

    /// SQL for the tiles of a pack at a zoom; parameter 1 is the origin.
    private static func within(_ pack: TilePack, _ zoom: Int) -> String {
        let levels = zoom - pack.top.zoom, last = (1 << levels) - 1
        let x = pack.top.x << levels, y = pack.top.y << levels
        return "origin = ?1 AND z = \(zoom) AND x BETWEEN \(x) AND \(x + last) AND y BETWEEN \(y) AND \(y + last)"
    }
}
