internal import RhumbCore
internal import RhumbEngine

/// The statements that write regions. Used by one thread at a time.
final class RegionWriter {
    let connection: Connection
    let table: ResponseTable
    private let setPart, findGap, addGap, removeGap: Statement
    /// The last definition written and its text, because most batches have the same one.
    private var lastDefinition: (value: SourceDefinition, text: String)?

    init(_ connection: Connection) throws(StoreFailure) {
        self.connection = connection
        table = try ResponseTable(connection)
        setPart = try connection.prepare(
            """
            INSERT OR REPLACE INTO parts VALUES (@region, @stage, @index, \(TileOrigin.parameters), @definition,
                @planned, @done, @absent, @failed, @reused, @unchanged, @bytes, @requests, @cursor, @ahead,
                @loaded, @loadedBytes)
            """, to: "store the progress of a region")
        findGap = try connection.prepare("SELECT 1 FROM gaps WHERE region = ?1 LIMIT 1", to: "find gaps")
        addGap = try connection.prepare(
            "INSERT OR REPLACE INTO gaps VALUES (@region, @stage, @index, @z, @x, @y, @reason)",
            to: "store a gap")
        removeGap = try connection.prepare(
            "DELETE FROM gaps WHERE (region, stage, place, z, x, y) = (@region, @stage, @index, @z, @x, @y)",
            to: "remove a gap")
    }

    /// Writes tiles and the progress of their region. Must be called within a transaction.
    func commit(_ batch: RegionBatch, at now: UnixSeconds) throws(StoreFailure) {
        table.forgetOrigins()
        let hadGaps = try hasGaps(batch.region)
        for (tile, outcome) in batch.outcomes {
            try store(outcome, of: tile, batch, now, mayHaveGap: hadGaps)
        }
        try set(batch.part, of: batch.region)
    }

    private func hasGaps(_ region: Int) throws(StoreFailure) -> Bool {
        try findGap.bind(1, region)
        defer { findGap.reset() }
        return try findGap.step()
    }

    private func store(
        _ outcome: TileOutcome, of tile: TileID, _ batch: RegionBatch, _ now: UnixSeconds, mayHaveGap: Bool
    ) throws(StoreFailure) {
        let key = ResourceKey.tile(origin: batch.part.origin, tile)
        switch outcome {
        case .fetched(let response), .reused(let response), .carried(let response), .removed(let response):
            try table.put(response, for: key, used: now)
        case .unchanged(let freshness, let headers, _): try table.prolong(key, freshness, headers: headers)
        case .present: break
        case .failed(let reason):
            try addGap.bind(values(tile, of: batch))
            try addGap.run(["reason": SafeText.sanitised(reason, limit: 300)])
            return
        }
        guard mayHaveGap else { return }
        try removeGap.run(values(tile, of: batch))
    }

    private func values(_ tile: TileID, of batch: RegionBatch) -> SQLValues {
        [
            "region": batch.region, "stage": batch.part.stage, "index": batch.part.index, "z": tile.zoom,
            "x": tile.x, "y": tile.y,
        ]
    }

    func set(_ part: RegionSourceRecord, of region: Int) throws(StoreFailure) {
        try setPart.bind(part.origin.values)
        try setPart.run([
            "region": region, "stage": part.stage, "index": part.index,
            "definition": part.definition.map(text) ?? "", "planned": part.planned, "done": part.done,
            "absent": part.absent, "failed": part.failed, "reused": part.reused, "unchanged": part.unchanged,
            "bytes": part.bytes, "requests": part.requests, "cursor": part.cursor?.description ?? "",
            "ahead": part.ahead.sorted().map(\.description).joined(separator: " "), "loaded": part.loaded,
            "loadedBytes": part.loadedBytes,
        ])
    }

    private func text(of definition: SourceDefinition) -> String {
        if let lastDefinition, lastDefinition.value == definition { return lastDefinition.text }
        let text = definition.json.text
        lastDefinition = (definition, text)
        return text
    }

    /// Returns the size in bytes of the pages in use.
    func liveBytes() throws(StoreFailure) -> Int {
        let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
        return try pages * connection.integer("PRAGMA page_size")
    }

    /// Returns up to this many unused pages to the disk.
    /// - Returns: True if there are more.
    func giveBackSpace(pages: Int) throws(StoreFailure) -> Bool {
        let vacuum = try connection.prepare("PRAGMA incremental_vacuum(\(pages))", to: "free disk space")
        while try vacuum.step() {}
        return try connection.integer("PRAGMA freelist_count") > 0
    }
}

extension RegionSourceRecord {
    /// The column `stage`.
    var stage: Int { isComing ? 1 : 0 }

    /// Creates a record from a row of `parts`.
    init(_ row: Statement) {
        let list = row.text("definition").flatMap { try? JSON.parse(Array($0.utf8)) }.flatMap {
            try? SourceList.read(["sources": [$0]])
        }
        self.init(TileOrigin(row: row), list?.first, planned: row.int("planned") ?? 0)
        isComing = row.int("stage") == 1
        index = row.int("place") ?? 0
        done = row.int("done") ?? 0
        absent = row.int("absent") ?? 0
        failed = row.int("failed") ?? 0
        reused = row.int("reused") ?? 0
        unchanged = row.int("unchanged") ?? 0
        bytes = row.int("bytes") ?? 0
        requests = row.int("requests") ?? 0
        cursor = TileID(text: row.text("cursor") ?? "")
        ahead = Set((row.text("ahead") ?? "").split(separator: " ").compactMap { TileID(text: String($0)) })
        loaded = row.int("loaded") ?? 0
        loadedBytes = row.int("loaded_bytes") ?? 0
    }
}
