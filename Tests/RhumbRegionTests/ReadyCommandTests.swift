import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests `rhumb ready` and `rhumb area` as used by users and scripts.
struct ReadyCommandTests {
    private let box: CommandFixture

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    private func rhumb(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program, words + box.places, environment: box.environment)
    }

    /// Returns the results of a check as "state subject".
    private func results(_ run: ProgramRun) throws -> Set<String> {
        let items = try box.json(run)["items"]?.array ?? []
        return Set(items.map { "\($0["state"]?.string ?? "") \($0["subject"]?.string ?? "")" })
    }

    /// Changes the store.
    private func change(_ sql: String) throws {
        try Connection(box.storePath, .readWrite).execute(sql, to: "change the store")
    }

    @Test func `a complete region is ready, without a request`() async throws {
        #expect(await box.add().status == 0)
        let requests = box.host.server.requestCount
        let run = await rhumb("area", "check", "home", "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try box.json(run)["isReady"] == true)
        #expect(try results(run).isSuperset(of: ["ready home", "ready disk", "ready clock", "note heights"]))
        #expect(await rhumb("ready").output.contains("Ready: works without a network"))
        #expect(box.host.server.requestCount == requests)
    }

    @Test func `an interrupted import is named with its command`() async throws {
        #expect(await box.add().status == 0)
        try change("DELETE FROM entries WHERE z = 9 AND x = 256 AND y = 255")
        try change("UPDATE regions SET state = 0, reason = '\(Regions.unfinishedImport)'")
        let check = await box.run("check", "home")
        #expect(
            check.status == 3 && check.output.contains("run the same rhumb area import"), "\(check.output)")
        #expect(await rhumb("area", "check", "home").output.contains("its import is unfinished, repeat it"))
    }

    @Test func `a missing tile is named with the command that fetches it`() async throws {
        #expect(await box.add().status == 0)
        try change("DELETE FROM entries WHERE z = 9 AND x = 256 AND y = 255")
        let run = await rhumb("area", "check", "home")
        #expect(run.status == 3)
        #expect(
            run.output.contains("1 tile missing, e.g. 9/256/255; run rhumb region check home --repair"),
            "\(run.output)")
        #expect(run.output.contains("Not ready: 1 problem"))
        #expect(await rhumb("region", "check", "home", "--repair").status == 0)
        #expect(await rhumb("area", "check", "home").status == 0)
    }

    @Test func `a package whose download has not begun is resumed, not recreated`() async throws {
        let store = try RegionStore(box.storePath)
        let area = try RegionGeometry.box(try #require(Bounds(west: 0, south: 0, east: 5, north: 5)))
        let queued = try RegionDefinition(
            id: RegionID("package-test.north"), geometry: area, zooms: ZoomRange(0, 3), sources: ["north"],
            features: ["rendering"])
        _ = try store.put(queued, parts: [], packs: [], at: .now)
        let run = await rhumb("ready")
        #expect(run.output.contains("the download has not begun; run rhumb package resume"), "\(run)")
        let check = await rhumb("region", "check", "package-test.north")
        #expect(!(check.output + check.errors).contains("recreate the region"), "\(check)")
    }

    @Test func `a damaged tile is found by its content`() async throws {
        #expect(await box.add().status == 0)
        try change(
            "UPDATE bodies SET bytes = x'0102', hash = hash + 1 WHERE id = (SELECT min(id) FROM bodies)")
        let run = await rhumb("area", "check", "home")
        #expect(run.status == 3 && run.output.contains("region check home --repair"), "\(run.output)")
    }

    @Test func `tiles that expire before the end of the journey are missing only if it is given`()
        async throws
    {
        #expect(await box.add().status == 0)
        #expect(await rhumb("area", "check", "home").status == 0)
        let run = await rhumb("area", "check", "home", "--until", "3000d")
        #expect(run.status == 3 && run.output.contains("run rhumb region update home"), "\(run.output)")
        #expect(await rhumb("area", "check", "home", "--until", "soon").status == 2)
    }

    @Test func `a clock before the stored data is reported`() async throws {
        #expect(await box.add().status == 0)
        let future = UnixSeconds.now.adding(40 * 86_400)
        try change("UPDATE regions SET changed = \(future.value)")
        let run = await rhumb("area", "check", "home", "--json")
        #expect(try run.status == 3 && results(run).contains("missing clock"))
    }

    @Test func `an unknown name is an error with the remedy`() async throws {
        let run = await rhumb("area", "check", "nowhere")
        #expect(run.status == 1 && run.errors.contains("rhumb area list"))
    }

    @Test func `an area is created, listed, checked and removed`() async throws {
        #expect(await box.add().status == 0)
        let track = box.folder.write(Array("<gpx version=\"1.1\"/>".utf8), to: "walk.gpx")
        let created = await rhumb(
            "area", "create", "hike", "home", "--over", track, "--grid", "mgrs", "--bookmarks", "ab")
        #expect(created.status == 0 && created.output.contains("1 region, 1 overlay, mgrs, 2 bookmarks"))
        #expect(await rhumb("area", "create", "hike").status == 1)
        #expect(await rhumb("area", "create", "next", "nowhere").status == 1)
        #expect(await rhumb("area", "create", "a/b").status == 2)
        let shown = try box.json(await rhumb("area", "show", "hike", "--json"))
        #expect(shown["regions"] == ["home"] && shown["grid"] == "mgrs" && shown["bookmarks"] == "ab")
        #expect(await rhumb("area", "list").output.contains("hike"))
        let ready = await rhumb("area", "check", "hike", "--json")
        #expect(try ready.status == 0 && results(ready).isSuperset(of: ["ready home", "ready overlay"]))
        #expect(await rhumb("area", "remove", "hike").status == 0)
        #expect(await rhumb("region", "show", "home").status == 0)
        #expect(await rhumb("area", "show", "hike").status == 1)
    }

    @Test func `an area without its region, its track or its map is not ready`() async throws {
        #expect(await box.add().status == 0)
        let made = await rhumb(
            "area", "create", "hike", "home", "--over", "gone.gpx", "--map", "osm", "--style",
            "https://styles.example/a.json")
        #expect(made.status == 0)
        #expect(await rhumb("region", "remove", "home").status == 0)
        let run = await rhumb("area", "check", "hike", "--json")
        #expect(run.status == 3)
        #expect(
            try results(run).isSuperset(
                of: ["missing home", "missing overlay", "missing map", "missing style"]))
    }

    @Test func `the update of an area revalidates its regions`() async throws {
        #expect(await box.add().status == 0)
        #expect(await rhumb("area", "create", "hike", "home").status == 0)
        let before = box.host.server.requestCount
        #expect(await rhumb("area", "update", "hike").status == 0)
        #expect(box.host.server.requestCount == before + 86)
    }
}
