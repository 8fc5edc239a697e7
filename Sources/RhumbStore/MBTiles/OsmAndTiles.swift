internal import RhumbCore

/// Tiles in a SQLite database of another layout than MBTiles, which are read through views.
protocol ForeignTiles {
    var format: String { get }
    /// The SQL that reads a tile by zoom or matrix, column and row.
    var tileQuery: String { get }
    /// Returns a tile's position in the file; nil if there is no matrix for its zoom.
    func position(of tile: TileID) -> (matrix: Int, column: Int, row: Int)?
    /// Creates the MBTiles views `tiles` and `metadata`.
    func makeViews(_ connection: Connection) throws(StoreFailure)
}

/// The tiles of a map of OsmAnd, Locus or BigPlanet (.sqlitedb): a table `tiles` with x, y, z and image. Rows
/// count from the north, and zooms often from 17 down.
struct OsmAndTiles: ForeignTiles {
    let format = "SQLite map"
    let tileQuery = "SELECT image FROM main.tiles WHERE z = ?1 AND x = ?2 AND y = ?3"
    /// True if the number of a zoom is 17 less the zoom.
    private let isInverted: Bool

    /// Recognises a file; nil for others.
    /// - Throws: `ArchiveFailure` for tiles in another projection.
    init?(_ connection: Connection) throws {
        func columns(_ table: String) throws(StoreFailure) -> Set<String> {
            let rows = try connection.prepare(
                "SELECT lower(name) FROM pragma_table_info('\(table)')", to: "list the columns")
            var names: Set<String> = []
            while try rows.step() { names.insert(rows.text(0) ?? "") }
            return names
        }
        guard try columns("tiles").isSuperset(of: ["x", "y", "z", "image"]) else { return nil }
        let columns = try columns("info")
        let numbering =
            columns.contains("tilenumbering") ? try connection.text("SELECT tilenumbering FROM info") : nil
        isInverted = numbering.map { $0.lowercased() == "bigplanet" } ?? true
        if columns.contains("ellipsoid"), try connection.integer("SELECT ellipsoid FROM info") == 1 {
            throw ArchiveFailure(
                connection.file, .unsupported, "its tiles are in the ellipsoidal Mercator projection",
                "use a map in Web Mercator")
        }
    }

    func position(of tile: TileID) -> (matrix: Int, column: Int, row: Int)? {
        (isInverted ? 17 - tile.zoom : tile.zoom, tile.x, tile.y)
    }

    func makeViews(_ connection: Connection) throws(StoreFailure) {
        let zoom = isInverted ? "17 - z" : "z"
        try connection.execute(
            """
            CREATE TEMP VIEW tiles AS SELECT \(zoom) AS zoom_level, x AS tile_column,
            (1 << (\(zoom))) - 1 - y AS tile_row, image AS tile_data FROM main.tiles
            """, to: "list its tiles")
        // Columns of texts would have the order of texts, in which 10 is below 9.
        func ends(_ value: String) -> String {
            "min(CAST(\(value) AS INTEGER)), max(CAST(\(value) AS INTEGER))"
        }
        let zooms = try connection.prepare("SELECT \(ends(zoom)) FROM main.tiles", to: "find its zooms")
        var facts: [(String, String)] = []
        if try zooms.step(), let low = zooms.int(0), let high = zooms.int(1), low >= 0,
            high <= TileID.maximumZoom
        {
            facts = [("minzoom", "\(low)"), ("maxzoom", "\(high)")]
            let box = try connection.prepare(
                "SELECT \(ends("x")), \(ends("y")) FROM main.tiles WHERE z = ?1", to: "find its bounds")
            try box.bind(1, isInverted ? 17 - high : high)
            if try box.step() {
                let edges = (0..<4).compactMap { box.int($0) }
                if edges.count == 4, edges[0] >= 0, edges[2] >= 0, edges[1] < 1 << high, edges[3] < 1 << high,
                    let bounds = Bounds(zoom: high, columns: edges[0]...edges[1], rows: edges[2]...edges[3])
                {
                    facts.append(("bounds", "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"))
                }
            }
        }
        let rows = facts.map { "SELECT '\($0.0)' AS name, '\($0.1)' AS value" } + ["SELECT NULL, NULL"]
        try connection.execute(
            "CREATE TEMP VIEW metadata AS " + rows.joined(separator: " UNION ALL "), to: "read its metadata")
    }
}
