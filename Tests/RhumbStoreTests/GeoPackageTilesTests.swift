import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the tiles of GeoPackages as archives.
struct GeoPackageTilesTests {
    private let folder = TemporaryFolder()
    private static let half = 20_037_508.342789244

    /// The position of a file's tile matrices.
    private struct Layout {
        var reference = 3857
        /// The matrix number of zoom 0.
        var firstMatrix = 0
        /// True if the matrices begin at the first tile instead of the corner of the world.
        var isCropped = false
        /// The shift of the matrices, as a fraction of a tile.
        var shift = 0.0
    }

    private func write(
        _ tiles: [TileID], _ layout: Layout = Layout(), name: String = "map.gpkg"
    ) throws -> String {
        let path = folder.path + "/" + name
        let connection = try Connection(path, .readWrite)
        try connection.execute(
            """
            CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
            CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, description TEXT, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
            CREATE TABLE gpkg_tile_matrix_set (table_name TEXT PRIMARY KEY, srs_id INTEGER, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE);
            CREATE TABLE gpkg_tile_matrix (table_name TEXT, zoom_level INTEGER, matrix_width INTEGER, matrix_height INTEGER, tile_width INTEGER, tile_height INTEGER, pixel_x_size DOUBLE, pixel_y_size DOUBLE);
            CREATE TABLE "old town's" (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB, UNIQUE (zoom_level, tile_column, tile_row));
            CREATE TABLE tiles (a);
            INSERT INTO gpkg_spatial_ref_sys VALUES ('x', \(layout.reference), 'EPSG', \(layout.reference), '');
            INSERT INTO gpkg_contents VALUES ('old town''s', 'tiles', 'Old town''s', 'a map', NULL, NULL, NULL, NULL, \(layout.reference));
            """, to: "make the tables")
        let lowest = try #require(tiles.map(\.zoom).min()),
            corner = try #require(tiles.first { $0.zoom == lowest })
        let span = 2 * Self.half / Double(1 << lowest)
        let west = (layout.isCropped ? Double(corner.x) * span : 0) - Self.half + layout.shift * span
        let north = Self.half - (layout.isCropped ? Double(corner.y) * span : 0)
        try connection.execute(
            "INSERT INTO gpkg_tile_matrix_set VALUES ('old town''s', \(layout.reference), \(west), \(-Self.half), \(Self.half), \(north))",
            to: "say where")
        for zoom in 0...12 {
            let pixel = 2 * Self.half / Double(1 << zoom) / 256
            try connection.execute(
                "INSERT INTO gpkg_tile_matrix VALUES ('old town''s', \(zoom + layout.firstMatrix), \(1 << zoom), \(1 << zoom), 256, 256, \(pixel), \(pixel))",
                to: "say how large")
        }
        let insert = try connection.prepare(
            "INSERT INTO \"old town's\" (zoom_level, tile_column, tile_row, tile_data) VALUES (?1, ?2, ?3, ?4)",
            to: "add a tile")
        for tile in tiles {
            let parts = 1 << (tile.zoom - lowest)
            try insert.bind(1, tile.zoom + layout.firstMatrix)
            try insert.bind(2, tile.x - (layout.isCropped ? corner.x * parts : 0))
            try insert.bind(3, tile.y - (layout.isCropped ? corner.y * parts : 0))
            try insert.bind(4, fakePicture(tile))
            try insert.step()
        }
        return path
    }

    private static let tiles = TileID.pyramid(0...3)

    /// Returns a tile and its descendants down to zoom 7.
    private static var part: [TileID] {
        (5...7).flatMap { zoom in
            let parts = 1 << (zoom - 5)
            return (0..<parts).flatMap { x in
                (0..<parts).compactMap { y in TileID(zoom: zoom, x: 17 * parts + x, y: 9 * parts + y) }
            }
        }
    }

    private func body(_ archive: any TileArchive, _ tile: TileID) throws -> [UInt8]? {
        guard case .bitmap(.encoded(let bytes))? = try archive.tile(tile) else { return nil }
        return bytes
    }

    @Test func `tiles in the web map grid are read with name, zooms, bounds and kind`() throws {
        let archive = try Archive.open(try write(Self.tiles))
        #expect(archive.info.name == "Old town's" && archive.info.zooms == 0...3)
        #expect(archive.metadata["description"]?.string == "a map")
        for tile in Self.tiles { #expect(try body(archive, tile) == fakePicture(tile)) }
        var named: [TileID] = []
        try archive.eachTile { named.append($0) }
        #expect(Set(named) == Set(Self.tiles))
        let inspection = try archive.inspect(checksContents: true)
        #expect(inspection.format == "GeoPackage")
        #expect("\(inspection.json.text)".contains("\"GeoPackage\""))
        let statistics = try archive.statistics(of: "map.gpkg")
        #expect(statistics.tileCount == Self.tiles.count && statistics.problems.count == 0)
        #expect(statistics.stored.total == Self.tiles.reduce(0) { $0 + fakePicture($1).count })
        #expect(try archive.storedBody(.world) == fakePicture(.world))
    }

    @Test(arguments: [0, 3, 40])
    func `renumbered matrices that begin at their first tile have the right position`(
        first: Int
    ) throws {
        let archive = try Archive.open(try write(Self.part, Layout(firstMatrix: first, isCropped: true)))
        #expect(archive.info.zooms == 5...7)
        for tile in Self.part { #expect(try body(archive, tile) == fakePicture(tile), "\(tile)") }
        #expect(try body(archive, try #require(TileID(zoom: 5, x: 16, y: 9))) == nil)
        var named: [TileID] = []
        try archive.eachTile { named.append($0) }
        #expect(Set(named) == Set(Self.part) && named.count == Self.part.count)
        let bounds = try #require(archive.info.bounds)
        #expect(abs(bounds.west - 11.25) < 1e-6 && bounds.north > 61)
    }

    @Test func `other grids and reference systems are rejected with a message`() throws {
        let utm = #expect(throws: ArchiveFailure.self) {
            try Archive.open(try write(Self.tiles, Layout(reference: 32632)))
        }
        #expect(
            utm?.problem.contains("reference system 32632") == true
                && utm?.advice.contains("GoogleMapsCompatible") == true)
        let shifted = #expect(throws: ArchiveFailure.self) {
            try Archive.open(try write(Self.part, Layout(shift: 0.4), name: "b.gpkg"))
        }
        #expect(shifted?.problem.contains("web map grid") == true)
    }

    @Test func `JPEG tiles between the PNG tiles of a GeoPackage are no fault`() throws {
        let path = try write(TileID.pyramid(0...2))
        try Connection(path, .readWrite).execute(
            "UPDATE \"old town's\" SET tile_data = x'FFD8FFE000104A46' WHERE zoom_level = 2", to: "mix")
        let found = try MBTilesArchive(path).verify(probe: nil)
        #expect(found.groups.allSatisfy { $0.kind != .format }, "\(found.groups)")
    }

    @Test func `a GeoPackage without tiles says how to show its features`() throws {
        let path = folder.path + "/features.gpkg"
        try Connection(path, .readWrite).execute(
            "CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, identifier TEXT, description TEXT);"
                + "CREATE TABLE gpkg_tile_matrix_set (table_name TEXT, srs_id INTEGER, min_x, min_y, max_x, max_y);"
                + "CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization_coordsys_id INTEGER)",
            to: "make the tables")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(
            failure?.problem.contains("without tiles") == true
                && failure?.advice.contains("as an overlay") == true)
    }
}
