import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests MBTiles files whose tables are computed instead of stored.
struct MBTilesBudgetTests {
    private let folder = TemporaryFolder()

    private func archive(_ sql: String) throws -> MBTilesArchive {
        let path = folder.path + "/view.mbtiles"
        try Connection(path, .readWrite).execute(sql, to: "make the fixture")
        return try MBTilesArchive(path)
    }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"

    @Test func `an endless lookup is a failure`() throws {
        let archive = try archive(
            """
            CREATE TABLE metadata (name, value); INSERT INTO metadata VALUES ('minzoom', '0'), ('maxzoom', '3');
            CREATE VIEW tiles AS \(Self.endless)
            SELECT 0 zoom_level, 0 tile_column, 0 tile_row, x'00' tile_data FROM n WHERE i < 0
            """)
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.message.contains("endless") == true, "\(failure?.message ?? "")")
    }

    @Test func `endless metadata and tiles are read up to a limit`() throws {
        let archive = try archive(
            """
            CREATE VIEW metadata AS \(Self.endless)
            SELECT CASE i WHEN 0 THEN 'minzoom' WHEN 1 THEN 'maxzoom' ELSE 'name' || i END name, '3' value FROM n;
            CREATE VIEW tiles AS \(Self.endless)
            SELECT 20 zoom_level, i tile_column, 0 tile_row, x'89504E47' tile_data FROM n
            """)
        #expect((archive.metadata.object?.count ?? 0) <= 10_000)
        let found = try archive.inspect(checksContents: true)
        #expect(found.faults.has(.directory))
    }

    private static let tiles = """
        CREATE TABLE metadata (name, value);
        CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
        INSERT INTO tiles VALUES (0, 0, 0, x'89504E47');
        """

    @Test func `large metadata and the rows after them are read`() throws {
        let archive = try archive(
            Self.tiles + "INSERT INTO metadata VALUES ('big', hex(zeroblob(2500000))), ('after', 'x')")
        #expect(archive.metadata["big"]?.string?.utf8.count == 5_000_000)
        #expect(archive.metadata["after"]?.string == "x" && archive.metadataProblem == nil)
        let copy = folder.path + "/copy.pmtiles"
        _ = try ArchiveCopy(of: ArchiveInput(archive.path, archive), to: copy).convert()
        #expect(try PMTilesArchive(copy).metadata["big"]?.string?.utf8.count == 5_000_000)
    }

    @Test func `metadata that are too large are named, and the check finds them`() throws {
        let archive = try archive(
            Self.tiles
                + """
                INSERT INTO metadata VALUES ('one', hex(zeroblob(5000000))), ('two', hex(zeroblob(5000000))),
                    ('after', 'x')
                """)
        #expect(archive.metadata["two"] == nil && archive.metadata["after"]?.string == "x")
        let input = ArchiveInput(archive.path, archive)
        #expect(input.metadataProblem?.contains("\"two\"") == true)
        #expect(try archive.inspect(checksContents: true).faults.has(.metadata))
    }

    @Test func `a body that is not stored anywhere is a failure`() throws {
        let failure = #expect(throws: ArchiveFailure.self) {
            try archive(
                """
                CREATE TABLE metadata (name, value);
                CREATE VIEW tiles AS SELECT 0 zoom_level, 0 tile_column, 0 tile_row, zeroblob(900000000) tile_data
                """)
        }
        #expect(failure?.reason == .damaged)
    }
}
