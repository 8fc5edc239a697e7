public import RhumbCore

/// Whether one of some regions, by number, wants a tile of a source that all of them touch the
/// pack of.
public typealias RegionClaim = @Sendable (_ regions: [Int], _ origin: String, TileID) -> Bool

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
    /// - Parameter isHeld: asked only where that is not clear from the packs.
    /// - Throws: `RegionStoreFailure`
    public func remove(
        _ region: RegionRecord, isHeld: @escaping RegionClaim
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
    fileprivate func remove(_ region: Int, isHeld: RegionClaim) throws(StoreFailure) -> RegionRemoval {
        let packs = try packs(of: region)
        for name in ["parts", "region_packs", "gaps", "region_documents", "workers"] {
            try connection.run("DELETE FROM \(name) WHERE region = ?1", [.integer(region)])
        }
        try connection.run("DELETE FROM regions WHERE number = ?1", [.integer(region)])
        try sweepDocuments()
        return try sweep(packs, isHeld: isHeld)
    }

    /// The packs a region touches.
    func packs(of region: Int) throws(StoreFailure) -> [(origin: String, pack: TilePack)] {
        let statement = try connection.prepare(
            "SELECT origin, z, x, y FROM region_packs WHERE region = ?1", to: "find the packs of a region")
        try statement.bind(1, region)
        var packs: [(origin: String, pack: TilePack)] = []
        while try statement.step() {
            guard let top = TileID(zoom: statement.int(1) ?? -1, x: statement.int(2) ?? -1, y: statement.int(3) ?? -1),
                let pack = TilePack(top: top)
            else { continue }
            packs.append((statement.text(0) ?? "", pack))
        }
        return packs
    }

    /// Removes what is stored of packs, as far as no region wants it.
    func sweep(
        _ packs: [(origin: String, pack: TilePack)], isHeld: RegionClaim
    ) throws(StoreFailure) -> RegionRemoval {
        table.forgetOrigins()
        var removal = RegionRemoval()
        let sweeper = try PackSweeper(connection)
        for (origin, pack) in packs {
            guard let id = try table.originID(origin) else { continue }
            let holders = try sweeper.holders(of: pack, origin)
            if holders.isEmpty {
                removal.tiles += try sweeper.removeAll(of: pack, origin: id)
            } else {
                try sweeper.removeSome(of: pack, origin: id, &removal) { isHeld(holders, origin, $0) }
            }
        }
        return removal
    }

    /// Removes documents that no region carries.
    func sweepDocuments() throws(StoreFailure) {
        try connection.run(
            """
            DELETE FROM entries WHERE z = -1 AND origin NOT IN
                (SELECT id FROM origins JOIN region_documents ON document = key)
            """, [])
    }
}

/// The statements that remove the tiles of packs.
private struct PackSweeper {
    private let connection: Connection
    private let findHolders, list, removeRange, removeTile: Statement

    private static let within = "origin = ?1 AND z = ?2 AND x BETWEEN ?3 AND ?4 AND y BETWEEN ?5 AND ?6"

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        findHolders = try connection.prepare(
            "SELECT region FROM region_packs WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4",
            to: "find who holds a pack")
        list = try connection.prepare(
            "SELECT x, y, size FROM entries WHERE \(PackSweeper.within)", to: "find the tiles of a pack")
        removeRange = try connection.prepare("DELETE FROM entries WHERE \(PackSweeper.within)", to: "remove a pack")
        removeTile = try connection.prepare(
            "DELETE FROM entries WHERE origin = ?1 AND z = ?2 AND x = ?3 AND y = ?4", to: "remove a tile")
    }

    /// The numbers of the regions that touch a pack.
    func holders(of pack: TilePack, _ origin: String) throws(StoreFailure) -> [Int] {
        try findHolders.bind(1, origin)
        try findHolders.bind(2, pack.top.zoom)
        try findHolders.bind(3, pack.top.x)
        try findHolders.bind(4, pack.top.y)
        var holders: [Int] = []
        while try findHolders.step() { holders.append(findHolders.int(0) ?? 0) }
        return holders
    }

    /// - Returns: how many tiles there were.
    func removeAll(of pack: TilePack, origin: Int) throws(StoreFailure) -> Int {
        var removed = 0
        for zoom in pack.group.zooms {
            try bind(pack, zoom, origin, to: removeRange)
            try removeRange.step()
            removed += connection.changedRows
        }
        return removed
    }

    func removeSome(
        of pack: TilePack, origin: Int, _ removal: inout RegionRemoval, isHeld: (TileID) -> Bool
    ) throws(StoreFailure) {
        for zoom in pack.group.zooms {
            try bind(pack, zoom, origin, to: list)
            var free: [TileID] = []
            while try list.step() {
                guard let tile = TileID(zoom: zoom, x: list.int(0) ?? -1, y: list.int(1) ?? -1) else { continue }
                if isHeld(tile) {
                    removal.sharedTiles += 1
                    removal.sharedBytes += list.int(2) ?? 0
                } else {
                    free.append(tile)
                }
            }
            for tile in free { try remove(tile, origin) }
            removal.tiles += free.count
        }
    }

    private func remove(_ tile: TileID, _ origin: Int) throws(StoreFailure) {
        for (at, value) in [origin, tile.zoom, tile.x, tile.y].enumerated() { try removeTile.bind(at + 1, value) }
        try removeTile.step()
    }

    private func bind(_ pack: TilePack, _ zoom: Int, _ origin: Int, to statement: Statement) throws(StoreFailure) {
        let levels = zoom - pack.top.zoom, last = (1 << levels) - 1
        let x = pack.top.x << levels, y = pack.top.y << levels
        for (at, value) in [origin, zoom, x, x + last, y, y + last].enumerated() { try statement.bind(at + 1, value) }
    }
}
