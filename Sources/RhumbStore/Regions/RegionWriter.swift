internal import RhumbCore

/// The statements that write regions. Used by one thread at a time.
final class RegionWriter {
    let connection: Connection
    let table: ResponseTable
    private let setPart, addGap, removeGap: Statement

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        table = try ResponseTable(connection)
        setPart = try connection.prepare(
            "INSERT OR REPLACE INTO parts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            to: "note how far a region is")
        addGap = try connection.prepare(
            "INSERT OR REPLACE INTO gaps VALUES (?1, ?2, ?3, ?4, ?5, ?6)", to: "note a gap")
        removeGap = try connection.prepare(
            "DELETE FROM gaps WHERE region = ?1 AND origin = ?2 AND z = ?3 AND x = ?4 AND y = ?5",
            to: "close a gap")
    }

    func commit(_ batch: RegionBatch, at now: UnixSeconds) throws(StoreFailure) {
        table.forgetOrigins()
        try connection.transaction(to: "store a region's tiles") { () throws(StoreFailure) in
            for (tile, outcome) in batch.outcomes {
                try store(outcome, of: tile, batch, now)
            }
            try set(batch.part, of: batch.region)
        }
    }

    private func store(
        _ outcome: TileOutcome, of tile: TileID, _ batch: RegionBatch, _ now: UnixSeconds
    ) throws(StoreFailure) {
        let key = ResourceKey.tile(origin: batch.part.origin, tile)
        switch outcome {
        case .fetched(let response), .reused(let response): try table.put(response, for: key, used: now)
        case .unchanged(let freshness, let headers, _): try table.prolong(key, freshness, headers: headers)
        case .present: break
        case .failed(let reason):
            try bind(tile, of: batch, to: addGap)
            try addGap.bind(6, SafeText.sanitised(reason, limit: 300))
            try addGap.step()
            return
        }
        try bind(tile, of: batch, to: removeGap)
        try removeGap.step()
    }

    private func bind(_ tile: TileID, of batch: RegionBatch, to statement: Statement) throws(StoreFailure) {
        try statement.bind(1, batch.region)
        try statement.bind(2, batch.part.origin)
        try statement.bind(3, tile.zoom)
        try statement.bind(4, tile.x)
        try statement.bind(5, tile.y)
    }

    func set(_ part: RegionPart, of region: Int) throws(StoreFailure) {
        try setPart.bind(1, region)
        try setPart.bind(2, part.origin)
        let counts = [
            part.planned, part.done, part.absent, part.failed, part.reused, part.unchanged, part.bytes, part.requests,
        ]
        for (at, count) in counts.enumerated() { try setPart.bind(3 + at, count) }
        try setPart.bind(11, part.cursor?.description ?? "")
        try setPart.bind(12, part.ahead.sorted().map(\.description).joined(separator: " "))
        try setPart.step()
    }

    /// Bytes of the pages in use.
    func liveBytes() throws(StoreFailure) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    /// Gives up to so many unused pages back to the disk.
    /// - Returns: whether there are more.
    func giveBackSpace(pages: Int) throws(StoreFailure) -> Bool {
        let vacuum = try connection.prepare("PRAGMA incremental_vacuum(\(pages))", to: "give back disk space")
        while try vacuum.step() {}
        return try connection.integer("PRAGMA freelist_count") > 0
    }
}

extension RegionPart {
    /// From a row of `parts`, the region first.
    init(_ row: Statement) {
        self.init(origin: row.text(1) ?? "", planned: row.int(2) ?? 0)
        done = row.int(3) ?? 0
        absent = row.int(4) ?? 0
        failed = row.int(5) ?? 0
        reused = row.int(6) ?? 0
        unchanged = row.int(7) ?? 0
        bytes = row.int(8) ?? 0
        requests = row.int(9) ?? 0
        cursor = TileID(text: row.text(10) ?? "")
        ahead = Set((row.text(11) ?? "").split(separator: " ").compactMap { TileID(text: String($0)) })
    }
}

extension TileID {
    /// From "z/x/y"; nil for anything else.
    init?(text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let zoom = numbers[0], let x = numbers[1], let y = numbers[2] else { return nil }
        self.init(zoom: zoom, x: x, y: y)
    }
}
