internal import RhumbCore
internal import RhumbEngine

extension MBTilesArchive {
    /// Calls a function with the stored body of each row, in the order of the table.
    public func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws {
        let reader = try MBTilesReader(path)
        try eachRow(
            of: reader, "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles",
            problem: { try body(StoredTileRun(problem: $0)) },
            { row in
                let place = tile(row)
                guard case .success(let tile) = place else {
                    return try body(StoredTileRun(ids: 0..<0, body: place.map { _ in [] }))
                }
                guard let bytes = row.bytes(3) else { return try body(null(tile)) }
                try body(StoredTileRun(tile, body: .success(bytes)))
            })
    }

    /// Calls a function with the size of each row. The place is the row of the body in layouts that share
    /// bodies.
    public func eachStoredSize(_ body: (StoredTileSize) throws -> Void) throws {
        let reader = try MBTilesReader(path)
        try eachRow(
            of: reader, reader.sizeQuery, problem: { try body(StoredTileSize(StoredTileRun(problem: $0))) },
            { row in
                let place = tile(row)
                guard case .success(let tile) = place else {
                    return try body(StoredTileSize(StoredTileRun(ids: 0..<0, body: place.map { _ in [] })))
                }
                guard let bytes = row.int(3) else { return try body(StoredTileSize(null(tile))) }
                let id = tile.pmtilesID
                try body(
                    StoredTileSize(
                        ids: id..<id + 1, bytes: bytes,
                        place: row.int(4).map { UInt64(bitPattern: Int64($0)) }))
            })
    }

    private func eachRow(
        of reader: MBTilesReader, _ query: String, problem: (String) throws -> Void,
        _ body: (Statement) throws -> Void
    ) throws {
        let rowLimit = reader.rowLimit
        let total =
            WorkProgress.handler == nil ? nil : try? reader.connection.integer("SELECT count(*) FROM tiles")
        var done = 0
        do {
            let rows = try reader.connection.prepare(query, to: "read all tiles")
            while try rows.step() {
                try Task.checkCancellation()
                guard done < rowLimit else {
                    return try problem("\(shownPath) has more tiles than a file of this size can have")
                }
                WorkProgress.report(done, of: total)
                done += 1
                try body(rows)
            }
        } catch let failure as StoreFailure {
            try problem(failure.description)
        }
    }

    /// Returns the tile of a row that starts with zoom, column and row.
    private func tile(_ row: Statement) -> Result<TileID, TileFailure> {
        let (zoom, column, line) = (row.int(0) ?? -1, row.int(1) ?? -1, row.int(2) ?? -1)
        guard let mirrored = TileID(zoom: zoom, x: column, y: line),
            let tile = TileID(zoom: zoom, x: column, y: mirrored.tmsRow)
        else {
            let problem = "\(shownPath) has an invalid tile \(zoom)/\(column)/\(line) (as stored)"
            return .failure(TileFailure(.badContent, problem, remedy: .inspectArchive))
        }
        return .success(tile)
    }

    private func null(_ tile: TileID) -> StoredTileRun {
        StoredTileRun(tile, body: .failure(TileBody.bad("\(tile)", path, "is NULL")))
    }

    private var shownPath: String { SafeText.sanitised(path) }
}

extension MBTilesReader {
    /// The common layouts that share bodies: the table of tiles, that of bodies, and the column that joins
    /// them.
    private static let sharedLayouts = [
        ("map", "images", "tile_id"), ("tiles_shallow", "tiles_data", "tile_data_id"),
    ]

    /// The query for zoom, column, row and size of all tiles, and the row of the body if bodies are shared.
    /// `length` reads only the header of a blob.
    fileprivate var sizeQuery: String {
        let isView = try? connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE name = 'tiles' AND type = 'view'")
        if isView == 1 {
            for (tiles, bodies, id) in Self.sharedLayouts {
                let query = """
                    SELECT zoom_level, tile_column, tile_row, length(tile_data), b.rowid
                    FROM \(tiles) JOIN \(bodies) AS b USING (\(id))
                    """
                if (try? connection.prepare(query, to: "read all tiles")) != nil { return query }
            }
        }
        return """
            SELECT zoom_level, tile_column, tile_row,
            CASE typeof(tile_data) WHEN 'text' THEN length(CAST(tile_data AS BLOB)) ELSE length(tile_data) END
            FROM tiles
            """
    }
}
