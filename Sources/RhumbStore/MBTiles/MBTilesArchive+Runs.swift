internal import RhumbCore
internal import RhumbEngine

extension MBTilesArchive {
    /// Calls a function for each row. The location is the row of the body in layouts that share bodies.
    public func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        let reader = try MBTilesReader(path), rowLimit = reader.rowLimit
        var bytesLeft = reader.byteLimit
        let total =
            WorkProgress.handler == nil ? nil : try? reader.connection.integer("SELECT count(*) FROM tiles")
        var done = 0
        do {
            let rows = try reader.connection.prepare(reader.query(for: detail), to: "read all tiles")
            while try rows.step() {
                try Task.checkCancellation()
                let run = run(rows, detail)
                if run.location == nil { bytesLeft -= run.bytes }
                guard done < rowLimit, bytesLeft >= 0 else {
                    let problem = "\(shownPath) has more tiles than a file of this size can have"
                    return try visit(StoredTileRun(problem: problem, .unreadable))
                }
                WorkProgress.report(done, of: total)
                done += 1
                try visit(run)
            }
        } catch let failure as StoreFailure {
            if case .ids = detail { throw ArchiveFailure(failure) }
            try visit(StoredTileRun(problem: failure.description, .unreadable))
        }
        if reader.isImmutable, Folder.size(of: path + "-wal") ?? 0 > 0 {
            let problem = "\(shownPath)-wal can't be read; copy both files to a writable folder"
            try visit(StoredTileRun(problem: problem, .unreadable))
        }
    }

    private func run(_ row: Statement, _ detail: TileDetail) -> StoredTileRun {
        let found = tile(row)
        guard case .success(let tile) = found else {
            return StoredTileRun(ids: 0..<0, body: found.map { _ in [] }, fault: .position)
        }
        let location = row.int(4).map { UInt64(bitPattern: Int64($0)) }
        let body: [UInt8]?, bytes: Int?
        switch detail {
        case .ids: return StoredTileRun(tile)
        case .sizes:
            bytes = row.int(3)
            body = bytes.map { _ in [] }
        case .bodies:
            body = detail.needsBody(at: location) ? row.bytes(3) : []
            bytes = nil
        }
        guard let body else {
            return StoredTileRun(
                tile, body: .failure(TileBody.bad("\(tile)", path, "is NULL")), fault: .empty)
        }
        return StoredTileRun(tile, body: .success(body), bytes: bytes, location: location)
    }

    /// Returns the tile of a row that starts with zoom, column and row.
    private func tile(_ row: Statement) -> Result<TileID, TileFailure> {
        let (zoom, column, line) = (row.int(0) ?? -1, row.int(1) ?? -1, row.int(2) ?? -1)
        guard let tile = TileID(zoom: zoom, x: column, y: line) else {
            let problem = "\(shownPath) has an invalid tile \(zoom)/\(column)/\(line) (as stored)"
            return .failure(TileFailure(.badContent, problem, remedy: .inspectArchive))
        }
        return .success(isFromNorth ? tile : tile.mirrored)
    }

    private var shownPath: String { SafeText.sanitised(path) }
}

extension MBTilesReader {
    /// Returns the query for zoom, column and row of all tiles, the size or body, and the row of a shared
    /// body. `length` reads only the header of a blob.
    fileprivate func query(for detail: TileDetail) -> String {
        let content: String
        switch detail {
        case .ids: return "SELECT DISTINCT zoom_level, tile_column, tile_row FROM tiles ORDER BY zoom_level"
        case .sizes:
            content = """
                CASE typeof(tile_data) WHEN 'text' THEN length(CAST(tile_data AS BLOB))
                ELSE length(tile_data) END
                """
        case .bodies: content = "tile_data"
        }
        return layout?.tiles(content)
            ?? "SELECT zoom_level, tile_column, tile_row, \(content), NULL FROM tiles"
    }
}
