internal import RhumbCore

/// One connection to an MBTiles file, or to a GeoPackage as to one, and the statements that read it.
final class MBTilesReader {
    let connection: Connection
    /// True if it was opened as read-only media, ignoring files beside it.
    let isImmutable: Bool
    private let tile: Statement
    /// The tiles of a GeoPackage; nil for MBTiles.
    let package: GeoPackageTiles?

    /// The longest tile or value, in bytes.
    static let valueLimit = 16 << 20
    /// The most steps for one row; a scan of ten million rows without an index needs about as many.
    static let stepLimit = 80_000_000
    /// The most rows of metadata, and their bytes all together.
    private static let metadataRows = 10_000
    private static let metadataBytes = 4 << 20
    /// So many tiles are gone through however small the file is.
    private static let leastRows = 1 << 20

    /// The most tiles that are gone through: an honest row takes some bytes of the file.
    var rowLimit: Int {
        let size = (try? FileBytes(connection.file))?.size ?? 0
        return max(MBTilesReader.leastRows, Int(clamping: size))
    }

    /// Opens the file read-only, or as immutable if nothing else works (a read-only folder with the remains
    /// of a crash, or read-only media).
    init(_ path: String) throws(ArchiveFailure) {
        do {
            let (connection, isImmutable) = try MBTilesReader.connection(path)
            connection.limit(valueBytes: MBTilesReader.valueLimit, steps: MBTilesReader.stepLimit)
            package = try MBTilesReader.tables(connection)
            self.connection = connection
            self.isImmutable = isImmutable
            let query =
                "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
            tile = try connection.prepare(package?.tileQuery ?? query, to: "read a tile")
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

    private static func readSchema(_ connection: Connection) throws(StoreFailure) {
        try connection.prepare("SELECT count(*) FROM sqlite_master", to: "read the list of tables").step()
    }

    /// Looks for the tables that are needed.
    /// - Returns: where the tiles lie of a GeoPackage; nil for MBTiles.
    private static func tables(_ connection: Connection) throws -> GeoPackageTiles? {
        let statement = try connection.prepare(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')", to: "read the list of tables")
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)?.lowercased() ?? "") }
        if names.contains("gpkg_contents") { return try GeoPackageTiles(connection) }
        if names.contains("tiles") { return nil }
        throw ArchiveFailure(
            connection.file, .notRecognised, "it is a SQLite database without a table \"tiles\"",
            "use an MBTiles file")
    }

    enum Found: Equatable {
        case none
        case null
        case body([UInt8])
    }

    /// The tile as it is stored; of several the first.
    func stored(_ id: TileID) throws(StoreFailure) -> Found {
        let place: (matrix: Int, column: Int, row: Int)
        if let package {
            guard let found = package.place(of: id) else { return .none }
            place = found
        } else {
            place = (id.zoom, id.x, id.tmsRow)
        }
        try tile.bind(1, place.matrix)
        try tile.bind(2, place.column)
        try tile.bind(3, place.row)
        defer { tile.reset() }
        guard try tile.step() else { return .none }
        return tile.bytes(0).map(Found.body) ?? .null
    }

    /// The metadata rows as an object of texts, of a repeated name the first; empty if there is
    /// no such table. The row "json" is read as the JSON it holds.
    func metadata() -> JSON {
        var members = JSONObject()
        guard let rows = try? connection.prepare("SELECT name, value FROM metadata", to: "read the metadata")
        else {
            return .object(members)
        }
        var bytesLeft = MBTilesReader.metadataBytes, rowsLeft = MBTilesReader.metadataRows
        while rowsLeft > 0, (try? rows.step()) == true {
            rowsLeft -= 1
            guard let name = rows.text(0), let value = rows.text(1), members[name] == nil else { continue }
            bytesLeft -= name.utf8.count + value.utf8.count
            guard bytesLeft >= 0 else { break }
            members[name] = name == "json" ? (try? JSON.parse(value)) ?? .string(value) : .string(value)
        }
        return .object(members)
    }

    /// The first body there is, as it is stored.
    func anyBody() -> [UInt8]? {
        let first = try? connection.prepare(
            "SELECT tile_data FROM tiles WHERE tile_data IS NOT NULL LIMIT 1", to: "read the first tile")
        guard let first, (try? first.step()) == true else { return nil }
        return first.bytes(0)
    }
}
