import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests `rhumb update` for a user with regions and packages.
struct RegionUpdateTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws { (publisher, box) = try Self.configured() }

    @Test func `an update lists and updates regions with stale tiles, and leaves fresh ones`()
        async throws
    {
        publisher.intervene { request in
            TileHost.tile(request.target[...]).map { tile in
                LoopbackReply(200, TileHost.body(tile), headers: ["Cache-Control": "max-age=600"])
            }
        }
        let tiles = publisher.box.host.server.url("/{z}/{x}/{y}.png")
        let added = await run(
            "region", "add", "stale", "--source", tiles, "--bbox", "0.1,0.1,0.3,0.3", "--zooms", "7-9",
            "--permitted")
        #expect(added.status == 0, "\(added)")
        #expect(await run("update", "check").output.hasSuffix("All regions are up to date"))
        try Connection(box.storePath, .readWrite).run("UPDATE entries SET received = received - 7200")
        // Without packages, regions are listed below the sources in the cache.
        let alone = await run("update", "check")
        #expect(alone.output.contains("stale for") && alone.output.contains("1 region, up to "), "\(alone)")
        #expect(await run("package", "install", "north").status == 0)
        let both = await run("update", "check")
        #expect(both.output.contains("All packages are up to date") && both.output.contains("stale for"))
        let found = try await box.json(run("update", "check", "--json"))
        #expect(found["isUpToDate"] == false && found["regions"]?.array?.first?["id"] == "stale")
        let bytes = try #require(found["regions"]?.array?.first?["bytes"]?.int)
        #expect(bytes > 0 && found["bytes"]?.int == bytes)
        let large = await run("update", "apply", "--max-bytes", "\(bytes - 1)")
        #expect(large.status == 3 && large.output.contains("Update postponed: "), "\(large)")
        let updated = await run("update", "apply", "--max-bytes", "\(bytes)")
        #expect(updated.status == 0 && updated.output.contains("stale: stale\n  complete"), "\(updated)")
        let after = await run("update", "check")
        #expect(after.output == "All packages are up to date\nAll regions are up to date", "\(after)")
        let before = publisher.box.host.server.requestCount
        #expect(await run("update", "apply").output == "All packages are up to date")
        #expect(publisher.box.host.server.requestCount - before <= 1)
    }

    @Test func `tiles that are stale as soon as they are received make a region out of date`() async throws {
        publisher.intervene { request in
            TileHost.tile(request.target[...]).map { tile in
                LoopbackReply(200, TileHost.body(tile), headers: ["Cache-Control": "max-age=0"])
            }
        }
        let tiles = publisher.box.host.server.url("/{z}/{x}/{y}.png")
        let added = await run(
            "region", "add", "stale", "--source", tiles, "--bbox", "0.1,0.1,0.3,0.3", "--zooms", "7-7",
            "--permitted")
        #expect(added.status == 0, "\(added)")
        let shown = await run("region", "show", "stale")
        #expect(shown.output.contains("stale for "), "\(shown)")
        let found = try await box.json(run("update", "check", "--json"))
        #expect(found["isUpToDate"] == false && found["regions"]?.array?.first?["id"] == "stale")
    }

    @Test func `a check names a failed update, and a removal counts all stored bytes`() async throws {
        let box = try CommandFixture()
        box.configure()
        #expect(await box.add().status == 0)
        box.host.answer { _ in LoopbackReply(403) }
        #expect(await box.run("update", "home").status == 1)
        let check = await box.run("check", "home")
        #expect(check.status == 0 && check.output.contains("complete, works offline"), "\(check)")
        #expect(
            check.output.contains("86 tiles stay in use; run rhumb region resume home"), "\(check)")
        let removal = await box.run("remove", "home")
        #expect(removal.output.contains("removed 86 tiles") && !removal.output.contains(" 0 B"), "\(removal)")
    }
}
