internal import RhumbCore

/// The database of an MBTiles file being written. It has no journal, because an incomplete file is deleted.
final class MBTilesDatabase {
    private let connection: Connection
    private let map: Statement
    private let image: Statement
    private let stored: Statement

    /// The schema. 0x4d504258 is "MPBX", the application ID of MBTiles.
    private static let schema = """
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -16384; PRAGMA page_size = 4096; PRAGMA application_id = 0x4d504258;
        BEGIN;
        CREATE TABLE metadata (name text, value text);
        CREATE UNIQUE INDEX name ON metadata (name);
        CREATE TABLE map (
            zoom_level integer, tile_column integer, tile_row integer, tile_id integer,
            PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
        CREATE TABLE images (tile_id integer PRIMARY KEY, tile_data blob);
        CREATE VIEW tiles AS
            SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map JOIN images ON images.tile_id = map.tile_id;
        """

    init(_ path: String) throws(StoreFailure) {
        connection = try Connection(path, .readWrite)
        try connection.execute(MBTilesDatabase.schema, to: "create the tables")
        map = try connection.prepare("INSERT INTO map VALUES (@zoom, @column, @row, @body)", to: "add a tile")
        image = try connection.prepare("INSERT INTO images VALUES (@id, @bytes)", to: "add a body")
        stored = try connection.prepare("SELECT tile_data FROM images WHERE tile_id = ?1", to: "read a body")
    }

    func add(_ tile: TileID, body: Int) throws(StoreFailure) {
        try map.run(["zoom": tile.zoom, "column": tile.x, "row": tile.tmsRow, "body": body])
    }

    func add(_ body: [UInt8], as id: Int) throws(StoreFailure) {
        try image.run(["id": id, "bytes": body])
    }

    func body(_ id: Int) throws(StoreFailure) -> [UInt8]? {
        try stored.bind(1, id)
        defer { stored.reset() }
        return try stored.step() ? stored.bytes(0) : nil
    }

    /// Adds the metadata, with non-string values as JSON, and completes the file.
    func finish(metadata: JSONObject) throws(StoreFailure) {
        let insert = try connection.prepare("INSERT INTO metadata VALUES (@name, @value)", to: "add metadata")
        for name in metadata.names {
            let value = metadata[name] ?? .null
            try insert.run(["name": name, "value": value.string ?? value.text])
        }
        try connection.execute("COMMIT", to: "complete the file")
    }
}
