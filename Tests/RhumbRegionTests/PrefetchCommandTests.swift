import RhumbCore
import RhumbTestSupport
import Testing

/// Tests `rhumb cache prefetch` with a tile server.
struct PrefetchCommandTests {
    private let box: CommandFixture

    init() throws {
        box = try CommandFixture()
        box.configure()
        box.folder.write(
            Array(
                #"{"type": "Polygon", "coordinates": [[[0.1, 0.1], [1.3, 0.1], [0.7, 1.3], [0.1, 0.1]]]}"#
                    .utf8), to: "ground.json")
        box.folder.write(
            Array(
                #"<gpx><trk><trkseg><trkpt lat="0.1" lon="0.1"/><trkpt lat="1.2" lon="0.9"/></trkseg></trk></gpx>"#
                    .utf8), to: "walk.gpx")
    }

    private func prefetch(_ words: String...) async -> ProgramRun { await prefetch(words) }

    private func prefetch(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            [
                "cache", "prefetch", "--source", "web", "--config", box.folder.path + "/config.json",
                "--cache-path", box.folder.path + "/c.db",
            ]
                + words.map { $0.replacing("FOLDER", with: box.folder.path) },
            environment: box.environment)
    }

    @Test(arguments: [
        ["--bbox", "0.1,0.1,1.3,1.3"], ["--geojson", "FOLDER/ground.json"],
        ["--around", "0.7,0.7", "--radius", "30km"],
        ["--along", "FOLDER/walk.gpx", "--width", "5km"],
    ])
    func `an area of any kind is estimated, fetched once, and then available`(
        ground: [String]
    ) async throws {
        let words = ground + ["--zooms", "7-9", "--json"]
        let estimate = try box.json(await prefetch(words + ["--estimate"]))
        let count = try #require(estimate["missing"]?.int)
        #expect(count > 1 && estimate["present"]?.int == 0 && box.host.asked.isEmpty)
        #expect(try box.json(await prefetch(words))["fetched"]?.int == count)
        #expect(try box.json(await prefetch(words + ["--estimate"]))["missing"]?.int == 0)
        #expect(try box.json(await prefetch(words))["cached"]?.int == count && box.host.asked.count == count)
    }

    @Test func `tiles that the cache evicts again are reported`() async throws {
        let run = await prefetch(
            "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--cache-size", "150000", "--json")
        #expect(run.status == 3 && run.errors.contains("change its limit with --cache-size"), "\(run)")
        #expect(try #require(JSON.parse(run.output)["evicted"]?.int) > 0)
    }

    @Test func `an impossible request is rejected with the next step`() async {
        let far = await prefetch("--around", "0.7,0.7", "--radius", "60km", "--zooms", "7-9")
        #expect(far.status == 1 && far.errors.contains("1 km to 50 km"), "\(far)")
        let large = await prefetch("--bbox", "0,0,9,9", "--zooms", "0-16", "--cache-size", "1000000")
        #expect(
            large.status == 1 && large.errors.contains("choose fewer zooms")
                && large.errors.contains("change the limit with --cache-size"), "\(large)")
        let deep = await prefetch("--bbox", "0,0,1,1", "--zooms", "20-22")
        #expect(deep.status == 1 && deep.errors.contains("0-16"), "\(deep)")
        #expect(await prefetch("--zooms", "7-9").errors.contains("--bbox, --geojson, --around or --along"))
        #expect(box.host.asked.isEmpty)
    }

    @Test
    func `a source whose feature is off is rejected with the feature's name, and fetched once it is on`()
        async throws
    {
        box.configure(feature: "terrain")
        let words = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-7"]
        for more in [[], ["--estimate"]] {
            let run = await prefetch(words + more)
            #expect(
                run.status == 1 && run.errors.contains("needs the feature terrain, which is off")
                    && run.errors.contains("--features"), "\(run)")
        }
        #expect(box.host.asked.isEmpty)
        #expect(await prefetch(words + ["--features", "rendering,terrain"]).status == 0)
        #expect(!box.host.asked.isEmpty)
    }

    @Test(arguments: ["offlineSearch", "offlineRouting"])
    func `data that is never fetched over the network is only stored in regions`(feature: String) async throws
    {
        box.configure(feature: feature)
        let run = await prefetch("--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-7")
        #expect(
            run.status == 1 && run.errors.contains(feature) && run.errors.contains("download a region"),
            "\(run)")
        #expect(box.host.asked.isEmpty)
        #expect(await box.add().status == 0)
        #expect(!box.host.asked.isEmpty)
    }

    @Test func `tiles that the server forbids to store are a failure, and few are requested`() async {
        box.host.answer { _ in
            LoopbackReply(200, picture(10, seed: 1), headers: ["Cache-Control": "no-store"])
        }
        let run = await prefetch("--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-11")
        #expect(run.status == 3 && run.errors.contains("no-store"), "\(run)")
        #expect(box.host.asked.count < 40, "\(box.host.asked.count)")
    }

    @Test func `tiles that don't fit on a full disk are a failure`() async {
        #expect(await prefetch("--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-7").status == 0)
        // Files may grow to 64 KB, so the log has no room for the tiles.
        let words = [
            "cache", "prefetch", "--source", "web", "--config", box.folder.path + "/config.json",
            "--cache-path", box.folder.path + "/c.db",
            "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "8-11",
        ]
        let limited = "ulimit -f 128; exec '\(CommandFixture.program)' \(words.joined(separator: " "))"
        let run = await ProgramRun.of("/bin/sh", ["-c", limited], environment: box.environment)
        #expect(run.status == 1 && run.errors.contains("fetched but not stored"), "\(run)")
    }
}
