import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests stores of version 2, whose addresses contain the keys that were typed in them.
struct StoredKeyTests {
    private static let marker = "K3YMARKER"
    private static let area = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact"]

    /// Replaces tokens with literal keys throughout a store.
    private static let ageing = """
        UPDATE regions SET definition = replace(definition, '{key}', '\(marker)'), reason = 'http://h/?key=\(marker): HTTP 500';
        UPDATE parts SET address = address || '?key=\(marker)', definition = replace(definition, '{key}', '\(marker)');
        UPDATE region_packs SET origin = replace(origin, ' 256', '?key=\(marker) 256');
        UPDATE origins SET address = address || '?key=\(marker)';
        """

    /// Changes half of the tiles as if they had been fetched with another key.
    private static let parting = """
        INSERT INTO origins SELECT NULL, kind, source, replace(address, '\(marker)', 'OTHER'), size, edition, addresses FROM origins;
        INSERT INTO entries SELECT 2, z, x, y, body, size, received, age, lifetime, flags, headers, variant, version, used
            FROM entries WHERE z = 9;
        DELETE FROM entries WHERE z = 9 AND origin = 1;
        INSERT OR IGNORE INTO entries SELECT 2, z, x, y, body, size, received, age, lifetime, flags, headers, variant, version, used
            FROM entries WHERE z = 8;
        """

    private static let withoutLoaded =
        "ALTER TABLE parts DROP COLUMN loaded; ALTER TABLE parts DROP COLUMN loaded_bytes; DROP TABLE style_packs;"

    private func age(_ box: CommandFixture, _ more: String = "") throws {
        try Connection(box.storePath, .readWrite).execute(
            Self.ageing + more + Self.withoutLoaded + "PRAGMA user_version = 2", to: "age")
    }

    @Test(arguments: ["", parting])
    func `opening a store written by an older version removes the keys in it`(more: String) async throws {
        let box = try CommandFixture()
        box.folder.write(Array("{}".utf8), to: "config.json")
        #expect(
            await box.run(["add", "home", "--source", box.template + "?key=\(Self.marker)"] + Self.area)
                .status == 0)
        let tiles = try box.stored()
        try age(box, more)
        #expect(box.folder.everyFileContaining(Self.marker) != [])
        for words in [["list"], ["list", "--json"], ["show", "home"], ["show", "home", "--json"]] {
            let run = await box.run(words)
            #expect(
                run.status == 0 && !run.output.contains(Self.marker) && !run.errors.contains(Self.marker),
                "\(run)")
        }
        #expect(box.folder.everyFileContaining(Self.marker) == [])
        #expect(
            try await box.shown()["definition"]?["sources"]?.array == [.string(box.template + "?key={key}")])
        #expect(try box.stored() == tiles && tiles.count == 6)
        #expect(await box.run("check", "home").status == 0)
        #expect(try box.number("SELECT count(*) FROM origins") == 1)
        #expect(try box.number("SELECT sum(entries) FROM totals") == 6)
    }

    @Test func `the tiles of an older cache are kept without the key`() async throws {
        let box = try CommandFixture(), path = box.folder.path + "/cache.db"
        let words = ["render", box.template, "-z", "1", "--size", "40x20", "--cache-path", path]
        #expect(await ProgramRun.of(CommandFixture.program, words, environment: box.environment).status == 0)
        let count = try Connection(path, .readOnly).integer("SELECT count(*) FROM entries")
        try Connection(path, .readWrite).execute(
            "UPDATE origins SET address = address || '?v=1&X-My-Token=\(Self.marker)'; PRAGMA user_version = 2",
            to: "age")
        let run = await ProgramRun.of(
            CommandFixture.program, ["cache", "stats", "--json", "--cache-path", path],
            environment: box.environment)
        #expect(
            run.status == 0 && run.output.contains("X-My-Token={key}") && !run.output.contains(Self.marker),
            "\(run)")
        #expect(box.folder.everyFileContaining(Self.marker) == [])
        #expect(try count > 0 && Connection(path, .readOnly).integer("SELECT count(*) FROM entries") == count)
    }
}
