internal import CSQLite
internal import RhumbCore

/// A connection to an MBTiles file or a GeoPackage, with the statements that read it.
final class MBTilesReader {
    let connection: Connection
    /// True if the file was opened as on read-only media, ignoring files next to it.
    let isImmutable: Bool
    private let tile: Statement
    /// The tables; nil for those of a GeoPackage and for unknown views.
    let layout: MBTilesLayout?
    /// The tables of a file without an index for `tile`, and the statement that reads a body by its row.
    private let unindexed: (layout: MBTilesLayout, body: Statement)?
    private var rows: MBTilesRows?
    /// True if rows count from the north, contrary to the specification.
    var isFromNorth = false
    /// The maximum size in bytes of the bodies of all tiles, which views may repeat.
    var byteLimit: Int {
        let size = (try? FileBytes(connection.file))?.size ?? 0
        return max(1 << 30, Int(clamping: size).saturatingMultiply(64))
    }
    /// The tiles of a GeoPackage or of another layout; nil for MBTiles.
    let package: (any ForeignTiles)?

    /// The maximum size of a tile or value in bytes.
    static let valueLimit = 16 << 20
    /// The maximum number of SQLite VM instructions per row; about the cost of scanning ten million rows
    /// without an index.
    static let stepLimit = 80_000_000
    /// The maximum number of instructions per statement for each byte of the file, and at least, as a
    /// multiple of the limit per row: about a minute.
    private static let stepsPerByte = 8, leastTotal = 64
    /// The maximum number of metadata rows, and of their bytes in total.
    private static let metadataRows = 10_000
    private static let metadataBytes = ArchiveDescription.metadataLimit
    /// The minimum value of `rowLimit`, for small files.
    private static let leastRows = 1 << 20

    /// The maximum number of tiles to read, since every stored row takes some bytes of the file.
    var rowLimit: Int {
        let size = (try? FileBytes(connection.file))?.size ?? 0
        return max(MBTilesReader.leastRows, Int(clamping: size))
    }

    /// Opens the file read-only, or as immutable if only that is possible, such as on read-only media or in a
    /// read-only folder with files left by a crash.
    init(_ path: String) throws(ArchiveFailure) {
        do {
            let (connection, isImmutable) = try MBTilesReader.connection(path)
            let size = Int(clamping: (try? FileBytes(path))?.size ?? 0)
            connection.limit(
                valueBytes: MBTilesReader.valueLimit, steps: MBTilesReader.stepLimit,
                total: max(
                    MBTilesReader.stepLimit * MBTilesReader.leastTotal,
                    size.saturatingMultiply(MBTilesReader.stepsPerByte)))
            package = try MBTilesReader.tables(connection)
            self.connection = connection
            self.isImmutable = isImmutable
            let query =
                package?.tileQuery
                ?? "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
            tile = try connection.prepare(query, to: "read a tile")
            layout = package == nil ? MBTilesLayout(connection) : nil
            let isIndexed = try package != nil || connection.usesIndex(query)
            unindexed =
                isIndexed
                ? nil
                : layout.flatMap { layout in
                    (try? connection.prepare(layout.body, to: "read a tile")).map { (layout, $0) }
                }
            try package?.makeViews(connection)
        } catch let failure as ArchiveFailure {
            throw failure
        } catch let failure as StoreFailure {
            throw ArchiveFailure(failure)
        } catch {
            throw ArchiveFailure(path, .cannotOpen, "\(error)", "check the file")
        }
    }

    private static func connection(_ path: String) throws(StoreFailure) -> (Connection, Bool) {
        do {
            let connection = try Connection(path, .readOnly)
            try readSchema(connection)
            return (connection, false)
        } catch  where error.kind == .cannotOpen || error.kind == .notWritable {
            let connection = try Connection(path, .immutable)
            try readSchema(connection)
            return (connection, true)
        }
    }

    /// Reads the list of tables. The pages of a body are read once, so that few need to stay in memory:
    /// 2 MB of them would be a twentieth of the program's memory.
    private static func readSchema(_ connection: Connection) throws(StoreFailure) {
        try connection.execute("PRAGMA cache_size = -384", to: "open the archive")
        try connection.prepare("SELECT count(*) FROM sqlite_master", to: "read the list of tables").step()
    }

    /// Checks for the required tables.
    /// - Returns: The tiles of a GeoPackage or of another layout; nil for MBTiles.
    private static func tables(_ connection: Connection) throws -> (any ForeignTiles)? {
        let statement = try connection.prepare(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", to: "read the list of tables")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)?.lowercased() ?? "") }
        if names.contains("gpkg_contents") { return try GeoPackageTiles(connection) }
        if names.contains("tiles") { return try OsmAndTiles(connection) }
        throw ArchiveFailure(
            connection.file, .notRecognised, "it is a SQLite database without map tiles",
            "use an MBTiles file, or convert its features with ogr2ogr -f GPKG out.gpkg \(connection.file)")
    }

    /// Returns the stored tile, the first of several, with no bytes for NULL; nil if there is none.
    func stored(_ id: TileID) throws(StoreFailure) -> [UInt8]? {
        if let (layout, body) = unindexed {
            guard let row = try rows(of: layout)[isFromNorth ? id : id.mirrored] else { return nil }
            try body.bind(1, row)
            return try body.first { $0.bytes(0) ?? [] } ?? []
        }
        let position: (matrix: Int, column: Int, row: Int)
        if let package {
            guard let found = package.position(of: id) else { return .none }
            position = found
        } else {
            position = (id.zoom, id.x, isFromNorth ? id.y : id.tmsRow)
        }
        try tile.bind(1, position.matrix)
        try tile.bind(2, position.column)
        try tile.bind(3, position.row)
        return try tile.first { $0.bytes(0) ?? [] }
    }

    /// The columns and rows, as in the file, of the tiles at each zoom; nil if an index finds them.
    func unindexedExtents() throws(StoreFailure) -> [Int: (
        columns: ClosedRange<Int>, rows: ClosedRange<Int>
    )]? {
        guard let unindexed else { return nil }
        return try rows(of: unindexed.layout).extents
    }

    /// Returns the rows of a file without an index. Lists them once, and again after a change of the file.
    private func rows(of layout: MBTilesLayout) throws(StoreFailure) -> MBTilesRows {
        if let rows, try connection.dataVersion == rows.version { return rows }
        let found = try MBTilesRows(connection, layout, limit: rowLimit)
        rows = found
        return found
    }

    /// Returns the metadata rows as an object of strings, empty if there is no such table, and the reason why
    /// some are missing; nil if none are. The first of repeated names counts. The row "json" is parsed.
    func metadata() -> (members: JSON, problem: String?) {
        var members = JSONObject(), omitted: [String] = [], isWhole = true
        guard let rows = try? connection.prepare("SELECT name, value FROM metadata", to: "read the metadata")
        else {
            return (.object(members), nil)
        }
        var bytesLeft = MBTilesReader.metadataBytes, rowsLeft = MBTilesReader.metadataRows
        while true {
            do throws(StoreFailure) {
                guard try rows.step() else { break }
            } catch {
                isWhole = false
                break
            }
            guard rowsLeft > 0 else {
                isWhole = false
                break
            }
            rowsLeft -= 1
            guard let name = rows.text(0), let value = rows.text(1), members[name] == nil else { continue }
            let size = name.utf8.count + value.utf8.count
            guard size <= bytesLeft else {
                if omitted.count < 10 { omitted.append("\"\(SafeText.sanitised(name, limit: 60))\"") }
                continue
            }
            bytesLeft -= size
            members[name] = name == "json" ? (try? JSON.parse(value)) ?? .string(value) : .string(value)
        }
        let limit = "\(MBTilesReader.metadataBytes >> 20) MiB"
        let problem =
            if !omitted.isEmpty {
                "the metadata are larger than \(limit), so these rows are left out: "
                    + omitted.joined(separator: ", ")
            } else {
                isWhole
                    ? nil
                    : "some rows of the metadata can't be read, or there are too many; they are left out"
            }
        return (.object(members), problem)
    }

    /// Returns the first stored bodies.
    func bodies(limit: Int) -> [[UInt8]] {
        let rows = try? connection.prepare(
            "SELECT tile_data FROM tiles WHERE length(tile_data) > 0 LIMIT \(limit)",
            to: "read the first tiles")
        var bodies: [[UInt8]] = []
        while let rows, (try? rows.step()) == true { bodies.append(rows.bytes(0) ?? []) }
        return bodies
    }
}

/// The rows of an MBTiles file without an index on tile positions, sorted by position. One scan replaces a
/// scan for each look-up. Uses 16 bytes of memory for each tile.
struct MBTilesRows {
    /// The numbers of the tiles, whose rows count as in the file, and their rows in the database.
    private var entries: [(tile: UInt64, row: Int)] = []
    /// The columns and rows, as in the file, of the tiles at each zoom.
    private(set) var extents: [Int: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = [:]
    /// The row of a missing body, which no table has.
    private static let none = Int.min
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
                let tile = TileID(zoom: zoom, x: column, y: line)
            else { continue }
            entries.append((tile.hilbertID, rows.int(3) ?? Self.none))
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

    /// The tiles, with no row of the body for those whose body is missing.
    private var source: String {
        shared.map { "\($0.tiles) LEFT JOIN \($0.bodies) AS b USING (\($0.id))" } ?? "tiles AS b"
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
