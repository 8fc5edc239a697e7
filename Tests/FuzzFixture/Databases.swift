import Rhumb
import RhumbTestSupport

/// Targets for archives and overlays in SQLite databases. Their inputs are the SQL that creates the tables.
extension FuzzTarget {
    static let databaseTargets = [
        FuzzTarget("databases", texts: [tiles, views, osmAnd, tilePackage]) { bytes in
            guard let path = database(bytes), let archive = try? Archive.open(path, probe: imageProbe) else {
                return
            }
            readAll(archive)
        },
        FuzzTarget("geopackage", texts: [features]) { bytes in
            guard let path = database(bytes), var package = try? GeoPackage(path) else { return }
            while let features = try? package.next(limit: 100) {
                _ = OverlayIndex(features).box
            }
        },
    ]

    private static let folder = TemporaryFolder(inMemory: true)

    /// Creates the tables of a new database, as far as the SQL is valid; nil if none can be created.
    private static func database(_ bytes: [UInt8]) -> String? {
        for name in folder.names { folder.remove(name) }
        let path = folder.path + "/map.db", sql = String(decoding: bytes, as: UTF8.self)
        guard !sql.lowercased().contains("attach"), let connection = try? Connection(path, .readWrite) else {
            return nil
        }
        connection.limit(valueBytes: 1 << 20, steps: 1 << 16, total: 1 << 20)
        for statement in sql.split(separator: ";") { try? connection.execute(String(statement), to: "fill") }
        return path
    }

    private static let tiles = """
        CREATE TABLE tiles (zoom_level int, tile_column int, tile_row int, tile_data blob);
        CREATE INDEX i ON tiles (zoom_level, tile_column, tile_row);
        CREATE TABLE metadata (name text, value text);
        INSERT INTO metadata VALUES ('name', 'x'), ('format', 'pbf'), ('bounds', '-180,-85,180,85'), ('minzoom', '0'), ('json', '{"vector_layers": []}');
        INSERT INTO tiles VALUES (0, 0, 0, x'1a0d'), (1, 1, 0, NULL), (2, '3', 2, 'text'), (2, 9, -1, 1.5);
        """

    private static let views = """
        CREATE TABLE map (zoom_level text, tile_column text, tile_row text, tile_id text);
        CREATE TABLE images (tile_id text, tile_data blob);
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
        INSERT INTO map VALUES (3, 7, 1, 'a'), (3, 6, 2, 'a');
        INSERT INTO images VALUES ('a', x'89504e47');
        """

    private static let osmAnd = """
        CREATE TABLE tiles (x int, y int, z int, s int, image blob);
        CREATE TABLE info (tilenumbering text, ellipsoid int);
        INSERT INTO info VALUES ('simple', 0);
        INSERT INTO tiles VALUES (2, 1, 2, 0, x'ffd8ff'), (3, 1, 2, 0, x'ffd8ff'), (1, 1, 1, 0, 'b');
        """

    private static let tilePackage = """
        CREATE TABLE gpkg_spatial_ref_sys (srs_id int, organization_coordsys_id int);
        CREATE TABLE gpkg_contents (table_name text, data_type text, identifier text, description text, min_x double, min_y double, max_x double, max_y double);
        CREATE TABLE gpkg_tile_matrix_set (table_name text, srs_id int, min_x double, min_y double, max_x double, max_y double);
        CREATE TABLE gpkg_tile_matrix (table_name text, zoom_level int, matrix_width int, tile_width int, tile_height int, pixel_x_size double, pixel_y_size double);
        CREATE TABLE t (zoom_level int, tile_column int, tile_row int, tile_data blob);
        INSERT INTO gpkg_contents VALUES ('t', 'tiles', 'T', '', 0, 0, 20037508, 20037508);
        INSERT INTO gpkg_tile_matrix_set VALUES ('t', 3857, -20037508.34, -20037508.34, 20037508.34, 20037508.34);
        INSERT INTO gpkg_tile_matrix VALUES ('t', 1, 2, 256, 256, 78271.516964, 78271.516964);
        INSERT INTO t VALUES (1, 1, 0, x'89504e47');
        """

    private static let features = """
        CREATE TABLE gpkg_spatial_ref_sys (srs_name text, srs_id int);
        CREATE TABLE gpkg_contents (table_name text, data_type text);
        CREATE TABLE gpkg_geometry_columns (table_name text, column_name text, srs_id int);
        CREATE TABLE p (name text, geom blob, "a b" int);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('Undefined', 0);
        INSERT INTO gpkg_contents VALUES ('p', 'features');
        INSERT INTO gpkg_geometry_columns VALUES ('p', 'geom', 4326);
        INSERT INTO p VALUES ('a', x'4750000100000000010100000000000000000036400000000000004E40', 7), ('b', NULL, 1.5);
        """
}
