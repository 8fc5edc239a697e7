public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// An MBTiles 1.3 file (a SQLite database with a table or view `tiles`, rows counted from the south), or the
/// tiles of a GeoPackage read as one. Missing or wrong metadata is derived from the tiles. Rows that count
/// from the north are recognised by the declared bounds, or else by the row "scheme".
public final class MBTilesArchive: TileArchive {
    /// The description of the archive.
    public let info: TileSourceInfo
    /// The metadata rows as strings, with "json" parsed.
    public let metadata: JSON
    /// The error for an archive of vector tiles; nil for pictures.
    public let refusal: ArchiveFailure?
    /// The path, as given.
    public let path: String
    /// Reads the size of tiles in pixels; nil to assume 256.
    public let probe: TileProbe?
    /// The name of the format.
    public let format: String
    /// True if rows count from the north, contrary to the specification.
    let isFromNorth: Bool
    /// The reason why some rows of the metadata are left out; nil if none are.
    let metadataProblem: String?
    private let reader: Mutex<MBTilesReader>

    /// Opens the file read-only, or as immutable if that fails.
    /// - Parameter probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`.
    public init(_ path: String, probe: TileProbe? = nil) throws(ArchiveFailure) {
        let opened = try MBTilesReader(path)
        let (metadata, metadataProblem) = opened.metadata()
        isFromNorth = opened.countsFromNorth(metadata)
        opened.isFromNorth = isFromNorth
        let description = ArchiveDescription(metadata: metadata)
        let body = TileBody.sample(TileKind(declared: metadata["format"]?.string ?? ""), probe) { limit in
            opened.bodies(limit: limit).compactMap { try? TileBody.unwrapped($0, "", in: path) }
        }
        let extent: (zooms: ClosedRange<Int>, bounds: Bounds?) = try converting(
            MBTilesArchive.extent(opened, description)
        ) { (error: StoreFailure) in ArchiveFailure(error) }
        self.path = path
        self.probe = probe
        format = opened.package?.format ?? "MBTiles"
        self.metadata = metadata
        self.metadataProblem = metadataProblem
        info = description.info(
            fallbackName: baseName(path), zooms: extent.zooms, bounds: extent.bounds,
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
        refusal = MBTilesArchive.refusal(path, metadata, body)
        reader = Mutex(opened)
    }

    /// Returns the zooms and bounds of the tiles if an index makes them cheap, otherwise the declared ones.
    /// Declared bounds that the tiles fill are preferred because they are more precise; others would open the
    /// map on an empty area.
    private static func extent(
        _ reader: MBTilesReader, _ description: ArchiveDescription
    ) throws(StoreFailure) -> (ClosedRange<Int>, Bounds?) {
        let extent = MBTilesExtent(reader)
        if let zooms = description.zooms, reader.package != nil || !extent.isIndexed {
            return (zooms, description.bounds)
        }
        guard let zooms = try extent.zooms() else { return (description.zooms ?? 0...0, description.bounds) }
        guard let declared = description.bounds else { return (zooms, try extent.bounds(zooms)) }
        guard extent.isIndexed, let found = try extent.bounds(zooms), !found.fills(declared) else {
            return (zooms, declared)
        }
        let all = try extent.allBounds(zooms, found)
        return (zooms, all.fills(declared) ? declared : all)
    }

    private static func refusal(_ path: String, _ metadata: JSON, _ body: [UInt8]?) -> ArchiveFailure? {
        let declared = TileKind(declared: metadata["format"]?.string ?? "")
        // Elevation is always in pictures, even if each sampled tile is damaged.
        if declared?.isPicture == true, metadata["encoding"] != nil { return nil }
        let isDeclared = declared?.isVector == true
        let isVector = body.map { TileKind(of: $0).isVector } ?? isDeclared
        guard isVector || (isDeclared && body.map { TileKind(of: $0).isPicture } != true) else {
            return nil
        }
        return .vectorTiles(path)
    }

    /// Returns true if the archive's zoom range includes the tile's zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the picture or vector tile, decompressed if it is wrapped in gzip.
    /// - Throws: `TileFailure`: `badContent` for a damaged body, `unreadable` if SQLite can't read the file.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        if let refusal, refusal.reason != .vectorTiles { throw TileFailure(.refused, refusal.description) }
        guard let stored = try storedBody(tile), !stored.isEmpty else { return .absent }
        return .bitmap(.encoded(try TileBody.unwrapped(stored, "\(tile)", in: path)))
    }

    /// Returns the body as stored; empty if it is NULL.
    /// - Throws: `TileFailure`: `unreadable` if SQLite can't read the file.
    public func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? {
        return try converting(reader.withLock { reader throws(StoreFailure) in try reader.stored(tile) }) {
            (error: StoreFailure) in
            TileFailure(.unreadable, "\(error)")
        }
    }
}

extension ArchiveFailure {
    package static func vectorTiles(_ file: String) -> ArchiveFailure {
        ArchiveFailure(
            file, .vectorTiles, "it has vector tiles, not images",
            "draw them with a style, or use an archive of PNG, JPEG or WebP tiles")
    }
}

extension MBTilesArchive {
    /// The properties in the metadata. Those of a GeoPackage are in tables that SQLite checks.
    public var declaredContent: DeclaredContent {
        var content = DeclaredContent(metadata)
        // Its tables may have PNG where tiles are transparent, and JPEG elsewhere.
        content.mixesPictures = format == "GeoPackage"
        return content
    }

    /// Checks the database and the metadata.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        for problem in metadataProblems { report(VerificationFault(.metadata, problem)) }
        guard isThorough else { return }
        do {
            // The reader's limits are too low for a check of the whole file.
            let connection = try (try? Connection(path, .readOnly)) ?? Connection(path, .immutable)
            let rows = try connection.prepare("PRAGMA quick_check(10)", to: "check the database")
            while try rows.step() {
                guard let problem = rows.text(0), problem != "ok" else { continue }
                report(VerificationFault(.directory, problem))
            }
        } catch let failure as StoreFailure {
            report(VerificationFault(.directory, failure.reason))
        }
    }

    /// The missing and invalid rows of the metadata.
    private var metadataProblems: [String] {
        var faults = ["name", "format"].filter { metadata[$0] == nil }.map { "the row \"\($0)\" is missing" }
        if let metadataProblem { faults.append(metadataProblem) }
        let description = ArchiveDescription(metadata: metadata)
        if metadata["bounds"] != nil && !description.hasValidBounds {
            faults.append("the bounds are invalid")
        }
        let claimsZooms = metadata["minzoom"] != nil || metadata["maxzoom"] != nil
        if claimsZooms && description.zooms == nil { faults.append("minzoom and maxzoom are invalid") }
        if isFromNorth { faults.append("the rows count from the north (XYZ) instead of the south") }
        if metadata["json"]?.string != nil { faults.append("the row \"json\" is not JSON") }
        return faults
    }

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
        case .ids(let withRepeats):
            let distinct = withRepeats ? "" : "DISTINCT"
            return "SELECT \(distinct) zoom_level, tile_column, tile_row FROM tiles ORDER BY zoom_level"
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
