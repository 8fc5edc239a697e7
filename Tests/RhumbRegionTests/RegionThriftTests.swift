import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the options of regions that reduce or increase the traffic.
struct RegionThriftTests {
    @Test func `on a metered connection a region names its resume, exits with 3, and continues elsewhere`()
        async throws
    {
        let box = try CommandFixture()
        box.configure()
        let added = await box.add("--metered")
        #expect(
            added.status == 3 && added.output.contains("not downloaded, because the connection is metered"))
        #expect(added.errors.contains("on another connection, resume with rhumb region resume home"))
        #expect(await box.run("list").output.contains("interrupted"))
        #expect(box.host.server.requestCount == 0)
        #expect(await box.run("resume", "home").status == 0)
        #expect(try await box.shown()["state"]?.string == "complete")
    }

    @Test func `the configuration can declare a metered connection, and limit the rate`()
        async throws
    {
        let box = try CommandFixture()
        box.folder.write(Array(#"{"metered": true, "rate": "500k"}"#.utf8), to: "config.json")
        let area = [
            "add", "home", "--source", box.template, "--permitted", "--exact", "--bbox", "0.1,0.1,1.3,1.3",
            "--zooms", "7-9",
        ]
        #expect(await box.run(area).status == 3)
        box.folder.write(Array(#"{"rate": "500k"}"#.utf8), to: "config.json")
        #expect(await box.run(area).status == 0)
    }

    @Test func `the output counts resources and their bytes`() async throws {
        let box = try CommandFixture()
        box.configure()
        let added = await box.add()
        let shown = try await box.shown(), resources = shown["resources"]
        #expect(resources?["required"]?.int == 86 && resources?["completed"]?.int == 86)
        #expect(resources?["loaded"]?.int == 86 && resources?["loadedBytes"]?.int == shown["bytes"]?.int)
        #expect(added.errors.contains("86/86") && !added.errors.contains("86 of 86"))
        let lines = await box.run("show", "home").output
        #expect(lines.contains("86 of 86 tiles") && !lines.contains("resources"), "\(lines)")
    }

    @Test func `a region at scale 2 requests larger tiles, and only those`() async throws {
        let box = try CommandFixture()
        let large = blankPicture(RGB(0x336699), side: 512)
        box.host.answer {
            $0.target.contains("@2x")
                ? LoopbackReply(200, large, headers: ["Cache-Control": "max-age=600"]) : nil
        }
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "url": .string(box.host.server.url("/{z}/{x}/{y}{r}.png")),
                    "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        #expect(await box.add("--scale", "2").status == 0)
        #expect(box.host.server.record.requests.allSatisfy { $0.target.contains("@2x") })
        #expect(try await box.shown()["definition"]?["scale"]?.int == 2)
        let updated = await box.run("update", "home"), again = await box.run("add", "home")
        #expect(updated.status == 0 && again.status == 0, "\(updated.errors) \(again.errors)")
        #expect(box.host.server.record.requests.allSatisfy { $0.target.contains("@2x") })
        #expect(try await box.shown()["definition"]?["scale"]?.int == 2)
    }
}
