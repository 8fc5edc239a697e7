internal import RhumbCore
internal import RhumbEngine

extension MBTilesArchive {
    /// Calls a function with the stored body of each row, in the order of the table.
    public func eachStoredRun(_ body: (StoredTileRun) throws -> Void) throws {
        let reader = try MBTilesReader(path), rowLimit = reader.rowLimit
        let total =
            WorkProgress.handler == nil ? nil : try? reader.connection.integer("SELECT count(*) FROM tiles")
        var done = 0
        do {
            let rows = try reader.connection.prepare(
                "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles", to: "read all tiles")
            while try rows.step() {
                guard done < rowLimit else {
                    return try body(
                        StoredTileRun(
                            problem: "\(shownPath) has more tiles than a file of this size can have"))
                }
                WorkProgress.report(done, of: total)
                done += 1
                try body(run(rows))
            }
        } catch let failure as StoreFailure {
            try body(StoredTileRun(problem: failure.description))
        }
    }

    private func run(_ row: Statement) -> StoredTileRun {
        let (zoom, column, line) = (row.int(0) ?? -1, row.int(1) ?? -1, row.int(2) ?? -1)
        guard let mirrored = TileID(zoom: zoom, x: column, y: line),
            let tile = TileID(zoom: zoom, x: column, y: mirrored.tmsRow)
        else {
            return StoredTileRun(
                problem: "\(shownPath) has an invalid tile \(zoom)/\(column)/\(line) (as stored)")
        }
        guard let bytes = row.bytes(3) else {
            return StoredTileRun(tile, body: .failure(TileBody.bad("\(tile)", path, "is NULL")))
        }
        return StoredTileRun(tile, body: .success(bytes))
    }

    private var shownPath: String { SafeText.sanitised(path) }
}
