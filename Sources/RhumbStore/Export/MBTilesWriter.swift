public import RhumbCore

/// Writes MBTiles 1.3. `tiles` is a view on `map` and `images`, so that equal bodies are stored once. Rows
/// count from the south. Tiles may be added in any order.
public final class MBTilesWriter: ArchiveWriter {
    private let file: PartFile
    private let label: ExportLabel
    private var database: MBTilesDatabase?
    private var extent = ExportExtent()
    private var rows = BodyIndex<Int>()
    private var bodies = 0
    private var content: ExportContent

    /// Creates the file.
    /// - Parameter isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ExportFailure`.
    public init(_ path: String, label: ExportLabel, isReplacing: Bool = false) throws(ExportFailure) {
        file = try PartFile(path, isReplacing: isReplacing)
        self.label = label
        content = ExportContent(label)
        database = try converting(MBTilesDatabase(file.path)) { (error: StoreFailure) in
            ExportFailure(path, error)
        }
    }

    /// Adds a tile.
    public func add(_ tile: TileID, _ body: [UInt8]) throws(ExportFailure) {
        guard let database else { throw ended }
        let body = content.stored(body)
        guard !body.isEmpty else {
            throw ExportFailure(file.destination, .body, "tile \(tile) has no bytes", "omit such tiles")
        }
        try converting(database.add(tile, body: try row(of: body, in: database))) { (error: StoreFailure) in
            error.kind == .constraint
                ? ExportFailure.repeated(tile, file.destination) : ExportFailure(file.destination, error)
        }
        extent.add(tile)
    }

    private func row(of body: [UInt8], in database: MBTilesDatabase) throws(StoreFailure) -> Int {
        let hash = ContentHash(body)
        if let row = rows.location(of: hash), try database.body(row) == body { return row }
        bodies += 1
        content.inspect(body)
        try database.add(body, as: bodies)
        rows.remember(bodies, for: hash)
        return bodies
    }

    /// Completes the archive and moves it to its destination.
    public func finish() throws(ExportFailure) -> ExportSummary {
        guard let database else { throw ended }
        guard let zooms = extent.zooms else {
            throw ExportFailure(file.destination, .empty, "no tiles to write", "check what you export")
        }
        try converting(database.finish(metadata: metadata(zooms))) { (error: StoreFailure) in
            ExportFailure(file.destination, error)
        }
        self.database = nil
        return ExportSummary(tiles: extent.tiles, bodies: bodies, bytes: try file.publish(), zooms: zooms)
    }

    private var ended: ExportFailure {
        ExportFailure(file.destination, .disk, "the archive is already finished", "start another one")
    }

    private func metadata(_ zooms: ClosedRange<Int>) -> JSONObject {
        let center = label.center ?? extent.center(label.bounds)
        let bounds = extent.edges(label.bounds).map { "\($0)" }.joined(separator: ",")
        var (rows, json) = MBTilesWriter.divided(label.more)
        rows["name"] = .string(label.name)
        rows["format"] = .string(content.kind.mbtilesFormat)
        rows["bounds"] = .string(bounds)
        rows["center"] = .string(
            "\(center.longitude),\(center.latitude),\(label.centerZoom ?? zooms.lowerBound)")
        rows["minzoom"] = .integer(zooms.lowerBound)
        rows["maxzoom"] = .integer(zooms.upperBound)
        rows["type"] = rows["type"] ?? (label.isOverlay ? "overlay" : "baselayer")
        if !label.attribution.isEmpty { rows["attribution"] = .string(label.attribution) }
        if !label.summary.isEmpty { rows["description"] = .string(label.summary) }
        if !label.generator.isEmpty { rows["generator"] = .string(label.generator) }
        if let layers = content.vectorLayers { json["vector_layers"] = layers }
        if !json.isEmpty { rows["json"] = .object(json) }
        return rows
    }

    /// Divides members into texts, which are rows, and other values, which are members of the row "json".
    private static func divided(_ members: JSONObject) -> (rows: JSONObject, json: JSONObject) {
        var rows = members, json = members["json"]?.object ?? JSONObject()
        for name in members.names where name != "json" && members[name]?.string == nil {
            json[name] = members[name]
            rows[name] = nil
        }
        return (rows, json)
    }
}

extension TileKind {
    fileprivate var mbtilesFormat: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        case .gif: "image/gif"
        case .avif: "image/avif"
        case .vector: "pbf"
        case .mapLibre: "application/vnd.maplibre-tile"
        case .text, .unknown: "application/octet-stream"
        }
    }
}

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
        return try stored.first { $0.bytes(0) }
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
