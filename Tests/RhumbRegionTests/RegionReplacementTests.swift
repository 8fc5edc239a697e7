import RhumbCore
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests updates and repairs of regions whose archive was replaced on its server, or damaged in the store.
struct RegionReplacementTests {
    /// A file on a server that a test replaces; nil if it is gone.
    private final class ServedFile: Sendable {
        let content: Mutex<[UInt8]?>

        init(_ bytes: [UInt8]) { content = Mutex(bytes) }

        func replace(_ bytes: [UInt8]?) { content.withLock { $0 = bytes } }

        func reply(_ request: LoopbackRequest) -> LoopbackReply {
            guard let bytes = content.withLock({ $0 }) else { return LoopbackReply(404) }
            return .part(of: bytes, request, etag: "\"\(ContentHash(bytes))\"", control: "max-age=60")
        }
    }

    private struct Box {
        let fixture: CommandFixture
        let file: ServedFile
        var url: String { fixture.host.server.url("/town.pmtiles") }

        init(_ bytes: [UInt8]) throws {
            let file = ServedFile(bytes)
            self.file = file
            fixture = try CommandFixture()
            fixture.configure()
            fixture.host.answer("/town.pmtiles") { file.reply($0) }
        }

        func add(zooms: String) async {
            let run = await fixture.run([
                "add", "home", "--source", url, "--bbox", "-170,-80,170,80", "--zooms", zooms, "--permitted",
            ])
            #expect(run.status == 0, "\(run)")
        }

        func render() async -> ProgramRun {
            let words = ["render", "--offline", url, "--size", "20x5", "--format", "text", "-z", "0"]
            return await ProgramRun.of(
                CommandFixture.program, words + fixture.places, environment: fixture.environment)
        }

        /// Removes the cache, which has undamaged copies.
        func emptyCache() {
            for name in fixture.folder.names where name.hasPrefix("cache.db") { fixture.folder.remove(name) }
        }
    }

    private static let picture = blankPicture(.init(0x336699), side: 256)

    private static func pictures(_ zooms: ClosedRange<Int>) -> [UInt8] {
        PMTilesFixture(TileID.pyramid(zooms).map { ($0, picture) }).bytes
    }

    @Test(arguments: ["<html>x</html>", "x", nil])
    func `an update from a file that is no archive any more leaves the region usable`(
        content: String?
    ) async throws {
        let box = try Box(Self.pictures(0...1))
        await box.add(zooms: "0-1")
        box.file.replace(content.map { Array($0.utf8) })
        let updated = await box.fixture.run("update", "home")
        #expect(updated.status == 1 && updated.errors.contains("server"), "\(updated)")
        #expect(await box.fixture.run("check", "home").status == 0)
        let shown = await box.render()
        #expect(shown.status == 0, "\(shown)")
        box.file.replace(Self.pictures(0...1))
        #expect(await box.fixture.run("update", "home").status == 0)
    }

    @Test func `a file that is no archive is not cached`() async throws {
        let box = try Box(Array("<html>x</html>".utf8))
        let words =
            ["render", box.url, "--size", "20x5", "--format", "text", "-z", "0"] + box.fixture.places
        func render() async -> ProgramRun {
            await ProgramRun.of(CommandFixture.program, words, environment: box.fixture.environment)
        }
        #expect(await render().status == 1)
        box.file.replace(Self.pictures(0...1))
        let shown = await render()
        #expect(shown.status == 0, "\(shown)")
    }

    @Test func `an update to another kind of map is refused, and keeps the stored map`() async throws {
        let box = try Box(Self.pictures(0...1))
        await box.add(zooms: "0-1")
        let body = Gzip.packed(VectorTileFixture([("water", [])]).bytes)
        var vectors = PMTilesFixture(TileID.pyramid(0...1).map { ($0, body) })
        vectors.patches = [(98, 2), (99, 1)]
        box.file.replace(vectors.bytes)
        let updated = await box.fixture.run("update", "home")
        #expect(updated.status == 1 && updated.errors.contains("is another map now"), "\(updated)")
        let checked = await box.fixture.run("check", "home")
        #expect(checked.status == 0 && checked.output.contains("5 of 5 tiles stored"), "\(checked)")
        #expect(await box.render().status == 0)
    }

    @Test func `an edition with fewer than half of the tiles does not replace the stored one`() async throws {
        let box = try Box(Self.pictures(0...2))
        await box.add(zooms: "0-2")
        box.file.replace(
            PMTilesFixture([TileID.world, .at(2, 1, 1)].map { ($0, Self.picture) }).bytes)
        let updated = await box.fixture.run("update", "home")
        #expect(updated.status == 3 && updated.output.contains("old edition stays in use"), "\(updated)")
        let checked = await box.fixture.run("check", "home")
        #expect(checked.status == 0 && checked.output.contains("21 of 21 tiles stored"), "\(checked)")
    }

    @Test func `damaged first bytes of an archive are fetched again by a repair`() async throws {
        let box = try Box(Self.pictures(0...1))
        await box.add(zooms: "0-1")
        box.emptyCache()
        try Connection(box.fixture.storePath, .readWrite).execute(
            """
            UPDATE bodies SET bytes = substr(bytes, 2)
            WHERE id IN (SELECT body FROM entries WHERE z = -1)
            """, to: "damage the documents")
        #expect(await box.fixture.run("check", "home").status == 3)
        let repaired = await box.fixture.run("check", "home", "--repair", "--permitted")
        #expect(repaired.status == 0, "\(repaired)")
        box.emptyCache()
        #expect(await box.fixture.run("check", "home").status == 0)
        #expect(await box.render().status == 0)
    }

    @Test func `a region along a truncated track ends with gaps`() async throws {
        let box = try CommandFixture()
        box.configure()
        let track =
            #"<gpx version="1.1"><trk><trkseg><trkpt lat="0.5" lon="0.5"/><trkpt lat="0.6" lon="0.6"/><trkpt lat="#
        let path = box.folder.write(Array(track.utf8), to: "walk.gpx")
        for verb in ["plan", "add"] {
            let run = await box.run([
                verb, "home", "--source", "web", "--zooms", "7-8", "--along", path, "--width", "5km",
            ])
            #expect(run.status == 3 && run.errors.contains("truncated"), "\(run)")
        }
    }

    @Test func `an export with gaps reports them and ends with the status for gaps`() async throws {
        let box = try Box(Self.pictures(0...1))
        await box.add(zooms: "0-1")
        try Connection(box.fixture.storePath, .readWrite).execute(
            "DELETE FROM entries WHERE z = 1 AND x = 0 AND y = 0", to: "lose a tile")
        let run = await box.fixture.run("export", "home", "-o", box.fixture.folder.path + "/out.pmtiles")
        #expect(run.status == 3 && run.errors.contains("lacks 1 tile (1 missing)"), "\(run)")
    }
}
