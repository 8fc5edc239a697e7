public import Rhumb

/// A builder of valid and invalid MBTiles files.
public struct MBTilesFixture: Sendable {
    public enum Layout: Sendable, CaseIterable {
        case table
        case tableWithoutIndex
        /// `tiles` is a view of `map` and `images`, and each body is stored once.
        case view
    }

    public var layout = Layout.table
    /// The rows of the metadata table; nil for a file without this table.
    public var metadata: [(name: String, value: String)]?
    /// The tiles and their bodies; nil for a NULL body.
    public var tiles: [(tile: TileID, body: [UInt8]?)]

    public init(_ tiles: [(tile: TileID, body: [UInt8]?)], metadata: [(name: String, value: String)]? = []) {
        self.tiles = tiles
        self.metadata = metadata
    }

    /// Creates a fixture with all tiles of the zooms, each with a distinct body.
    public init(zooms: ClosedRange<Int>) {
        self.init(TileID.pyramid(zooms).map { ($0, fakePicture($0)) })
    }

    /// Writes the file and returns its path.
    public func write(in folder: TemporaryFolder, name: String = "map.mbtiles") throws -> String {
        let path = folder.path + "/" + name
        let connection = try Connection(path, .readWrite)
        try connection.transaction(to: "write the fixture") { () throws(StoreFailure) in try write(connection)
        }
        return path
    }

    private func write(_ connection: Connection) throws(StoreFailure) {
        try connection.execute(layout.schema, to: "make the tables")
        if let metadata {
            try connection.execute("CREATE TABLE metadata (name text, value text)", to: "make the table")
            let insert = try connection.prepare("INSERT INTO metadata VALUES (?1, ?2)", to: "add a row")
            for row in metadata {
                try insert.bind(1, row.name)
                try insert.bind(2, row.value)
                try insert.step()
            }
        }
        if layout == .view { try writeShared(connection) } else { try writeRows(connection) }
    }

    private func writeRows(_ connection: Connection) throws(StoreFailure) {
        let insert = try connection.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)", to: "add a tile")
        for (tile, body) in tiles {
            try insert.bind(tile)
            if let body { try insert.bind(4, body) } else { try insert.bindNull(4) }
            try insert.step()
        }
    }

    private func writeShared(_ connection: Connection) throws(StoreFailure) {
        let map = try connection.prepare("INSERT INTO map VALUES (?1, ?2, ?3, ?4)", to: "add a tile")
        let image = try connection.prepare("INSERT OR IGNORE INTO images VALUES (?1, ?2)", to: "add a body")
        for (tile, body) in tiles {
            let id = "\(crc32(body ?? [])) \(body?.count ?? -1)"
            try map.bind(tile)
            try map.bind(4, id)
            try map.step()
            try image.bind(1, id)
            if let body { try image.bind(2, body) } else { try image.bindNull(2) }
            try image.step()
        }
    }
}

extension MBTilesFixture.Layout {
    fileprivate var schema: String {
        let tiles =
            "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);"
        return switch self {
        case .table: tiles + "CREATE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)"
        case .tableWithoutIndex: tiles
        case .view:
            """
            CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text);
            CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
            CREATE TABLE images (tile_id text PRIMARY KEY, tile_data blob);
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map JOIN images ON images.tile_id = map.tile_id
            """
        }
    }
}

extension Statement {
    fileprivate func bind(_ tile: TileID) throws(StoreFailure) {
        try bind(1, tile.zoom)
        try bind(2, tile.x)
        try bind(3, tile.tmsRow)
    }
}

extension TileID {
    /// Returns all tiles of the zooms.
    public static func pyramid(_ zooms: ClosedRange<Int>) -> [TileID] {
        zooms.flatMap { zoom in
            (0..<1 << zoom).flatMap { x in (0..<1 << zoom).compactMap { TileID(zoom: zoom, x: x, y: $0) } }
        }
    }
}
