import Rhumb
import RhumbCore
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests `rhumb region …` as used by users and scripts.
struct RegionCommandTests {
    @Test func `a region that is started twice is fetched once, and both callers see its end`() async throws {
        let box = try CommandFixture(), gate = LoopbackGate()
        box.configure()
        box.host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, TileHost.body($0)).with { $0.gate = gate }
            }
        }
        let words = ["add", "home", "--source", "web"] + CommandFixture.area
        let first = box.start(words)
        #expect(await eventually { box.host.server.requestCount > 0 })
        let errors = box.folder.path + "/second.txt"
        let second = ChildProgram(
            CommandFixture.program, box.words(words), environment: box.environment, errors: errors)
        #expect(await eventually { box.folder.bytes("second.txt").count > 10 })
        gate.open()
        #expect(await box.end(of: first) == 0)
        #expect(await box.end(of: second) == 0)
        #expect(box.host.server.requestCount == 86)
        let said = String(decoding: box.folder.bytes("second.txt"), as: UTF8.self)
        #expect(said.contains("process \(first.process) is downloading home"))
        #expect(second.lines().joined().contains("complete"))
    }

    @Test func `a region is not renamed while it is downloaded`() async throws {
        let box = try CommandFixture(), gate = LoopbackGate()
        box.configure()
        box.host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, TileHost.body($0)).with { $0.gate = gate }
            }
        }
        let first = box.start(["add", "home", "--source", "web"] + CommandFixture.area)
        #expect(await eventually { box.host.server.requestCount > 0 })
        let refused = await box.run("rename", "home", "garden")
        #expect(refused.status == 1 && refused.errors.contains("\(first.process)"), "\(refused)")
        gate.open()
        #expect(await box.end(of: first) == 0)
        #expect(await box.run("rename", "home", "garden").status == 0)
    }

    private func box(_ policy: String? = nil) throws -> CommandFixture {
        let box = try CommandFixture()
        if let policy { box.configure(policy) } else { box.configure() }
        return box
    }

    @Test func `a region is planned, downloaded, changed and removed`() async throws {
        let box = try box()
        let plan = await box.run(
            "plan", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-11", "--json")
        #expect(try plan.status == 0 && box.json(plan)["tiles"]?.int == 86)
        #expect(box.host.server.requestCount == 0)
        let added = try box.json(await box.add("--name", "Home", "--metadata", #"{"n":[1]}"#, "--json"))
        #expect(
            added["state"]?.string == "complete" && added["settled"]?.int == 86
                && added["name"]?.string == "Home")
        #expect(added["parts"]?.array?.first?["requests"]?.int == 86)
        let shown = try await box.shown()
        #expect(
            shown["gaps"]?.array?.isEmpty == true && shown["worker"] == .null
                && shown["expiresAt"]?.string != nil)
        #expect(shown["definition"]?["metadata"]?["n"]?.array?.first?.int == 1)
        let list = try box.json(await box.run("list", "--json")).array
        #expect(list?.count == 1 && list?.first?["id"]?.string == "home")
        let check = await box.run("check", "home", "--json")
        #expect(try check.status == 0 && box.json(check)["isWhole"]?.bool == true)
        let why = await box.run("why", "home", "9/256/255")
        #expect(why.status == 0 && why.output.contains("fresh") && why.output.contains("pack 6/32/31"))
        #expect(await box.run("why", "home", "9/0/0").output.contains("outside the region"))
        #expect(await box.run("rename", "home", "garden", "--name", "Garden").status == 0)
        #expect(await box.run("show", "home").status == 1)
        #expect(await box.run("show", "garden").output.hasPrefix("garden: Garden"))
        let removal = try #require(box.json(await box.run("remove", "garden", "--json")).array?.first)
        #expect(
            removal["tiles"]?.int == 86 && (removal["freedBytes"]?.int ?? 0) > 0
                && removal["sharedTiles"]?.int == 0)
        #expect(await box.run("list").output.contains("No regions yet"))
    }

    @Test func `the touched tiles are planned, whole packs on request, and a region keeps its choice`()
        async throws
    {
        let box = try box(),
            words = ["home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9"]
        func planned(_ options: String...) async throws -> [Int?] {
            let plan = try await box.json(box.run(["plan"] + words + options + ["--json"]))
            return [plan["tiles"]?.int, plan["exact"] == true ? 1 : 0]
        }
        let exact = try await planned()
        #expect(exact[1] == 1)
        #expect(try await planned("--exact") == exact)
        let whole = try await planned("--whole-packs")
        #expect(whole[1] == 0 && whole[0] ?? 0 > exact[0] ?? 0)
        #expect(await box.run(["plan"] + words + ["--exact", "--whole-packs"]).status == 2)
        #expect(await box.run(["add"] + words + ["--whole-packs"]).status == 0)
        #expect(try await planned() == whole)
    }

    @Test func `absent tiles are counted beside the present ones`() async throws {
        let box = try box()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(404) }
        let added = await box.add("--name", "Garden by the sea")
        #expect(
            added.status == 0 && added.output.contains("85 of 86 tiles") && added.output.contains("1 absent"),
            "\(added.output)")
        let shown = try await box.shown()
        #expect(shown["tiles"]?.int == 85 && shown["absent"]?.int == 1 && shown["planned"]?.int == 86)
        let list = try box.json(await box.run("list", "--json")).array?.first
        #expect(list?["tiles"]?.int == 85 && list?["absent"]?.int == 1)
        let table = await box.run("list").output.split(separator: "\n")
        #expect(table.last?.contains("85/86       1") == true)
        let columns = zip(table, ["name", "Garden"]).map { line, word in
            line.firstRange(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }
        #expect(columns.count == 2 && columns[0] != nil && columns[0] == columns[1], "\(table)")
        let check = try box.json(await box.run("check", "home", "--json"))
        #expect(check["present"]?.int == 85 && check["absent"]?.int == 1 && check["isWhole"] == true)
    }

    @Test func `a region without any tile of the source is empty, and exits with 3`() async throws {
        let box = try box()
        box.host.answer { _ in LoopbackReply(404) }
        let added = await box.add()
        #expect(
            added.status == 3 && added.output.contains("empty: the source has nothing here"),
            "\(added.output)")
        #expect(try await box.shown()["state"]?.string == "empty")
        #expect(await box.run("check", "home").status == 3)
        #expect(await box.run("list").output.contains("empty"))
        // Once the source has tiles, an update finds them.
        box.host.behave()
        #expect(await box.run("update", "home").status == 0)
        #expect(try await box.shown()["tiles"]?.int == 86)
    }

    @Test func `gaps show in the exit status, and a retry closes them`() async throws {
        let box = try box()
        box.host.answer("/9/256/255.png") { _ in LoopbackReply(400) }
        #expect(await box.add().status == 3)
        let gaps = try await box.shown()["gaps"]?.array
        #expect(gaps?.count == 1 && gaps?.first?["tile"]?.string == "9/256/255")
        #expect(gaps?.first?["reason"]?.string?.contains("400") == true)
        #expect(await box.run("check", "home").status == 3)
        #expect(await box.run("why", "home", "9/256/255").output.contains("the last request failed"))
        box.host.behave()
        #expect(await box.run("check", "home", "--repair").status == 0)
        #expect(await box.run("check", "home").status == 0)
    }

    @Test func `a refresh reports the changes`() async throws {
        let box = try box()
        #expect(await box.add().status == 0)
        box.host.change { $0.version = 2 }
        let update = try box.json(await box.run("update", "home", "--json"))
        #expect(update["parts"]?.array?.first?["done"]?.int == 86)
        let none = try box.json(await box.run("update", "home", "--older-than", "1h", "--json"))
        #expect(none["parts"]?.array?.first?["reused"]?.int == 86 && box.host.server.requestCount == 172)
    }

    // MARK: Refusals

    @Test(arguments: [
        (["add", "home", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "9-7"], 2, "9-7"),
        (["add", "home", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "18-20"], 1, "not 18-20"),
        (["add", "home", "--source", "web", "--bbox", "0,0,1,1"], 2, "--zooms"),
        (["add", "home", "--source", "web", "--zooms", "1-2"], 2, "--bbox"),
        (["add", "../etc", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "1-2"], 1, "U+002F"),
        (["add", "a b", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "1-2"], 1, "U+0020"),
        (["add", "a\u{1B}[31m", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "1-2"], 1, "U+001B"),
        (
            ["add", "home", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "1-2", "--metadata", "{a"], 2,
            "--metadata must be JSON"
        ),
        (["add", "home", "--source", "web", "--around", "1,1", "--zooms", "1-2"], 2, "--radius"),
        (["add", "home", "--source", "world", "--bbox", "0,0,1,1", "--zooms", "1-2"], 1, "is a local map"),
        (
            ["add", "home", "--source", "nowhere", "--bbox", "0,0,1,1", "--zooms", "1-2"], 1,
            "no file or source called nowhere"
        ),
        (["add", "home", "--source", "web", "--bbox", "-180,-90,180,90", "--zooms", "0-16"], 1, "would fit"),
        (
            ["add", "home", "--source", "web", "--geojson", "none.json", "--zooms", "1-2"], 1,
            "can't open none.json: no such file"
        ),
        (
            ["import", "home", "--source", "world", "--from", "none.pmtiles"], 1,
            "--source must name the web source"
        ),
        (["show", "other"], 1, "no region other"),
        (["remove", "other"], 1, "no region other"),
        (["update", "home", "--older-than", "soon"], 2, "expected a time"),
        (["list", "--store", "off"], 1, "regions are off"),
        (
            ["add", "home", "--source", "web", "--bbox", "0,0,1,1", "--zooms", "1-2", "--region-quota", "0"],
            1, "region-quota"
        ),
    ])
    func `an impossible request is reported before anything is fetched`(
        words: [String], status: Int32, text: String
    ) async throws {
        let box = try box()
        let run = await box.run(words)
        #expect(run.status == status && run.errors.contains(text), "\(run.status): \(run.errors)")
        #expect(!run.errors.contains("\u{1B}") && box.host.server.requestCount == 0)
        #expect(run.errors.split(separator: "\n").count <= 2 && run.output.isEmpty)
    }

    @Test(arguments: [
        (#"{"type":"Polygon","coordinates":[]}"#, "no ring"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}"#, "cross"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[5,5],[5,0],[0,2],[0,0]]]}"#, "cross"),
        (#"{"type":"FeatureCollection","features":[]}"#, ""),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1e999,2],[2,0],[0,0]]]}"#, ""), ("nothing", ""), ("", ""),
    ])
    func `invalid shapes are rejected`(text: String, word: String) async throws {
        let box = try box()
        let path = box.folder.write(Array(text.utf8), to: "shape.json")
        let run = await box.run("add", "home", "--source", "web", "--geojson", path, "--zooms", "7-9")
        #expect(run.status == 1 || run.status == 2)
        #expect(run.errors.hasPrefix("rhumb: ") && run.errors.lowercased().contains(word), "\(run.errors)")
        #expect(box.host.server.requestCount == 0)
    }

    @Test(arguments: [
        ([] as [String], 1, "only with the permission of the provider"), (["--permitted"], 0, ""),
    ])
    func `a source that requires permission needs the user's confirmation`(
        more: [String], status: Int32, text: String
    ) async throws {
        let box = try box(#"{"offline":"ask","policyURL":"https://rules.example/"}"#)
        let run = await box.run(["add", "home", "--source", "web"] + CommandFixture.area + more)
        #expect(run.status == status && run.errors.contains(text))
        #expect(box.host.server.requestCount == (status == 0 ? 86 : 0))
    }

    @Test
    func
        `a source that forbids downloads is rejected for downloads and imports, with its rules and an alternative`()
        async throws
    {
        let box = try box(#"{"offline":"denied","policyURL":"https://rules.example/"}"#)
        let add = await box.add("--permitted")
        #expect(
            add.status == 1 && add.errors.contains("https://rules.example/") && add.errors.contains("PMTiles")
        )
        let path = try MBTilesFixture(zooms: 0...2).write(in: box.folder)
        let imported = await box.run("import", "home", "--source", "web", "--from", path)
        #expect(imported.status == 1 && imported.errors.contains("does not allow"))
        #expect(
            try box.json(await box.run("list", "--json")).array?.isEmpty == true
                && box.host.server.requestCount == 0)
    }

    @Test func `an import names missing tiles and tiles outside the bounds`() async throws {
        let box = try box(#"{"offline":"allowed","packLimit":null}"#)
        // More than 200,000 tiles are missing, too many to be listed as gaps. Two tiles are beyond 80°.
        let tiles = [TileID.at(0, 0, 0), .at(9, 100, 0), .at(9, 200, 200), .at(9, 300, 511)]
        let fixture = MBTilesFixture(
            tiles.map { ($0, TileHost.body($0)) },
            metadata: [("format", "png"), ("bounds", "-180,-80,180,80"), ("minzoom", "0"), ("maxzoom", "9")])
        let imported = await box.run(
            "import", "home", "--source", "web", "--from", try fixture.write(in: box.folder), "--json")
        let result = try box.json(imported), planned = try await box.shown()["planned"]?.int ?? 0
        #expect(
            imported.status == 3 && planned > 200_000 && result["tiles"]?.int == 2
                && result["outside"]?.int == 2, "\(imported)")
        #expect(result["missing"]?.int == planned - 2)
        #expect(box.host.server.requestCount == 0)
    }

    @Test func `an import refuses tiles of another type than its source has`() async throws {
        let box = try box(#"{"offline":"allowed","packLimit":null}"#)
        #expect(await box.add().status == 0)
        let path = try ArchiveFixture(vectorZooms: 0...2).write(.mbtiles, in: box.folder).path
        let imported = await box.run("import", "other", "--source", "web", "--from", path)
        #expect(imported.status == 1 && imported.errors.contains("contains vector tiles"), "\(imported)")
        #expect(await box.run("check", "home").status == 0)
    }

    @Test func `an import keeps the fresh tiles of another region`() async throws {
        let box = try box(#"{"offline":"allowed","packLimit":null}"#)
        box.host.answer { request in
            let numbers = request.target.split { !$0.isNumber }.compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            let tile = TileID.at(numbers[0], numbers[1], numbers[2])
            return LoopbackReply(200, TileHost.body(tile), headers: ["Cache-Control": "max-age=3600"])
        }
        #expect(await box.add().status == 0)
        let before = try box.stored(), path = try MBTilesFixture(zooms: 0...2).write(in: box.folder)
        let imported = await box.run("import", "other", "--source", "web", "--from", path)
        #expect(imported.status == 0, "\(imported)")
        let after = try box.stored()
        #expect(!before.isEmpty && before.allSatisfy { after[$0.key] == $0.value })
    }

    @Test func `another user's store prints no control sequences`() async throws {
        let box = try box(#"{"offline":"allowed","packLimit":null}"#)
        #expect(await box.add().status == 0)
        let id = "home\u{1B}]0;owned\u{7}\u{202E}"
        try Connection(box.storePath, .readWrite).run("UPDATE regions SET id = @id, reason = @id", ["id": id])
        for words in [
            ["list"], ["list", "--json"], ["show", id], ["show", id, "--json"], ["check", id], ["pause", id],
        ] {
            let run = await box.run(words)
            #expect(
                !run.output.isEmpty && SafeText.harmless(run.output) == run.output
                    && SafeText.harmless(run.errors) == run.errors, "\(words) \(run)")
        }
        let list = try box.json(await box.run("list", "--json"))
        #expect(list.array?.first?["id"]?.string == id)
    }

    @Test func `a source that forbids archives is not exported`() async throws {
        let box = try box(#"{"offline":"allowed","archives":false}"#)
        #expect(await box.add().status == 0)
        let run = await box.run("export", "home", "-o", box.folder.path + "/out.pmtiles")
        #expect(run.status == 1 && run.errors.contains("does not allow exporting it to archives"))
        #expect(!box.folder.names.contains("out.pmtiles"))
    }

    // MARK: Missing sources and stores

    @Test func `a region whose source was removed from the configuration is shown and continues`()
        async throws
    {
        let box = try CommandFixture()
        box.configure(#"{"offline":"allowed","packLimit":null}"#)
        box.host.answer { $0.target.hasPrefix("/11/") ? LoopbackReply(400) : nil }
        #expect(await box.add().status == 3)
        box.folder.write(Array(#"{"keys":{"test":"SECRETMARKER"}}"#.utf8), to: "config.json")
        box.host.behave()
        #expect(try await box.shown()["settled"]?.int == 86)
        let place = "127.0.0.1:\(box.host.server.port)"
        let keyless = await box.run("check", "home", "--repair")
        #expect(keyless.status == 1 && keyless.errors.contains("\"\(place)\" under \"keys\""), "\(keyless)")
        box.folder.write(Array(#"{"keys":{"\#(place)":"SECRETMARKER"}}"#.utf8), to: "config.json")
        #expect(await box.run("check", "home", "--repair").status == 0)
        #expect(await box.run("check", "home").status == 0)
        #expect(box.host.server.record.requests.allSatisfy { $0.target.contains("SECRETMARKER") })
        #expect(box.folder.everyFileContaining("SECRETMARKER") == ["config.json"])
    }

    @Test func `a damaged store is not changed until it is repaired`() async throws {
        let box = try box()
        #expect(await box.add().status == 0)
        box.folder.write([UInt8](repeating: 7, count: 70_000), to: "data/regions.db")
        box.folder.write([], to: "data/regions.db-wal")
        let before = await box.run("list")
        #expect(
            before.status == 1 && before.errors.contains("rhumb region check --repair"), "\(before.errors)")
        let repair = await box.run("check", "--repair")
        #expect(
            repair.status == 3 && repair.errors.contains("no region could be recovered"), "\(repair.errors)")
        #expect(await box.run("list").output.contains("No regions yet"))
    }

    @Test func `a complete region gets no advice to pause it`() async throws {
        let box = try box()
        #expect(await box.add().status == 0)
        #expect(await box.run("pause", "home").output.contains("complete"))
        #expect(try await box.shown()["state"]?.string == "complete")
    }

    @Test func `quotas on the command line are obeyed`() async throws {
        let box = try box()
        let run = await box.add("--region-quota", "300k")
        #expect(run.status == 1 && run.output.contains("is used up") && run.errors.contains("--region-quota"))
        #expect(await box.run("resume", "home").status == 0)
    }

    @Test func `a region of a TileJSON source includes its document`() async throws {
        let box = try box()
        let document =
            #"{"tilejson":"3.0.0","tiles":["\#(box.template)"],"minzoom":0,"maxzoom":12,"name":"Doc"}"#
        box.host.answer("/map.json") { _ in
            LoopbackReply(200, Array(document.utf8), headers: ["Content-Type": "application/json"])
        }
        let address = box.host.server.url("/map.json")
        let run = await box.run(["add", "home", "--source", address] + CommandFixture.area)
        #expect(run.status == 0, "\(run.errors)")
        let store = try RegionStore(box.storePath)
        #expect(store.response(for: .document(address))?.body == Array(document.utf8))
        #expect(await box.run("check", "home").status == 0)
        try store.lose(.document(address))
        #expect(await box.run("check", "home").status == 3)
    }
}
