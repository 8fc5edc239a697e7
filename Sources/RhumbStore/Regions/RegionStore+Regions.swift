public import RhumbCore
internal import Synchronization

/// Creating, listing and changing regions.
extension RegionStore {
    /// Returns all regions, sorted by id. A download whose process was killed is queued, because it continues
    /// where it was interrupted.
    /// - Throws: `RegionStoreFailure`
    public func regions() throws(RegionStoreFailure) -> [RegionRecord] {
        let failures = unwrittenFailures.withLock(\.self)
        return try read { (table) throws(StoreFailure) in
            var records = try table.connection.regions()
            for at in records.indices {
                if let reason = failures[records[at].number] {
                    records[at].state = .failed
                    records[at].reason = reason
                } else if records[at].state == .running,
                    try !table.connection.hasLivingWorker(records[at].number)
                {
                    records[at].state = .queued
                    records[at].reason = RegionRecord.interruption
                }
            }
            return records
        }
    }

    /// Returns a region.
    /// - Throws: `RegionStoreFailure.noRegion` if it doesn't exist.
    public func region(_ id: String) throws(RegionStoreFailure) -> RegionRecord {
        guard let found = try regions().first(where: { $0.id == id }) else { throw .noRegion(id) }
        return found
    }

    /// Creates a region, or changes the region with that id. Stored tiles remain, except those that the
    /// region gives up and no other region uses. Each part restarts; it skips stored tiles when it reaches
    /// them.
    /// - Parameters:
    ///   - parts: A part for each source, in order.
    ///   - packs: The packs of each source.
    ///   - documents: The documents that the region needs.
    ///   - isHeld: Returns true for tiles that a region uses after the change; this region is included.
    ///     Called for packs that the region touched before and that some region still touches.
    /// - Returns: The stored region.
    /// - Throws: `RegionStoreFailure`
    @discardableResult
    public func put(
        _ definition: RegionDefinition, parts: [RegionSourceRecord],
        packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)],
        documents: [RegionDocument] = [], at now: UnixSeconds,
        isHeld: @escaping TileClaim = { _, _, _ in true }
    ) throws(RegionStoreFailure) -> RegionRecord {
        if let quota, quota == 0 { throw .quota(bytes: 0) }
        let before = try regions().first { $0.id == definition.id.text }
        let removal = try write(region: before?.number ?? 0, to: "create a region") {
            (writer) throws(StoreFailure) in
            let number = try writer.put(definition, now)
            let old = try writer.packs(of: number)
            try writer.clear(number)
            try writer.set(parts, of: number, isComing: false)
            try writer.set(packs, of: number)
            try writer.set(documents, of: number, isComing: false, at: now)
            try writer.sweepDocuments()
            return try writer.sweep(old, isHeld: isHeld)
        }
        if removal.tiles > 0 { try compact() }
        let record = try region(definition.id.text)
        postChanges(of: record, since: before)
        return record
    }

    /// Stores the state of a region and its reason. A complete region ends its refresh. One with gaps
    /// doesn't, so that a retry revalidates the tiles that are stored.
    /// - Throws: `RegionStoreFailure`
    public func setState(
        _ state: RegionState, of region: Int, reason: String = "", at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        unwrittenFailures.withLock { _ = $0.removeValue(forKey: region) }
        try write(region: region, to: "store the state of a region") { (writer) throws(StoreFailure) in
            try writer.connection.run(
                """
                UPDATE regions SET state = @state, reason = @reason, changed = @now,
                    refresh = iif(@ends, NULL, refresh)
                WHERE number = @region
                """,
                [
                    "region": region, "state": state.rawValue, "now": Int(now.value),
                    "reason": SafeText.sanitised(reason, limit: 300),
                    "ends": state == .complete ? 1 : 0,
                ])
        }
    }

    /// Marks a region as failed. If that can't be written, such as on a full disk, the region counts as
    /// failed in this process.
    public func fail(_ region: Int, reason: String, at now: UnixSeconds) {
        do throws(RegionStoreFailure) {
            try setState(.failed, of: region, reason: reason, at: now)
        } catch {
            unwrittenFailures.withLock { $0[region] = SafeText.sanitised(reason, limit: 300) }
        }
    }

    /// Changes the id or the definition (name, metadata) of a region. Its tiles are not affected.
    /// - Throws: `RegionStoreFailure`
    public func change(_ region: Int, to definition: RegionDefinition) throws(RegionStoreFailure) {
        let before = try regions().first { $0.number == region }
        try write(region: region, to: "change a region") { (writer) throws(StoreFailure) in
            try writer.connection.run(
                "UPDATE regions SET id = @id, definition = @definition WHERE number = @region",
                ["region": region, "id": definition.id.text, "definition": definition.json.text])
        }
        if let before { postChanges(of: try self.region(definition.id.text), since: before) }
    }

    /// Starts the parts of a region again; stored tiles stay.
    /// - Parameter refresh: The time before which stored tiles are revalidated; nil for none.
    /// - Returns: The changed region.
    /// - Throws: `RegionStoreFailure`
    public func restart(
        _ region: RegionRecord, refresh: UnixSeconds? = nil
    ) throws(RegionStoreFailure) -> RegionRecord {
        try write(region: region.number, to: "restart a region") { (writer) throws(StoreFailure) in
            for part in region.active { try writer.set(part.restarted, of: region.number) }
            try writer.connection.run(
                "DELETE FROM gaps WHERE region = @region AND stage = @stage",
                ["region": region.number, "stage": region.coming.isEmpty ? 0 : 1])
            try writer.connection.run(
                "UPDATE regions SET refresh = @refresh WHERE number = @region",
                ["region": region.number, "refresh": refresh.map { Int($0.value) }])
        }
        return try self.region(region.id)
    }

    /// Marks a region as complete without a download, because all its tiles are stored.
    /// - Parameter parts: The sources with the counts of their stored tiles.
    /// - Returns: The changed region.
    /// - Throws: `RegionStoreFailure`
    package func complete(
        _ region: RegionRecord, _ parts: [RegionSourceRecord], at now: UnixSeconds
    ) throws(RegionStoreFailure) -> RegionRecord {
        try write(region: region.number, to: "correct the state of a region") {
            (writer) throws(StoreFailure) in
            for part in parts { try writer.set(part, of: region.number) }
            try writer.connection.run(
                "DELETE FROM gaps WHERE region = @region AND stage = 0", ["region": region.number])
        }
        try setState(.complete, of: region.number, at: now)
        return try self.region(region.id)
    }

    /// Returns the tiles that failed, which the region lacks or could not update.
    /// - Throws: `RegionStoreFailure`
    public func gaps(of region: Int, limit: Int = 1000) throws(RegionStoreFailure) -> [RegionGap] {
        try read { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                """
                SELECT z, x, y, reason, \(TileOrigin.columns) FROM gaps JOIN parts USING (region, stage, place)
                WHERE region = ?1 LIMIT ?2
                """, to: "list the gaps")
            try statement.bind(1, region)
            try statement.bind(2, limit)
            return try statement.all { row in
                row.tile.map {
                    RegionGap(origin: TileOrigin(row: row), tile: $0, reason: row.text("reason") ?? "")
                }
            }
        }
    }

    /// Returns the number of packs of a source that regions touch.
    /// - Throws: `RegionStoreFailure`
    public func packCount(of origin: TileOrigin) throws(RegionStoreFailure) -> Int {
        try read { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                "SELECT count(*) FROM (SELECT DISTINCT z, x, y FROM region_packs WHERE origin = ?1)",
                to: "count packs")
            try statement.bind(1, origin.key)
            return try statement.first { $0.int(0) } ?? 0
        }
    }

    /// Returns true if a region touches a pack.
    /// - Throws: `RegionStoreFailure`
    public func holds(_ pack: TilePack, of origin: TileOrigin) throws(RegionStoreFailure) -> Bool {
        try read { (table) throws(StoreFailure) in try !table.connection.holders(of: pack, origin).isEmpty }
    }
}

extension RegionWriter {
    fileprivate func put(_ definition: RegionDefinition, _ now: UnixSeconds) throws(StoreFailure) -> Int {
        let id = definition.id.text
        try connection.run(
            """
            INSERT INTO regions (id, definition, state, reason, created, changed)
            VALUES (@id, @definition, 0, '', @now, @now)
            ON CONFLICT (id) DO UPDATE SET definition = @definition, state = 0, reason = '', changed = @now,
                refresh = NULL
            """, ["id": id, "definition": definition.json.text, "now": Int(now.value)])
        let statement = try connection.prepare(
            "SELECT number FROM regions WHERE id = ?1", to: "find a region")
        try statement.bind(1, id)
        return try statement.first { $0.int(0) } ?? 0
    }

    /// Deletes the rows of a region's definition.
    fileprivate func clear(_ region: Int) throws(StoreFailure) {
        for name in ["parts", "region_packs", "gaps", "region_documents"] {
            try connection.run("DELETE FROM \(name) WHERE region = @region", ["region": region])
        }
    }

    func set(_ parts: [RegionSourceRecord], of region: Int, isComing: Bool) throws(StoreFailure) {
        for (index, part) in parts.enumerated() {
            var part = part
            part.index = index
            part.isComing = isComing
            try set(part, of: region)
        }
    }

    /// Stores documents. Equal documents of several regions are stored once.
    func set(
        _ documents: [RegionDocument], of region: Int, isComing: Bool, at now: UnixSeconds
    ) throws(StoreFailure) {
        let stage = isComing ? 1 : 0
        try connection.run(
            "DELETE FROM region_documents WHERE region = @region AND stage = @stage",
            ["region": region, "stage": stage])
        for document in documents {
            let edition = document.edition
            let origin = try table.ensuredOrigin(.document(document.address, edition: edition))
            try table.put(document.response, at: EntryKey(document: origin), used: now)
            try connection.run(
                "INSERT OR REPLACE INTO region_documents VALUES (@region, @stage, @address, @edition)",
                ["region": region, "stage": stage, "address": document.address, "edition": edition])
        }
    }

    func set(
        _ packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)], of region: Int
    ) throws(StoreFailure) {
        let add = try connection.prepare(
            "INSERT OR IGNORE INTO region_packs VALUES (@origin, @z, @x, @y, @region)", to: "store a pack")
        try add.bind("region", region)
        for (origin, packs) in packs {
            for pack in packs { try add.run(pack.values(of: origin)) }
        }
    }
}

extension Connection {
    /// Runs a statement that returns no rows.
    func run(_ sql: String, _ values: SQLValues = [:]) throws(StoreFailure) {
        try prepare(sql, to: "change the region store").run(values)
    }

    func regions() throws(StoreFailure) -> [RegionRecord] {
        let rows = try prepare(
            "SELECT * FROM parts ORDER BY region, stage, place", to: "read the progress of regions")
        var parts: [Int: [RegionSourceRecord]] = [:]
        while try rows.step() { parts[rows.int("region") ?? 0, default: []].append(RegionSourceRecord(rows)) }
        let statement = try prepare(
            "SELECT number, id, definition, state, reason, created, changed, refresh FROM regions ORDER BY id",
            to: "list the regions")
        let documents = try documentCounts()
        var regions: [RegionRecord] = []
        while try statement.step() {
            let number = statement.int("number") ?? 0, own = parts[number] ?? []
            regions.append(
                RegionRecord(
                    number: number, id: statement.text("id") ?? "",
                    definition: (try? JSON.parse(Array((statement.text("definition") ?? "").utf8))).flatMap {
                        try? RegionDefinition(json: $0)
                    },
                    state: RegionState(rawValue: statement.int("state") ?? 6) ?? .failed,
                    reason: statement.text("reason") ?? "",
                    created: statement.moment("created") ?? UnixSeconds(0),
                    changed: statement.moment("changed") ?? UnixSeconds(0),
                    refresh: statement.moment("refresh"),
                    parts: own.filter { !$0.isComing }, coming: own.filter(\.isComing),
                    documents: documents[number] ?? RegionDocumentCount()))
        }
        return regions
    }
}
