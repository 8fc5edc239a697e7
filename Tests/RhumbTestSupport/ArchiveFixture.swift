public import Rhumb
internal import RhumbStore

/// A builder of the same archive in every format that Rhumb reads.
public struct ArchiveFixture: Sendable {
    /// The formats of archives.
    public enum Format: String, Sendable, CaseIterable {
        case mbtiles, gpkg, pmtiles, folder
    }

    public var tiles: [TileID: [UInt8]]
    /// True if the bodies are vector tiles. GeoPackages can't have them.
    public var isVector = false
    public var name = "A map"
    public var attribution = "© Someone"
    /// West, south, east and north.
    public var bounds = [-90.0, -45, 45, 60]
    /// Members of the metadata besides those of every archive.
    public var more: JSONObject = JSONObject()

    public init(_ tiles: [TileID: [UInt8]]) { self.tiles = tiles }

    /// Creates a fixture with pictures for all tiles of the zooms.
    public init(zooms: ClosedRange<Int>) {
        self.init(
            Dictionary(uniqueKeysWithValues: TileID.pyramid(zooms).map { ($0, fakePicture($0)) }))
    }

    /// Creates a fixture with vector tiles for all tiles of the zooms.
    public init(vectorZooms zooms: ClosedRange<Int>) {
        self.init(
            Dictionary(
                uniqueKeysWithValues: TileID.pyramid(zooms).map { ($0, ArchiveFixture.vectorTile($0)) }))
        isVector = true
        more["vector_layers"] = [["id": "roads", "fields": ["name": "String"], "minzoom": 0]]
        more["tilestats"] = ["layerCount": 1]
    }

    /// Returns a vector tile with a different line for every tile.
    public static func vectorTile(_ tile: TileID) -> [UInt8] {
        VectorTileFixture([
            (
                "roads",
                [.init(.line, through: [(0, tile.zoom), (tile.x + 1, tile.y + 1)], [("name", .string("A"))])]
            )
        ]).bytes
    }

    /// Writes the archive and opens it.
    public func write(
        _ format: Format, in folder: TemporaryFolder, as name: String = "map"
    ) throws
        -> ArchiveInput
    {
        let path = folder.path + "/" + name + (format == .folder ? "" : "." + format.rawValue)
        let stored = tiles.mapValues { isVector ? Gzip.packed($0) : $0 }
        switch format {
        case .mbtiles:
            let fixture = MBTilesFixture(stored.map { ($0.key, $0.value) }, metadata: rows)
            _ = try fixture.write(in: folder, name: name + ".mbtiles")
        case .gpkg: try writePackage(to: path)
        case .pmtiles: folder.write(packed(stored), to: name + ".pmtiles")
        case .folder:
            for (tile, body) in stored {
                folder.write(body, to: "\(name)/\(tile.zoom)/\(tile.x)/\(tile.y).\(isVector ? "pbf" : "png")")
            }
            var members = more
            members["name"] = .string(self.name)
            members["attribution"] = .string(attribution)
            members["bounds"] = .array(bounds.map(JSON.number))
            folder.write(Array(JSON.object(members).text.utf8), to: name + "/metadata.json")
        }
        return ArchiveInput(path, try Archive.open(path, probe: imageProbe))
    }

    private var rows: [(name: String, value: String)] {
        let edges = bounds.map { "\($0)" }.joined(separator: ",")
        return [
            ("name", name), ("attribution", attribution), ("format", isVector ? "pbf" : "png"),
            ("bounds", edges), ("json", JSON.object(more).text),
        ]
    }

    private func packed(_ stored: [TileID: [UInt8]]) -> [UInt8] {
        var fixture = PMTilesFixture(stored.map { ($0.key, $0.value) }), members = more
        members["name"] = .string(name)
        members["attribution"] = .string(attribution)
        fixture.metadata = Array(JSON.object(members).text.utf8)
        if isVector { fixture.patches = [(98, 2), (99, 1)] }
        for (at, edge) in bounds.enumerated() {
            let number = UInt32(bitPattern: Int32(edge * 1e7))
            fixture.patches += (0..<4).map {
                (102 + 4 * at + $0, UInt8(truncatingIfNeeded: number >> (8 * $0)))
            }
        }
        return fixture.bytes
    }

    private func writePackage(to path: String) throws {
        let half = 20_037_508.342789244, connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
            CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, description TEXT, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
            CREATE TABLE gpkg_tile_matrix_set (table_name TEXT PRIMARY KEY, srs_id INTEGER, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE);
            CREATE TABLE gpkg_tile_matrix (table_name TEXT, zoom_level INTEGER, matrix_width INTEGER, matrix_height INTEGER, tile_width INTEGER, tile_height INTEGER, pixel_x_size DOUBLE, pixel_y_size DOUBLE);
            CREATE TABLE map (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB, UNIQUE (zoom_level, tile_column, tile_row));
            INSERT INTO gpkg_spatial_ref_sys VALUES ('x', 3857, 'EPSG', 3857, '');
            INSERT INTO gpkg_contents VALUES ('map', 'tiles', '\(name)', '', NULL, NULL, NULL, NULL, 3857);
            INSERT INTO gpkg_tile_matrix_set VALUES ('map', 3857, \(-half), \(-half), \(half), \(half));
            """, to: "make the tables")
        for zoom in Set(tiles.keys.map(\.zoom)) {
            let pixel = 2 * half / Double(1 << zoom) / 256
            try connection.execute(
                "INSERT INTO gpkg_tile_matrix VALUES ('map', \(zoom), \(1 << zoom), \(1 << zoom), 256, 256, \(pixel), \(pixel))",
                to: "say how large")
        }
        let insert = try connection.prepare(
            "INSERT INTO map (zoom_level, tile_column, tile_row, tile_data) VALUES (?1, ?2, ?3, ?4)",
            to: "add a tile")
        for (tile, body) in tiles {
            try insert.bind(1, tile.zoom)
            try insert.bind(2, tile.x)
            try insert.bind(3, tile.y)
            try insert.bind(4, body)
            try insert.step()
        }
    }
}
