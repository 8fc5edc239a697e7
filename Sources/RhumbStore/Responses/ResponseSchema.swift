internal import RhumbCore

/// The tables in which answers are kept; the shared cache and the region store both have them.
enum ResponseSchema: StoreTables {
    /// A row for each thing that tiles or documents come from, in each of its editions. A document
    /// is an origin of its own, with one entry at zoom −1, so that tiles and documents share one
    /// way of being kept.
    ///
    ///     id         never used again: another process may still hold it
    ///     kind       0 tiles, 1 document
    ///     source     how its source is called; of a document nothing
    ///     address    where the source or the document is; without secrets
    ///     size       the side of its tiles, pixels; of a document 0
    ///     edition    the publisher's name for it; of a region's document, a digest of its body
    ///     addresses  a digest of the addresses of the edition's tiles
    static let origins = """
        CREATE TABLE origins (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, source TEXT NOT NULL,
            address TEXT NOT NULL, size INTEGER NOT NULL, edition TEXT NOT NULL, addresses TEXT NOT NULL,
            UNIQUE (kind, address, source, size, edition, addresses));
        """

    /// Version 1 had all of an origin in one text: "name address size"; version 2 perhaps the keys
    /// that were typed in addresses.
    static func migrate(_ connection: Connection, from version: Int) throws(StoreFailure) {
        if version == 1 { try separateOrigins(connection) }
        if version == 2 { try connection.hideSecretsOfOrigins() }
    }

    private static func separateOrigins(_ connection: Connection) throws(StoreFailure) {
        try connection.execute(
            "ALTER TABLE origins RENAME TO old_origins;" + origins, to: "migrate the store")
        let rows = try connection.prepare("SELECT id, key, kind FROM old_origins", to: "migrate the store")
        while try rows.step() {
            let key = rows.text(1) ?? "", isDocument = rows.int(2) == 1
            let origin = isDocument ? TileOrigin(source: "", address: key, size: 0) : TileOrigin(old: key)
            try connection.run(
                "INSERT INTO origins VALUES (?1, ?2, ?3, ?4, ?5, ?6, '')",
                [
                    .integer(rows.int(0) ?? 0), .integer(isDocument ? 1 : 0), .text(origin.source),
                    .text(origin.address), .integer(origin.size), .text(origin.edition.version),
                ])
        }
        // Archives on the web had their edition with each tile.
        try connection.execute(
            """
            UPDATE origins SET edition = coalesce((SELECT version FROM entries WHERE origin = id LIMIT 1), '')
            WHERE kind = 0 AND size = 0;
            DROP TABLE old_origins
            """, to: "migrate the store")
    }

    /// Bodies apart from entries, so that equal ones (the sea) are there once.
    ///
    ///     hash    finds candidates; equality of the bytes decides
    private static let bodies = """
        CREATE TABLE bodies (id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX bodies_by_hash ON bodies (hash);
        """

    /// A row for each answer.
    ///
    ///     z, x, y    the tile, XYZ; a document has −1, 0, 0
    ///     body       NULL: known not to exist
    ///     size       bytes of the body, so that sums need not read it
    ///     received   when it came, Unix seconds
    ///     age        how old it was then, seconds
    ///     lifetime   how old it may get, seconds
    ///     flags      1 always revalidate, 2 revalidate when stale, 4 immutable, 8 invalidated
    ///     headers    "Name: value" lines: validators to send back, fields to merge a 304 with
    ///     variant    the secondary key of RFC 9111
    ///     version    of the source's data, for packages and their updates
    ///     used       last use, Unix seconds; the first to go has the smallest
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

    /// Sums by origin and zoom, kept right by triggers: a million rows are summed up at once. What
    /// fails undoes the whole transaction, so none of it need be undone by itself: "OR FAIL" spares
    /// SQLite a journal of each statement, which would cost more than all else.
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

    /// The counts of all events ever, by name.
    private static let counters = """
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        """

    static let statements = origins + bodies + entries + totals + counters
}

extension TileOrigin {
    /// From the text that version 1 had of it: "name address size", of an archive without the size,
    /// and of some sources with a version behind it.
    init(old text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        self.init(
            source: words[0], address: words.count > 1 ? words[1] : "",
            size: words.count > 2 ? Int(words[2]) ?? 0 : 0,
            edition: TileEdition(version: words.dropFirst(3).joined(separator: " ")))
    }
}
