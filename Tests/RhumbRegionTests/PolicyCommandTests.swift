import RhumbCore
import RhumbTestSupport
import Testing

/// Tests that OpenStreetMap's denial applies to every route to its tiles. No test here contacts its servers.
struct PolicyCommandTests {
    private static let area = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact", "--permitted"]

    private static func tileJSON(_ template: String) -> [UInt8] {
        Array(#"{"tilejson":"3.0.0","tiles":["\#(template)"],"maxzoom":12}"#.utf8)
    }

    static let templates = [
        "https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://a.tile.openstreetmap.org/{z}/{x}/{y}.png",
        "https://{a,b,c}.tile.openstreetmap.org/{z}/{x}/{y}.png",
        "https://tile.openstreetmap.org./{z}/{x}/{y}.png",
        "https://TILE.OpenStreetMap.ORG:443/{z}/{x}/{y}.png",
        "http://me@tile.openstreetmap.org/{z}/{x}/{y}.png",
    ]

    private func expectDenial(_ box: CommandFixture, _ source: String) async throws {
        let plan = await box.run(["plan", "home", "--source", source] + Self.area)
        #expect(
            plan.status == 1 && plan.output.contains("does not allow downloading areas"), "\(source): \(plan)"
        )
        let add = await box.run(["add", "home", "--source", source] + Self.area)
        #expect(
            add.status == 1 && add.errors.contains("does not allow downloading areas"), "\(source): \(add)")
        #expect(await box.run("list").output.contains("No regions yet"))
    }

    @Test(arguments: templates)
    func `--permitted can't override a provider's denial`(template: String) async throws {
        let box = try CommandFixture()
        box.configure()
        try await expectDenial(box, template)
    }

    @Test(arguments: templates)
    func `a TileJSON source is not downloaded if the host of its tiles denies it`(
        template: String
    ) async throws {
        let box = try CommandFixture()
        box.configure()
        box.host.answer("/tiles.json") { _ in LoopbackReply(200, Self.tileJSON(template)) }
        try await expectDenial(box, box.host.server.url("/tiles.json"))
        box.folder.write(Self.tileJSON(template), to: "tiles.json")
        try await expectDenial(box, box.folder.path + "/tiles.json")
    }

    @Test(arguments: ["raster", "tilejson"])
    func `a style is not downloaded if the host of one of its sources denies it`(way: String) async throws {
        let box = try CommandFixture()
        box.configure()
        box.host.answer("/tiles.json") { _ in LoopbackReply(200, Self.tileJSON(Self.templates[2])) }
        let place = way == "raster" ? #""tiles":["\#(Self.templates[1])"]"# : #""url":"/tiles.json""#
        let style =
            #"{"version":8,"sources":{"o":{"type":"raster",\#(place)}},"layers":[{"id":"o","type":"raster","source":"o"}]}"#
        box.host.answer("/style.json") { _ in LoopbackReply(200, Array(style.utf8)) }
        try await expectDenial(box, box.host.server.url("/style.json"))
    }

    @Test func `a user's own definition can't override it`() async throws {
        let box = try CommandFixture()
        let text = #"{"sources":[{"id":"osm","url":"\#(Self.templates[0])","policy":{"offline":"allowed"}}]}"#
        box.folder.write(Array(text.utf8), to: "config.json")
        try await expectDenial(box, "osm")
    }

    @Test func `neither is the cache filled with it`() async throws {
        let box = try CommandFixture()
        let run = await ProgramRun.of(
            CommandFixture.program,
            [
                "cache", "prefetch", "--source", Self.templates[1], "--bbox", "0,0,1,1", "--zooms", "3-4",
                "--permitted", "--cache-path", box.folder.path + "/c.db",
            ],
            environment: box.environment)
        #expect(run.status == 1 && run.errors.contains("does not allow fetching areas"), "\(run)")
    }
}
