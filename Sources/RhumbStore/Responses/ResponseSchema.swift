internal import RhumbCore

/// The tables for responses, shared by the cache and the region store.
enum ResponseSchema: SchemaDefinition {
    /// One row for each source of tiles or document, per edition. A document is an origin with a single
    /// entry at zoom −1, so that tiles and documents share the same tables.
    ///
    ///     id         never reused, because another process may still hold it
    ///     kind       0 tiles, 1 document
    ///     source     the source's name; empty for a document
    ///     address    the address of the source or document, without secrets
    ///     size       the tile size in pixels; 0 for a document
    ///     edition    the publisher's version; a digest of the body for a region's document
    ///     addresses  a digest of the addresses of the edition's tiles
    static let origins = """
        CREATE TABLE origins (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, source TEXT NOT NULL,
            address TEXT NOT NULL, size INTEGER NOT NULL, edition TEXT NOT NULL, addresses TEXT NOT NULL,
            UNIQUE (kind, address, source, size, edition, addresses));
        """

    /// Migrates the tables by one version. Version 1 stored an origin as one text, "name address size".
    /// Version 2 may contain API keys in addresses.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure) {
        if version == 1 { try separateOrigins(connection) }
        if version == 2 { try connection.hideSecretsOfOrigins() }
    }

    /// Removes entries without their body or origin, and marks those with a damaged body, so that both are
    /// fetched again.
    static func settle(_ connection: Connection, _ rebuild: inout StoreRebuild) throws(StoreFailure) {
        let attempt = "complete the store"
        let origin = try connection.prepare(
            """
            INSERT OR IGNORE INTO origins (kind, address, source, size, edition, addresses, id)
            VALUES (@kind, @address, @source, @size, @edition, @addresses, @id)
            """, to: attempt)
        for row in rebuild.indexRows[originsIndex] ?? [] where row.count == 7 {
            for (name, value) in zip(originColumns, row) { try origin.bind(name, value) }
            try origin.step()
        }
        let entry = try connection.prepare(
            """
            INSERT OR IGNORE INTO entries
                (origin, z, x, y, body, size, received, age, lifetime, flags, headers, variant, used)
            SELECT @origin, @z, @x, @y, id, length(bytes), 0, 0, 0, 0, '', '', 0 FROM bodies WHERE id = @body
            """, to: attempt)
        for row in rebuild.indexRows[StoreRebuild.bodyIndex] ?? [] where row.count == 5 {
            for (name, value) in zip(["body", "origin", "z", "x", "y"], row) { try entry.bind(name, value) }
            try entry.step()
        }
        for id in rebuild.damagedBodies {
            try connection.run(
                "UPDATE entries SET flags = flags | \(EntryFlags.invalidated.rawValue) WHERE body = @id",
                ["id": id])
        }
        try connection.run(
            """
            DELETE FROM entries WHERE body NOT IN (SELECT id FROM bodies)
                OR origin NOT IN (SELECT id FROM origins)
            """)
        if connection.changedRows > 0 { rebuild.lost["entries", default: 0] += connection.changedRows }
        try connection.execute(
            "DELETE FROM bodies WHERE id NOT IN (SELECT body FROM entries WHERE body IS NOT NULL)",
            to: attempt)
    }

    /// The index of the unique columns of `origins`, which contains all of them.
    static let originsIndex = "sqlite_autoindex_origins_1"
    static let originColumns = ["kind", "address", "source", "size", "edition", "addresses", "id"]

    private static func separateOrigins(_ connection: Connection) throws(StoreFailure) {
        try connection.execute(
            "ALTER TABLE origins RENAME TO old_origins;" + origins, to: "migrate the store")
        let rows = try connection.prepare("SELECT id, key, kind FROM old_origins", to: "migrate the store")
        while try rows.step() {
            let key = rows.text(1) ?? "", isDocument = rows.int(2) == 1
            let origin = isDocument ? TileOrigin(source: "", address: key, size: 0) : TileOrigin(old: key)
            try connection.run(
                "INSERT INTO origins VALUES (@id, @kind, @source, @address, @size, @edition, '')",
                [
                    "id": rows.int(0) ?? 0, "kind": isDocument ? 1 : 0, "source": origin.source,
                    "address": origin.address, "size": origin.size, "edition": origin.edition.version,
                ])
        }
        // Version 1 stored the edition of remote archives with each tile.
        try connection.execute(
            """
            UPDATE origins SET edition = coalesce((SELECT version FROM entries WHERE origin = id LIMIT 1), '')
            WHERE kind = 0 AND size = 0;
            DROP TABLE old_origins
            """, to: "migrate the store")
    }

    /// Bodies, separate from entries, so that equal ones (such as sea tiles) are stored once.
    ///
    ///     hash    of the bytes as stored; finds candidates, and equality of the bytes decides
    ///     bytes   a vector tile of a region is gzip if it was received so; earlier versions unpacked it
    private static let bodies = """
        CREATE TABLE bodies (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX bodies_by_hash ON bodies (hash);
        """

    /// One row for each response.
    ///
    ///     z, x, y    the tile in XYZ; −1, 0, 0 for a document
    ///     body       NULL if the resource is known not to exist
    ///     size       the body's size in bytes, so that sums need not read bodies
    ///     received   the time of receipt, Unix seconds
    ///     age        the age on receipt, seconds
    ///     lifetime   the freshness lifetime, seconds
    ///     flags      1 always revalidate, 2 revalidate when stale, 4 immutable, 8 invalidated
    ///     headers    "Name: value" lines: validators for revalidation, and fields to merge with a 304
    ///     variant    the secondary key of RFC 9111
    ///     version    the version of the source's data, for packages and updates
    ///     used       the last use, Unix seconds; the smallest is evicted first
    private static let entries = """
        CREATE TABLE entries (
            origin INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            body INTEGER, size INTEGER NOT NULL, received INTEGER NOT NULL, age INTEGER NOT NULL,
            lifetime INTEGER NOT NULL, flags INTEGER NOT NULL, headers TEXT NOT NULL,
            variant TEXT NOT NULL, version TEXT, used INTEGER NOT NULL,
            PRIMARY KEY (origin, z, x, y)) WITHOUT ROWID;
        CREATE INDEX entries_by_body ON entries (body) WHERE body IS NOT NULL;
        CREATE INDEX entries_by_use ON entries (used);
        """

    /// Sums by origin and zoom, maintained by triggers, because summing a million rows is slow. An error
    /// rolls back the whole transaction, so that "OR FAIL" can avoid SQLite's statement journal, the largest
    /// cost.
    private static let totals = """
        CREATE TABLE totals (
            origin INTEGER NOT NULL, z INTEGER NOT NULL, entries INTEGER NOT NULL,
            absent INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (origin, z)) WITHOUT ROWID;
        CREATE TRIGGER entry_added AFTER INSERT ON entries BEGIN
            INSERT OR FAIL INTO totals SELECT new.origin, new.z, 0, 0, 0
                WHERE NOT EXISTS (SELECT 1 FROM totals WHERE origin = new.origin AND z = new.z);
            UPDATE OR FAIL totals SET entries = entries + 1, absent = absent + (new.body IS NULL),
                bytes = bytes + new.size WHERE origin = new.origin AND z = new.z;
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entries BEGIN
            UPDATE OR FAIL totals SET entries = entries - 1, absent = absent - (old.body IS NULL),
                bytes = bytes - old.size WHERE origin = old.origin AND z = old.z;
            DELETE FROM bodies WHERE id = old.body
                AND NOT EXISTS (SELECT 1 FROM entries WHERE body = old.body);
        END;
        CREATE TRIGGER entry_replaced AFTER UPDATE OF body, size ON entries BEGIN
            UPDATE OR FAIL totals SET absent = absent + (new.body IS NULL) - (old.body IS NULL),
                bytes = bytes + new.size - old.size WHERE origin = old.origin AND z = old.z;
            DELETE FROM bodies WHERE id = old.body AND old.body IS NOT new.body
                AND NOT EXISTS (SELECT 1 FROM entries WHERE body = old.body);
        END;
        """

    /// Event counters over the lifetime of the store, by name.
    private static let counters = """
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    static let statements = origins + bodies + entries + totals + counters
}

extension TileOrigin {
    /// Parses version 1's text: "name address size". Archives have no size, and some sources append a
    /// version.
    init(old text: String) {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        self.init(
            source: fields[0], address: fields.count > 1 ? fields[1] : "",
            size: fields.count > 2 ? Int(fields[2]) ?? 0 : 0,
            edition: TileEdition(version: fields.dropFirst(3).joined(separator: " ")))
    }
}
