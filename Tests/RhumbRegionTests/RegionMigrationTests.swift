import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests regions created by version 1 of the store.
struct RegionMigrationTests {
    /// Converts a store of the current version to version 1.
    private static let ageing = """
        ALTER TABLE origins RENAME TO new_origins;
        CREATE TABLE origins (
            id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, name TEXT NOT NULL);
        INSERT INTO origins SELECT id, CASE kind WHEN 1 THEN address ELSE source || ' ' || address || ' ' || size END, kind, source
            FROM new_origins;
        ALTER TABLE regions ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
        UPDATE regions SET sources = (SELECT '[' || group_concat(definition) || ']' FROM parts WHERE region = number);
        ALTER TABLE parts RENAME TO new_parts; ALTER TABLE gaps RENAME TO new_gaps;
        ALTER TABLE region_documents RENAME TO new_documents;
        CREATE TABLE parts (
            region INTEGER NOT NULL, origin TEXT NOT NULL, planned INTEGER NOT NULL, done INTEGER NOT NULL,
            absent INTEGER NOT NULL, failed INTEGER NOT NULL, reused INTEGER NOT NULL, unchanged INTEGER NOT NULL,
            bytes INTEGER NOT NULL, requests INTEGER NOT NULL, cursor TEXT NOT NULL, ahead TEXT NOT NULL,
            PRIMARY KEY (region, origin)) WITHOUT ROWID;
        INSERT INTO parts SELECT region, source || ' ' || address || ' ' || size, planned, done, absent, failed, reused,
            unchanged, bytes, requests, cursor, ahead FROM new_parts;
        CREATE TABLE gaps (
            region INTEGER NOT NULL, origin TEXT NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
            reason TEXT NOT NULL, PRIMARY KEY (region, origin, z, x, y)) WITHOUT ROWID;
        INSERT INTO gaps SELECT region, (SELECT origin FROM parts WHERE parts.region = new_gaps.region), z, x, y, reason FROM new_gaps;
        CREATE TABLE region_documents (
            region INTEGER NOT NULL, document TEXT NOT NULL, PRIMARY KEY (region, document)) WITHOUT ROWID;
        INSERT INTO region_documents SELECT region, address FROM new_documents;
        DROP TABLE new_origins; DROP TABLE new_parts; DROP TABLE new_gaps; DROP TABLE new_documents;
        DROP TABLE style_packs;
        PRAGMA user_version = 1;
        """

    @Test func `a region of version 1 is listed, checked, shown and updated as before`() async throws {
        let box = try CommandFixture()
        box.configure()
        #expect(await box.add().status == 0)
        let tiles = try box.stored()
        try Connection(box.storePath, .readWrite).execute(Self.ageing, to: "age")
        let check = await box.run("check", "home")
        #expect(check.status == 0, "\(check)")
        #expect(try box.stored() == tiles && tiles.count == 86)
        let shown = try await box.shown()
        #expect(shown["state"]?.string == "complete")
        let update = await box.run("update", "home", "--json")
        #expect(try box.json(update)["parts"]?.array?.first?["unchanged"]?.int == 86, "\(update)")
    }

    @Test func `gaps and the current position are preserved`() async throws {
        let box = try CommandFixture()
        box.configure()
        box.host.answer {
            TileHost.tile($0.target.prefix { $0 != "?" })?.zoom == 11 ? LoopbackReply(400) : nil
        }
        #expect(await box.add().status == 3)
        let gaps = try box.number("SELECT count(*) FROM gaps") ?? 0
        try Connection(box.storePath, .readWrite).execute(Self.ageing, to: "age")
        let retryable = try await box.shown()["failed"]?.int
        #expect(gaps > 0 && retryable == gaps)
        box.host.behave()
        let before = box.host.server.requestCount
        #expect(await box.run("check", "home", "--repair").status == 0)
        #expect(box.host.server.requestCount == before + gaps)
        #expect(await box.run("check", "home").status == 0)
    }
}
