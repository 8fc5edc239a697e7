internal import RhumbCore

/// The tables of the region store, in addition to those for responses. Each response belongs to one or more
/// regions. Together, the tables record the state of all downloads.
enum RegionSchema: SchemaDefinition {
    /// A row for each region.
    ///
    ///     id          the user's name for it
    ///     definition  JSON: name, metadata, geometry, zooms, sources, features
    ///     state       0 queued, 1 running, 2 paused, 3 waiting for the network, 4 complete,
    ///                 5 complete with gaps, 6 failed, 7 cancelled
    ///     reason      the reason for the state, a sentence; may be empty
    ///     refresh     NULL, or the start of a running refresh in Unix seconds; older tiles are
    ///                 revalidated
    private static let regions = """
        CREATE TABLE regions (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, definition TEXT NOT NULL,
            state INTEGER NOT NULL, reason TEXT NOT NULL, created INTEGER NOT NULL,
            changed INTEGER NOT NULL, refresh INTEGER);
        """

    /// A row for each source of a region, with its progress. Written together with the tiles.
    ///
    ///     stage       0: the shown edition; 1: an edition being downloaded, which replaces the
    ///                 shown one when it is complete
    ///     place       its index among the sources of the region
    ///     source, …   the origin of its tiles, as in `origins`
    ///     definition  JSON of the source, sufficient to show it without lists and documents
    ///     planned     number of all tiles
    ///     bytes       size of all bodies
    ///     requests    number of requests sent to servers
    ///     cursor      the last tile up to which all are processed, "z/x/y"; empty at the beginning
    ///     ahead       processed tiles beyond it, separated by spaces
    private static let parts = """
        CREATE TABLE parts (
            region INTEGER NOT NULL, stage INTEGER NOT NULL, place INTEGER NOT NULL,
            source TEXT NOT NULL, address TEXT NOT NULL, size INTEGER NOT NULL, edition TEXT NOT NULL,
            addresses TEXT NOT NULL, definition TEXT NOT NULL, planned INTEGER NOT NULL, done INTEGER NOT NULL,
            absent INTEGER NOT NULL, failed INTEGER NOT NULL, reused INTEGER NOT NULL,
            unchanged INTEGER NOT NULL, bytes INTEGER NOT NULL, requests INTEGER NOT NULL, cursor TEXT NOT NULL,
            ahead TEXT NOT NULL, PRIMARY KEY (region, stage, place)) WITHOUT ROWID;
        """

    /// The number of responses received from servers for a part since the work began, and the size of their
    /// bodies.
    private static let loaded = """
        ALTER TABLE parts ADD COLUMN loaded INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE parts ADD COLUMN loaded_bytes INTEGER NOT NULL DEFAULT 0;
        """

    /// The packs of a source that a region touches, in all editions. A pack that no region touches any more
    /// is deleted.
    private static let packs = """
        CREATE TABLE region_packs (
            origin TEXT NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            region INTEGER NOT NULL, PRIMARY KEY (origin, z, x, y, region)) WITHOUT ROWID;
        CREATE INDEX packs_by_region ON region_packs (region);
        """

    /// The failed tiles of a part, with their reasons.
    private static let gaps = """
        CREATE TABLE gaps (
            region INTEGER NOT NULL, stage INTEGER NOT NULL, place INTEGER NOT NULL, z INTEGER NOT NULL,
            x INTEGER NOT NULL, y INTEGER NOT NULL, reason TEXT NOT NULL,
            PRIMARY KEY (region, stage, place, z, x, y)) WITHOUT ROWID;
        """

    /// The documents of a region or a style pack, by their address and edition in `origins`.
    ///
    ///     region  the region's number, or minus the number of a style pack
    private static let documents = """
        CREATE TABLE region_documents (
            region INTEGER NOT NULL, stage INTEGER NOT NULL, address TEXT NOT NULL, edition TEXT NOT NULL,
            PRIMARY KEY (region, stage, address)) WITHOUT ROWID;
        """

    /// The process that works on a region, and the command that another process sent to it.
    ///
    ///     beat   the last sign of life, Unix seconds
    ///     wish   "", "pause", "resume" or "cancel"
    private static let workers = """
        CREATE TABLE workers (
            region INTEGER PRIMARY KEY, process INTEGER NOT NULL, beat INTEGER NOT NULL, wish TEXT NOT NULL);
        """

    /// A row for each style pack.
    ///
    ///     address   the address of the style, as in `origins`
    ///     metadata  JSON defined by the user
    ///     missing   JSON: the missing resources and the reasons
    private static let stylePacks = """
        CREATE TABLE style_packs (
            number INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            metadata TEXT NOT NULL, missing TEXT NOT NULL, changed INTEGER NOT NULL);
        """

    static let statements =
        ResponseSchema.statements + regions + parts + loaded + packs + gaps + documents + workers + stylePacks

    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure) {
        try ResponseSchema.migrate(connection, from: version)
        if version == 1 { try separateParts(connection) }
        if version == 3 { try connection.execute(stylePacks, to: "migrate the regions") }
        guard version == 2 else { return }
        try connection.execute(loaded, to: "migrate the regions")
        for (table, columns) in columnsWithAddresses { try connection.hideSecrets(in: columns, of: table) }
    }

    /// Restores origins that differ from those of the regions, and enters regions without a readable row, so
    /// that their tiles stay.
    static func settle(_ connection: Connection, _ rebuild: inout StoreRebuild) throws(StoreFailure) {
        let origin = try connection.prepare(
            """
            UPDATE OR IGNORE origins SET kind = @kind, (\(TileOrigin.columns)) = (\(TileOrigin.parameters))
            WHERE id = @id AND EXISTS (SELECT 1 FROM parts
                WHERE (\(TileOrigin.columns)) = (\(TileOrigin.parameters)))
            """, to: "complete the store")
        for row in rebuild.indexRows[ResponseSchema.originsIndex] ?? [] where row.count == 7 {
            for (name, value) in zip(ResponseSchema.originColumns, row) { try origin.bind(name, value) }
            try origin.step()
        }
        try ResponseSchema.settle(connection, &rebuild)
        let region = try connection.prepare(
            """
            INSERT OR IGNORE INTO regions (number, id, definition, state, reason, created, changed)
            VALUES (@number, @id, '', 0, '', 0, 0)
            """, to: "complete the store")
        for row in rebuild.indexRows["sqlite_autoindex_regions_1"] ?? [] where row.count == 2 {
            try region.run(["id": row[0], "number": row[1]])
        }
        try connection.execute(
            """
            INSERT OR IGNORE INTO regions (number, id, definition, state, reason, created, changed)
                SELECT DISTINCT region, 'recovered-' || region, '', 0, '', 0, 0 FROM parts;
            UPDATE OR IGNORE regions SET id = 'recovered-' || number WHERE id = '';
            UPDATE regions SET state = \(RegionState.failed.rawValue), reason = 'its definition is damaged',
                created = iif(created > 0, created, strftime('%s', 'now')), changed = strftime('%s', 'now') WHERE definition = ''
            """, to: "complete the store")
    }

    /// The columns besides `origins` where version 2 may contain API keys from addresses.
    private static let columnsWithAddresses = [
        ("regions", ["definition", "reason"]), ("parts", ["source", "address", "definition"]),
        ("gaps", ["reason"]), ("region_packs", ["origin"]), ("region_documents", ["address"]),
    ]

    /// Moves the sources' definitions to `parts`. Version 1 stored them in one column of `regions`, and
    /// identified each by the name with which its origin began.
    private static func separateParts(_ connection: Connection) throws(StoreFailure) {
        try connection.execute(
            """
            ALTER TABLE parts RENAME TO old_parts; ALTER TABLE gaps RENAME TO old_gaps;
            ALTER TABLE region_documents RENAME TO old_documents;
            """ + parts + gaps + documents, to: "migrate the regions")
        let rows = try connection.prepare(
            "SELECT old_parts.*, sources FROM old_parts JOIN regions ON number = region",
            to: "migrate the regions")
        var counts: [Int: Int] = [:]
        while try rows.step() {
            let region = rows.int(0) ?? 0
            try connection.move(rows, of: region, to: counts[region, default: 0])
            counts[region, default: 0] += 1
        }
        try connection.execute(
            """
            INSERT INTO region_documents SELECT region, 0, document, '' FROM old_documents;
            DROP TABLE old_parts; DROP TABLE old_gaps; DROP TABLE old_documents;
            ALTER TABLE regions DROP COLUMN sources
            """, to: "migrate the regions")
    }
}

extension Connection {
    /// Inserts a part of version 1 at its index.
    fileprivate func move(_ row: Statement, of region: Int, to index: Int) throws(StoreFailure) {
        let text = row.text(1) ?? "", old = TileOrigin(old: text)
        let edition = try self.text(
            "SELECT edition FROM origins WHERE kind = 0 AND source = '\(old.source.quoted)' AND address = '\(old.address.quoted)' AND size = \(old.size)"
        )
        let origin = old.of(TileEdition(version: edition ?? old.edition.version))
        let sources = row.text(12).flatMap { try? JSON.parse(Array($0.utf8)) }?.array ?? []
        let definition = sources.first { $0["id"]?.string == origin.source }?.text ?? ""
        let insert = try prepare(
            """
            INSERT INTO parts VALUES (@region, 0, @index, \(TileOrigin.parameters), @definition,
                @planned, @done, @absent, @failed, @reused, @unchanged, @bytes, @requests, @cursor, @ahead)
            """, to: "migrate the regions")
        let counts = ["planned", "done", "absent", "failed", "reused", "unchanged", "bytes", "requests"]
        for (at, name) in counts.enumerated() { try insert.bind(name, row.int(2 + at) ?? 0) }
        try insert.bind(origin.values)
        try insert.run([
            "region": region, "index": index, "definition": definition, "cursor": row.text(10) ?? "",
            "ahead": row.text(11) ?? "",
        ])
        try run(
            """
            INSERT INTO gaps SELECT region, 0, @index, z, x, y, reason FROM old_gaps
            WHERE region = @region AND origin = @origin
            """, ["region": region, "origin": text, "index": index])
        try run(
            "UPDATE OR REPLACE region_packs SET origin = @new WHERE origin = @old",
            ["old": text, "new": origin.key])
    }
}

extension String {
    /// The text with single quotes escaped for SQL.
    fileprivate var quoted: String { replacing("'", with: "''") }
}
