internal import CSQLite
internal import RhumbCore

/// The rows of an MBTiles file without an index on tile positions, sorted by position. One scan replaces a
/// scan for each look-up. Uses 16 bytes of memory for each tile.
struct MBTilesRows {
    /// The numbers of the tiles, whose rows count as in the file, and their rows in the database.
    private var entries: [(tile: UInt64, row: Int)] = []
    /// The columns and rows, as in the file, of the tiles at each zoom.
    private(set) var extents: [Int: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = [:]
    /// SQLite's number of the state of the file. It changes when another process writes.
    let version: Int?

    /// Lists the rows of a file.
    /// - Parameter limit: The maximum number of rows.
    /// - Throws: `StoreFailure`, also for more rows.
    init(_ connection: Connection, _ layout: MBTilesLayout, limit: Int) throws(StoreFailure) {
        version = try connection.dataVersion
        let rows = try connection.prepare(layout.bodyRows, to: "list the tiles")
        while try rows.step() {
            guard entries.count < limit else {
                throw StoreFailure(
                    code: SQLITE_TOOBIG, attempt: "list the tiles", file: connection.file,
                    reason: "more than \(limit) tiles")
            }
            guard let zoom = rows.int(0), let column = rows.int(1), let line = rows.int(2),
                let row = rows.int(3),
                let tile = TileID(zoom: zoom, x: column, y: line)
            else { continue }
            entries.append((tile.hilbertID, row))
            let old = extents[zoom] ?? (column...column, line...line)
            extents[zoom] = (
                min(old.columns.lowerBound, column)...max(old.columns.upperBound, column),
                min(old.rows.lowerBound, line)...max(old.rows.upperBound, line)
            )
        }
        entries.sort { $0 < $1 }
    }

    /// Returns the first row of a tile; nil if there is none.
    /// - Parameter tile: The position as in the file.
    subscript(tile: TileID) -> Int? {
        let id = tile.hilbertID, at = entries.partitioningIndex { $0.tile >= id }
        return at < entries.count && entries[at].tile == id ? entries[at].row : nil
    }
}

/// The tables of an MBTiles file.
struct MBTilesLayout {
    /// The table of positions, that of bodies, and the column that joins them; nil if `tiles` is a table.
    private let shared: (tiles: String, bodies: String, id: String)?

    /// The common layouts that share bodies.
    private static let sharedLayouts = [
        ("map", "images", "tile_id"), ("tiles_shallow", "tiles_data", "tile_data_id"),
    ]

    /// Recognises a layout; nil if `tiles` is an unknown view.
    init?(_ connection: Connection) {
        let isView = try? connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE name = 'tiles' AND type = 'view'")
        guard isView == 1 else {
            shared = nil
            return
        }
        let found = Self.sharedLayouts.first { tiles, bodies, id in
            let query = """
                SELECT zoom_level, tile_column, tile_row, tile_data, b.rowid
                FROM \(tiles) JOIN \(bodies) AS b USING (\(id))
                """
            return (try? connection.prepare(query, to: "read all tiles")) != nil
        }
        guard let found else { return nil }
        shared = found
    }

    private var source: String {
        shared.map { "\($0.tiles) JOIN \($0.bodies) AS b USING (\($0.id))" } ?? "tiles AS b"
    }

    /// The query for zoom, column, row and the row of the body of all tiles.
    var bodyRows: String { "SELECT zoom_level, tile_column, tile_row, b.rowid FROM \(source)" }

    /// The query for the body in a row.
    var body: String { "SELECT tile_data FROM \(shared?.bodies ?? "tiles") WHERE rowid = ?1" }

    /// The query for zoom, column, row and some content of all tiles, and the row of a shared body.
    func tiles(_ content: String) -> String {
        "SELECT zoom_level, tile_column, tile_row, \(content), \(shared == nil ? "NULL" : "b.rowid") FROM \(source)"
    }

}

extension Connection {
    /// SQLite's number of the state of the file, as seen by this connection.
    var dataVersion: Int? { get throws(StoreFailure) { try integer("PRAGMA data_version") } }

    /// Returns true if a query for zoom, column and row of a tile finds it by indexes, without a scan.
    func usesIndex(_ query: String) throws(StoreFailure) -> Bool {
        let plan = try prepare("EXPLAIN QUERY PLAN " + query, to: "plan a query")
        var isFound = false
        while try plan.step() {
            let step = plan.text(3) ?? ""
            if step.hasPrefix("SCAN"), !step.contains("CONSTANT ROW") { return false }
            if step.contains("AUTOMATIC") { return false }
            let columns = ["zoom_level", "tile_column", "tile_row"]
            if columns.allSatisfy({ step.contains("\($0)=?") }) { isFound = true }
        }
        return isFound
    }
}
