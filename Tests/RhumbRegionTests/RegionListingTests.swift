import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the zoom ranges and expiry dates of regions on the command line.
struct RegionListingTests {
    private func box() throws -> CommandFixture {
        let box = try CommandFixture()
        box.configure()
        return box
    }

    @Test func `a region is not added while offline`() async throws {
        let box = try CommandFixture()
        box.configure()
        let refused = await box.add("--offline")
        #expect(refused.status == 1 && refused.errors.contains("nothing was changed"), "\(refused)")
        #expect(await box.run("list").output.contains("No regions yet"))
    }

    @Test func `a region has several zoom ranges, and keeps them and its style when it is renamed`()
        async throws
    {
        let box = try box()
        let plan = await box.run(
            "plan", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "0-2", "--also-zooms",
            "9")
        #expect(plan.status == 0, "\(plan)")
        let style = box.folder.write(Array(#"{"version":8,"sources":{},"layers":[]}"#.utf8), to: "style.json")
        let add = await box.run([
            "add", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "0-2", "--also-zooms",
            "9", "--style", style,
        ])
        #expect(add.status == 0 && add.output.contains("zooms 0–2, 9–9"), "\(add)")
        #expect(Set(box.host.asked.map(\.zoom)) == [0, 1, 2, 9])
        let before = try await box.shown()["definition"]
        _ = await box.run("rename", "home", "--to", "away")
        let after = try await box.shown("away")["definition"]
        #expect(after?["style"] == before?["style"] && after?["style"] != nil && after?["style"] != .null)
        #expect(after?["tilesets"] == before?["tilesets"] && after?["tilesets"]?.array?.count == 2)
        for words in ["5-6@9", "x"] {
            let refused = await box.run([
                "add", "b", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "0", "--also-zooms", words,
            ])
            #expect(refused.status == 2 && refused.errors.contains("--also-zooms takes zooms"), "\(refused)")
        }
    }

    @Test func `each zoom range of a region has its own scale`() async throws {
        let box = try CommandFixture()
        box.host.answer {
            LoopbackReply(200, blankPicture(RGB(0x336699), side: $0.target.contains("@2x") ? 512 : 256))
        }
        let url = box.host.server.url("/{z}/{x}/{y}{r}.png")
        box.folder.write(
            Array(#"{"sources":[{"id":"web","url":"\#(url)","policy":{"offline":"allowed"}}]}"#.utf8),
            to: "config.json")
        let words = [
            "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "0-2", "--also-zooms", "5-6@2",
        ]
        let plan = await box.run(["plan"] + words + ["--json"])
        #expect(try box.json(plan)["tiles"]?.int == 5, "\(plan)")
        #expect(box.host.server.requestCount == 0)
        #expect(try box.json(await box.run("list", "--json")).array?.isEmpty == true)
        let add = await box.run(["add"] + words)
        #expect(add.status == 0 && add.output.contains("zooms 0–2, 5–6 at scale 2"), "\(add)")
        let asked = box.host.server.record.requests.map(\.target)
        #expect(Set(asked.filter { !$0.contains("@2x") }.map { $0.prefix(3) }) == ["/0/", "/1/", "/2/"])
        #expect(
            Set(asked.filter { $0.contains("@2x") }.map { $0.prefix(3) }) == ["/5/", "/6/"]
                && asked.count == 5)
        let update = await box.run("update", "home")
        #expect(update.status == 0 && box.host.server.requestCount == 10, "\(update)")
    }

    @Test func `regions that expire within a time are listed with the remaining time`() async throws {
        let box = try box()
        _ = await box.add()
        let none = await box.run("list", "--expiring", "30min")
        #expect(none.status == 0 && none.output == "Nothing expires within 30 min.", "\(none)")
        let soon = await box.run("list", "--expiring", "2h").output.split(separator: "\n")
        #expect(
            soon.count == 2 && soon[0].hasPrefix("kind") && soon[1].hasPrefix("region")
                && soon[1].contains(" in "), "\(soon)")
        let listed = try box.json(await box.run("list", "--expiring", "2h", "--json")).array?.first
        #expect(listed?["kind"]?.string == "region" && listed?["id"]?.string == "home")
        #expect(await box.run("list", "--expiring", "soon").status == 2)
    }

    @Test func `heights of a region come from the source that the user names, if it has some`() async throws {
        let box = try CommandFixture()
        func source(_ id: String, _ rest: String) -> String {
            #"{"id":"\#(id)","name":"\#(id)","url":"\#(box.template)?\#(id)","minzoom":0,"maxzoom":16,"#
                + rest + #""policy":{"offline":"allowed","archives":true,"packLimit":null}}"#
        }
        let hills = source("hills", #""encoding":"terrarium","feature":"terrain","#)
            .replacing(#""maxzoom":16"#, with: #""maxzoom":10"#)
        let text = #"{"sources":[\#(source("web", "")),\#(hills)]}"#
        box.folder.write(Array(text.utf8), to: "config.json")
        let words = ["plan", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9"]
        let plain = try await box.json(box.run(words + ["--json"]))["tiles"]?.int ?? 0
        let plan = await box.run(words + ["--heights", "--terrain", "hills", "--json"])
        #expect(try plan.status == 0 && (box.json(plan)["tiles"]?.int ?? 0) > plain, "\(plan)")
        let flat = await box.run(words + ["--heights", "--terrain", "web"])
        #expect(flat.status == 1 && flat.errors.contains("web has no elevation"), "\(flat)")
        let lone = await box.run(words + ["--terrain", "hills"])
        #expect(lone.status == 0, "\(lone)")
        let both = await box.run(words + ["--terrain", "hills", "--no-heights"])
        #expect(both.status == 2 && both.errors.contains("exclude each other"), "\(both)")
        // Of many tiles, they add less than a quarter, and their provider allows them.
        let deep = Array(words.dropLast()) + ["7-12", "--json"]
        let free = await box.run(deep), bare = await box.run(deep + ["--no-heights"])
        #expect(free.errors.contains("includes heights from hills"), "\(free)")
        #expect(!bare.errors.contains("heights"))
        #expect(try (box.json(free)["tiles"]?.int ?? 0) > (box.json(bare)["tiles"]?.int ?? 0))
        // Three plans decide whether the heights are small: by up to four tiles of each of both sources.
        #expect((1...24).contains(box.host.server.requestCount))
        // A region of the source of heights includes no others.
        let own = await box.run(
            ["plan", "own", "--source", "hills", "--features", "all"] + deep.dropFirst(4))
        #expect(own.status == 0 && !own.errors.contains("includes heights"), "\(own)")
    }

    @Test func `absent tiles that need no request don't count as tiles of a request`() async throws {
        let box = try CommandFixture()
        box.configure()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        #expect(await box.add().status == 0)
        try Connection(box.storePath, .readWrite).execute("DELETE FROM entries WHERE z < 9", to: "lose tiles")
        let repaired = await box.run("check", "home", "--repair")
        #expect(repaired.status == 0 && repaired.output.contains("1 absent"), "\(repaired)")
        #expect(!repaired.output.contains("tiles each"), "\(repaired)")
        #expect(try await box.shown()["parts"]?.array?.first?["tilesPerRequest"]?.double == 1)
    }
}
