internal import RhumbCore

extension MBTilesArchive {
    /// Inspects all tiles.
    public func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection {
        let reader = try MBTilesReader(path)
        var census = ArchiveScan(probe: probe, decode: decode, expectsPictures: refusal == nil)
        do throws(StoreFailure) {
            try MBTilesArchive.count(reader, &census)
        } catch {
            census.add(.unreadable, error.description)
        }
        if reader.isImmutable, let log = try? FileBytes(path + "-wal"), log.size > 0 {
            census.add(.unreadable, "its -wal file: copy both to a writable folder")
        }
        checkMetadata(&census)
        let description = ArchiveDescription(metadata: metadata)
        return census.result(
            .init(
                file: path, format: reader.package == nil ? "MBTiles" : "GeoPackage", info: info,
                metadata: metadata,
                declaredZooms: description.zooms, declaredBounds: description.bounds))
    }

    private static func count(_ reader: MBTilesReader, _ census: inout ArchiveScan) throws(StoreFailure) {
        let rows = try reader.connection.prepare(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles", to: "read all tiles")
        var rowsLeft = reader.rowLimit
        let total =
            WorkProgress.handler == nil ? nil : try? reader.connection.integer("SELECT count(*) FROM tiles")
        while try rows.step() {
            WorkProgress.report(reader.rowLimit - rowsLeft, of: total)
            rowsLeft -= 1
            guard rowsLeft >= 0 else {
                return census.add(.unreadable, "more tiles than a file of this size can have")
            }
            let place = (rows.int(0) ?? -1, rows.int(1) ?? -1, rows.int(2) ?? -1)
            guard let mirrored = TileID(zoom: place.0, x: place.1, y: place.2),
                let tile = TileID(zoom: place.0, x: place.1, y: mirrored.tmsRow)
            else {
                census.add(.misplaced, "\(place.0)/\(place.1)/\(place.2) (as stored)")
                continue
            }
            guard let bytes = rows.bytes(3) else {
                census.add(.null, "\(tile)")
                continue
            }
            census.stored.count += 1
            census.stored.bytes += bytes.count
            census.add(tile.pmtilesID..<tile.pmtilesID + 1, census.body(bytes))
        }
        if let shared = sharedBodies(reader) { census.stored = shared }
    }

    /// Returns the total of the bodies in the common layout, in which `tiles` is a view on `map` and
    /// `images`; nil for other layouts.
    private static func sharedBodies(_ reader: MBTilesReader) -> (count: Int, bytes: Int)? {
        let sum = try? reader.connection.prepare(
            """
            SELECT count(*), sum(length(CAST(tile_data AS BLOB))) FROM images
            WHERE EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'tiles' AND type = 'view')
            """, to: "count the bodies")
        guard let sum, (try? sum.step()) == true, let count = sum.int(0), count > 0 else { return nil }
        return (count, sum.int(1) ?? 0)
    }

    private func checkMetadata(_ census: inout ArchiveScan) {
        for fault in metadataFaults { census.add(.metadata, fault) }
        guard let format = metadata["format"]?.string?.lowercased() else { return }
        let expected = TileKind(declared: format)
        if let expected, !census.kinds.isEmpty, census.kinds[expected] == nil {
            census.add(.metadata, "the declared format is \(format), but no tile has that format")
        }
    }
}
