internal import RhumbCore

/// Removes the unused tiles of packs. It lists them first, and then removes them in the reverse order of
/// their bodies in the file, so that the end of the file becomes free and is truncated.
final class PackGarbageCollector {
    private struct Listed {
        let body: Int
        let size: Int
        let entry: EntryKey
    }

    /// The maximum number of tiles listed at a time.
    private static let limit = 100_000
    /// The number of bytes removed per transaction. SQLite never writes the freed pages while all of them fit
    /// into its cache.
    private static let part = 24 << 20
    /// The estimated size in bytes of a tile's row without its body.
    private static let rowBytes = 500

    private let table: ResponseTable
    /// The number of the region being removed, which no longer holds any tiles; nil if there is none.
    private let leaving: Int?
    private let findHolders, find: Statement
    private var listed: [Listed] = []

    init(_ table: ResponseTable, leaving: Int?) throws(StoreFailure) {
        self.table = table
        self.leaving = leaving
        findHolders = try table.connection.prepare(
            "SELECT region FROM region_packs WHERE \(EntryKey.condition)", to: "find the owners of a pack")
        find = try table.connection.prepare(
            "SELECT y, size, body FROM entries WHERE (origin, z, x) = (@origin, @z, @x) AND y BETWEEN @first AND @last",
            to: "find the tiles of a pack")
    }

    /// True if the listed tiles must be removed before listing more.
    var isFull: Bool { listed.count >= PackGarbageCollector.limit }

    /// Returns the numbers of the regions that touch a pack, except the one being removed.
    private func holders(of pack: TilePack, _ origin: TileOrigin) throws(StoreFailure) -> [Int] {
        try findHolders.bind(pack.values(of: origin))
        let holders = try findHolders.all { $0.int(0) ?? 0 }
        return holders.filter { $0 != leaving }
    }

    /// Lists the unused tiles of a pack, and counts those shared with other regions.
    func list(
        _ pack: TilePack, of origin: TileOrigin, _ id: Int, _ isHeld: TileClaim,
        _ removal: inout RegionRemoval
    ) throws(StoreFailure) {
        let holders = try holders(of: pack, origin)
        for zoom in pack.group.zooms {
            let levels = zoom - pack.top.zoom, side = 1 << levels
            for x in (pack.top.x << levels)..<(pack.top.x << levels) + side {
                let first = pack.top.y << levels
                try find.bind(["origin": id, "z": zoom, "x": x, "first": first, "last": first + side - 1])
                while try find.step() {
                    guard let tile = TileID(zoom: zoom, x: x, y: find.int(0) ?? -1) else { continue }
                    guard holders.isEmpty || !isHeld(holders, origin, tile) else {
                        if leaving.map({ isHeld([$0], origin, tile) }) ?? true { countShared(&removal) }
                        continue
                    }
                    list(tile, of: id, &removal)
                }
            }
        }
    }

    /// Counts the row's tile, which another region holds. Tiles known not to exist don't count.
    private func countShared(_ removal: inout RegionRemoval) {
        guard find.int(2) != nil else { return }
        removal.sharedTiles += 1
        removal.sharedBytes += find.int(1) ?? 0
    }

    /// Lists the row's tile for removal.
    private func list(_ tile: TileID, of id: Int, _ removal: inout RegionRemoval) {
        let size = find.int(1) ?? 0
        removal.tiles += 1
        let entry = EntryKey(origin: id, z: tile.zoom, x: tile.x, y: tile.y)
        listed.append(Listed(body: find.int(2) ?? 0, size: size, entry: entry))
    }

    /// Removes the listed tiles.
    /// - Parameter inParts: True to use several transactions, which lets others write in between and limits
    ///   memory use; false within a transaction.
    func removeListed(inParts: Bool) throws(StoreFailure) {
        listed.sort { $0.body < $1.body }
        while !listed.isEmpty {
            if inParts {
                try table.connection.transaction(to: "remove tiles") { () throws(StoreFailure) in
                    try removePart()
                }
            } else {
                try removePart()
            }
        }
    }

    private func removePart() throws(StoreFailure) {
        var bytes = 0
        while bytes < PackGarbageCollector.part, let tile = listed.popLast() {
            try table.remove(tile.entry)
            bytes += tile.size + PackGarbageCollector.rowBytes
        }
    }
}

extension Connection {
    /// Returns the numbers of the regions that touch a pack.
    func holders(of pack: TilePack, _ origin: TileOrigin) throws(StoreFailure) -> [Int] {
        let statement = try prepare(
            "SELECT region FROM region_packs WHERE \(EntryKey.condition)", to: "find the owners of a pack")
        try statement.bind(pack.values(of: origin))
        return try statement.all { $0.int(0) ?? 0 }
    }
}

extension TilePack {
    /// The values of the key of `region_packs`.
    func values(of origin: TileOrigin) -> SQLValues {
        ["origin": origin.key, "z": top.zoom, "x": top.x, "y": top.y]
    }
}
