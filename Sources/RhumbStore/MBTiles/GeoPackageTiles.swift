internal import Glibc
internal import RhumbCore

/// The tiles of a GeoPackage (OGC 12-128r19) that align with the Web Mercator grid, in any numbering.
package struct GeoPackageTiles: ForeignTiles {
    let format = "GeoPackage"
    /// A non-empty tile matrix and the position of its first tile.
    struct Level: Equatable {
        /// The number of the matrix in the file.
        let matrix: Int
        let zoom: Int
        /// The column of the first tile, from the west, and its row, from the north, in the world grid.
        let column: Int, row: Int
    }

    private struct Table {
        let name: String, title: String, description: String, reference: Int
        /// West, south, east and north of the matrices, in metres for Web Mercator.
        let edges: [Double]
    }

    private let table: Table
    /// The non-empty matrices.
    let levels: [Level]
    private static let world = 2 * Mercator.halfWorld

    /// Returns the kinds of tables in a file, readable or not; both false for other files.
    package static func contents(of path: String) -> (tiles: Bool, features: Bool) {
        guard let connection = try? Connection(path, .readOnly) else { return (false, false) }
        connection.limit(valueBytes: MBTilesReader.valueLimit, steps: MBTilesReader.stepLimit)
        func holds(_ kind: String) -> Bool {
            let rows = try? connection.prepare(
                "SELECT 1 FROM gpkg_contents WHERE data_type = '\(kind)'", to: "list its tables")
            return (try? rows?.step()) == true
        }
        return (holds("tiles"), holds("features"))
    }

    /// Finds the first readable table of tiles.
    /// - Throws: `ArchiveFailure` with the reason if there is none.
    init(_ connection: Connection) throws(ArchiveFailure) {
        var found: (Table, [Level])?, problems: [String] = []
        do throws(StoreFailure) {
            let hasMatrices = try connection.integer(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('gpkg_tile_matrix_set', 'gpkg_tile_matrix')"
            )
            if hasMatrices < 2,
                try connection.integer("SELECT count(*) FROM gpkg_contents WHERE data_type = 'tiles'") > 0
            {
                problems.append("it has tiles, but not the tables that describe their matrices")
            }
            for table in try hasMatrices == 2 ? Self.tables(connection) : [] where found == nil {
                if !Mercator.referenceCodes.contains(table.reference) {
                    problems.append("the tiles of \(table.name) use the reference system \(table.reference)")
                } else if let levels = try Self.levels(of: table, connection), !levels.isEmpty {
                    found = (table, levels)
                } else {
                    problems.append("the tiles of \(table.name) do not match the web map grid")
                }
            }
        } catch {
            throw ArchiveFailure(error)
        }
        guard let found else {
            guard let problem = problems.first else {
                throw ArchiveFailure(
                    connection.file, .notRecognised, "it is a GeoPackage without tiles",
                    "add its features to a map "
                        + "as an overlay")
            }
            throw ArchiveFailure(
                connection.file, .unsupported, SafeText.sanitised(problem, limit: 160),
                "convert it: gdalwarp -t_srs EPSG:3857 IN.gpkg m.tif, then gdal_translate -of GPKG -co TILING_SCHEME=GoogleMapsCompatible m.tif OUT.gpkg"
            )
        }
        (table, levels) = found
    }

    private static func tables(_ connection: Connection) throws(StoreFailure) -> [Table] {
        let rows = try connection.prepare(
            """
            SELECT c.table_name, c.identifier, c.description, coalesce(s.organization_coordsys_id, m.srs_id), m.min_x, m.min_y, m.max_x, m.max_y
            FROM gpkg_contents c JOIN gpkg_tile_matrix_set m ON m.table_name = c.table_name
            LEFT JOIN gpkg_spatial_ref_sys s ON s.srs_id = m.srs_id WHERE c.data_type = 'tiles' LIMIT 1000
            """, to: "list its tables of tiles")
        var tables: [Table] = []
        while try rows.step() {
            guard let name = rows.text(0), let reference = rows.int(3) else { continue }
            tables.append(
                Table(
                    name: name, title: rows.text(1) ?? name, description: rows.text(2) ?? "",
                    reference: reference,
                    edges: (4..<8).map { rows.double($0) ?? .nan }))
        }
        return tables
    }

    /// - Returns: The non-empty matrices; nil if they don't match the web map grid.
    private static func levels(of table: Table, _ connection: Connection) throws(StoreFailure) -> [Level]? {
        let rows = try connection.prepare(
            """
            SELECT m.zoom_level, m.matrix_width, m.tile_width, m.tile_height, m.pixel_x_size, m.pixel_y_size FROM gpkg_tile_matrix m
            WHERE m.table_name = ?1 AND EXISTS (SELECT 1 FROM main.\(quoted(table.name)) t WHERE t.zoom_level = m.zoom_level) LIMIT 100
            """, to: "list its matrices of tiles")
        try rows.bind(1, table.name)
        var levels: [Level] = []
        while try rows.step() {
            guard let matrix = rows.int(0), let width = rows.int(1), let across = rows.int(2),
                across == rows.int(3),
                let pixel = rows.double(4), let tall = rows.double(5), abs(pixel - tall) < pixel * 1e-6,
                let level = level(matrix, width: width, span: pixel * Double(across), table.edges)
            else { return nil }
            levels.append(level)
        }
        return levels
    }

    /// - Parameter span: The width of a tile in metres.
    private static func level(_ matrix: Int, width: Int, span: Double, _ edges: [Double]) -> Level? {
        guard span > 0, span.isFinite, edges.allSatisfy(\.isFinite) else { return nil }
        let zoom = log2(world / span).rounded(), side = exp2(zoom)
        let column = (edges[0] + world / 2) / span, row = (world / 2 - edges[3]) / span
        // A drift of less than 1/20 tile at the far edge is invisible.
        let drift = abs(span * side / world - 1) * Double(width)
        guard zoom >= 0, zoom <= Double(TileID.maximumZoom), drift < 0.05, (-0.05..<side).contains(column),
            (-0.05..<side).contains(row),
            abs(column - column.rounded()) < 0.05, abs(row - row.rounded()) < 0.05
        else { return nil }
        return Level(matrix: matrix, zoom: Int(zoom), column: Int(column.rounded()), row: Int(row.rounded()))
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    // MARK: MBTiles views

    /// The SQL that reads a tile by matrix, column and row.
    var tileQuery: String {
        "SELECT tile_data FROM main.\(Self.quoted(table.name)) WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
    }

    /// Returns a tile's position in the file; nil if there is no matrix for its zoom.
    func position(of tile: TileID) -> (matrix: Int, column: Int, row: Int)? {
        levels.first { $0.zoom == tile.zoom }.map { ($0.matrix, tile.x - $0.column, tile.y - $0.row) }
    }

    /// Creates the MBTiles views `tiles` and `metadata` for the tiles and their description.
    func makeViews(_ connection: Connection) throws(StoreFailure) {
        let parts = levels.map { level in
            """
            SELECT \(level.zoom) AS zoom_level, tile_column + \(level.column) AS tile_column,
            \((1 << level.zoom) - 1 - level.row) - tile_row AS tile_row, tile_data
            FROM main.\(Self.quoted(table.name)) WHERE zoom_level = \(level.matrix)
            """
        }
        try connection.execute(
            "CREATE TEMP VIEW tiles AS " + parts.joined(separator: " UNION ALL "), to: "list its tiles")
        let zooms = levels.map(\.zoom), format = try format(connection)
        var facts = [
            ("name", table.title), ("description", table.description), ("format", format),
            ("minzoom", "\(zooms.min() ?? 0)"),
            ("maxzoom", "\(zooms.max() ?? 0)"),
        ]
        if let bounds = try bounds(connection) {
            facts.append(("bounds", bounds.map { "\($0)" }.joined(separator: ",")))
        }
        let rows = facts.filter { !$0.1.isEmpty }.map {
            "SELECT '\($0.0)' AS name, '\($0.1.replacing("'", with: "''"))' AS value"
        }
        try connection.execute(
            "CREATE TEMP VIEW metadata AS " + rows.joined(separator: " UNION ALL "), to: "read its metadata")
    }

    /// Returns the MBTiles name of the first tile's format; empty if it isn't a PNG, JPEG or WebP.
    private func format(_ connection: Connection) throws(StoreFailure) -> String {
        let row = try connection.prepare(
            "SELECT tile_data FROM tiles WHERE tile_data IS NOT NULL LIMIT 1", to: "read the first tile")
        guard try row.step(), let body = row.bytes(0) else { return "" }
        switch TileKind(of: body) {
        case .png: return "png"
        case .jpeg: return "jpg"
        case .webp: return "webp"
        default: return ""
        }
    }

    /// Returns west, south, east and north in degrees, from the table of contents or else the matrices.
    private func bounds(_ connection: Connection) throws(StoreFailure) -> [Double]? {
        let row = try connection.prepare(
            "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents WHERE table_name = ?1",
            to: "find its bounds")
        try row.bind(1, table.name)
        var edges = table.edges
        if try row.step() {
            let said = (0..<4).compactMap { row.double($0) }
            if said.count == 4, said[0] < said[2], said[1] < said[3] { edges = said }
        }
        guard edges[0] < edges[2], edges[1] < edges[3] else { return nil }
        func place(_ x: Double, _ y: Double) -> Coordinate {
            Mercator.coordinate(WorldPoint(x: x / Self.world + 0.5, y: 0.5 - y / Self.world))
        }
        let west = max(edges[0] / Self.world * 360, -180), east = min(edges[2] / Self.world * 360, 180)
        return [west, place(0, edges[1]).latitude, east, place(0, edges[3]).latitude]
    }
}
