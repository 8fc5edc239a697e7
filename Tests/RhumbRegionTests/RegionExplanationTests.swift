@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that the statements of commands about regions are true.
struct RegionExplanationTests {
    private func box() throws -> CommandFixture {
        let box = try CommandFixture()
        box.configure()
        return box
    }

    private func why(_ box: CommandFixture, _ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            ["cache", "why"] + words + [
                "--data-path", box.folder.path + "/data", "--cache-path", box.folder.path + "/other.db",
            ],
            environment: box.environment)
    }

    @Test func `cache why names the region that stores a tile, even if it is not in the cache`() async throws
    {
        let box = try box()
        #expect(await box.add("--name", "Home").status == 0)
        let held = await why(box, "9/256/255")
        #expect(
            held.status == 0 && held.output.contains("stored in region home (Home)")
                && held.output.contains("fresh"), "\(held.output)")
        let json = try JSON.parse(Array(await why(box, "9/256/255", "--json").output.utf8)).array?.first
        #expect(json?["region"] == "home" && json?["tile"] == "9/256/255" && json?["bytes"]?.int != nil)
        #expect(await why(box, "9/256/255", "--source", "other").status == 1)
        #expect(await why(box, "9/0/0").status == 1)
        let deep = await why(box, "13/4096/4095")
        #expect(
            deep.status == 1 && deep.output.contains("13/4096/4095 is not stored")
                && deep.output.contains("11/1024/1023 is drawn for it"), "\(deep.output)")
        let style = await why(box, "https://maps.example/style.json")
        #expect(style.status == 1 && style.output.contains("style.json is not stored"), "\(style.output)")
        #expect(await why(box, "nonsense").status == 2)
    }

    @Test func `two sources on one host are distinguished everywhere`() async throws {
        let box = try CommandFixture()
        box.host.answer { request in
            TileHost.tile(request.target.dropFirst(2)).map {
                LoopbackReply(200, TileHost.body($0), headers: ["Cache-Control": "max-age=600"])
            }
        }
        box.folder.write(Array("{}".utf8), to: "config.json")
        let maps = ["a", "b"].map { box.host.server.url("/\($0)/{z}/{x}/{y}.png") }
        let words =
            ["add", "home"] + maps.flatMap { ["--source", $0] } + [
                "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact", "--permitted",
            ]
        let added = await box.run(words)
        #expect(added.status == 0, "\(added.errors)")
        let shown = try await box.shown(), parts = shown["parts"]?.array ?? []
        #expect(
            parts.count == 2 && Set(parts.compactMap { $0["source"]?.string }).count == 2
                && shown["tiles"]?.int == 12)
        for map in maps { #expect(added.output.contains(map), "\(added.output)") }
        let why = await box.run("why", "home", "9/256/255").output
        #expect(why.contains("/a/{z}") && why.contains("/b/{z}"), "\(why)")
        box.host.server.stop()
        for map in maps {
            let seen = await ProgramRun.of(
                CommandFixture.program,
                [
                    "render", map, "--offline", "--center", "0.7,0.7", "--zoom", "9", "--size", "8x3",
                    "--data-path", box.folder.path + "/data", "--cache-path", box.folder.path + "/other.db",
                ], environment: box.environment)
            #expect(seen.status == 0, "\(seen.errors)")
        }
    }

    @Test func `a region that is added again is resumed, and never replaced by another definition`()
        async throws
    {
        let box = try CommandFixture()
        let list: JSON = [
            "sources": .array(
                ["web", "other"].map { id in
                    [
                        "id": .string(id), "url": .string(box.template + "?set=\(id)"), "maxzoom": 12,
                        "policy": ["offline": "allowed", "archives": true, "packLimit": nil],
                    ]
                })
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        #expect(await box.add().status == 0)
        let same = await box.add(), short = await box.run("add", "home")
        #expect(same.status == 0 && short.status == 0 && box.host.server.requestCount == 86, "\(short)")
        let stored = try box.stored()
        for (words, difference) in [
            (["--zooms", "7-10"], "its zooms are 7–11, not 7–10"),
            (["--bbox", "0.1,0.1,0.2,0.2"], "its area is another one"),
            (["--whole-packs"], "not whole packs"), (["--also-zooms", "5-6", "--zooms", "7-11"], "zooms"),
            (["--source", "other"], "it has source web ("),
            (["--source", "web", "--source", "other"], "it has no source other ("),
        ] {
            let run = await box.run(["add", "home"] + words)
            #expect(run.status == 1 && run.errors.contains(difference), "\(words): \(run)")
            #expect(run.errors.contains("rhumb region remove home"), "\(run)")
        }
        #expect(try box.stored() == stored && box.host.server.requestCount == 86)
    }

    @Test func `heights that don't cover the area are named, and the region is incomplete`() async throws {
        let box = try CommandFixture()
        func source(_ id: String, _ rest: String) -> String {
            #"{"id":"\#(id)","name":"\#(id)","url":"\#(box.template)?\#(id)","minzoom":0,"maxzoom":12,"#
                + rest + #""policy":{"offline":"allowed","archives":true,"packLimit":null}}"#
        }
        func hills(_ id: String, _ bounds: String) -> String {
            source(id, #""encoding":"terrarium","feature":"terrain","bounds":[\#(bounds)],"#)
        }
        let list = [
            source("web", ""), hills("near", "0,0,1,1"), hills("far", "40,40,41,41"),
            hills("all", "-9,-9,9,9"), hills("tiny", "0.1,0.1,0.2,0.2"),
        ]
        box.folder.write(
            Array("{\"sources\":[\(list.joined(separator: ","))]}".utf8), to: "config.json")
        for (name, sentence) in [("near", "only a part"), ("far", "no heights in this area"), ("all", nil)] {
            let run = await box.run(
                "add", name, "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "5-7", "--heights",
                "--terrain", name)
            #expect(run.status == (sentence == nil ? 0 : 3), "\(name): \(run)")
            #expect(sentence.map(run.errors.contains) ?? true, "\(name): \(run)")
        }
        // Without --heights, none are promised that don't exist, and a region of heights gets no others.
        let words = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "5-11"]
        let bare = await box.run(["add", "bare", "--source", "web", "--terrain", "far"] + words)
        #expect(bare.status == 0 && !bare.errors.contains("heights"), "\(bare)")
        let own = await box.run(
            ["add", "own", "--source", "all", "--terrain", "tiny", "--features", "all"] + words)
        #expect(own.status == 0 && !own.errors.contains("includes heights"), "\(own)")
    }

    @Test func `a command that created a region with heights resumes it`() async throws {
        let box = try CommandFixture()
        func source(_ id: String, _ rest: String) -> String {
            #"{"id":"\#(id)","name":"\#(id)","url":"\#(box.template)?\#(id)","minzoom":0,"maxzoom":12,"#
                + rest + #""policy":{"offline":"allowed","archives":true,"packLimit":null}}"#
        }
        let hills = source("hills", #""encoding":"terrarium","feature":"terrain","#)
        box.folder.write(Array(#"{"sources":[\#(source("web", "")),\#(hills)]}"#.utf8), to: "config.json")
        let words = ["add", "home", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "5-7"]
        let heights = words + ["--heights", "--terrain", "hills"]
        #expect(await box.run(heights).status == 0)
        let count = box.host.server.requestCount
        for again in [heights, words, ["add", "home"]] {
            let run = await box.run(again)
            #expect(run.status == 0, "\(again): \(run)")
        }
        #expect(try await box.shown()["parts"]?.array?.count == 2 && box.host.server.requestCount == count)
        let vague = await box.run(words + ["--terrain", "hills"])
        #expect(vague.status == 2 && vague.errors.contains("--terrain needs --heights"), "\(vague)")
        let bare = await box.run(words + ["--no-heights"])
        #expect(bare.status == 1 && bare.errors.contains("it also has source hills"), "\(bare)")
    }

    @Test(arguments: ["template", "document", "style", "archive"], [false, true])
    func `an interrupted region is complete after a retry`(map: String, isVector: Bool) async throws {
        let box = try CommandFixture(), maps = DepthMaps(box, isVector: isVector)
        maps.serve()
        let area = [
            "--source", maps.words(map), "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "4-9", "--exact",
            "--permitted",
        ]
        #expect(await box.run(["add", "home"] + area + ["--region-quota", "1"]).status == 1)
        #expect(try await box.shown()["tiles"]?.int == 0)
        let retried = await box.run("check", "home", "--repair", "--permitted", "--json")
        #expect(
            try retried.status == 0 && box.json(retried)["tiles"]?.int == 2,
            "\(retried.output)\(retried.errors)")
        #expect(await box.run("check", "home").status == 0)
    }

    @Test func `the source's description and cache prefetch agree on OpenStreetMap's policy`() async throws {
        let box = try CommandFixture()
        let sheet = await ProgramRun.of(
            CommandFixture.program, ["source", "show", "osm"], environment: box.environment)
        #expect(sheet.output.contains("allowed, next to the view"))
        let bulk = await ProgramRun.of(
            CommandFixture.program,
            ["cache", "prefetch", "--source", "osm", "--bbox", "22,60,22.1,60.1", "--zooms", "9-9"],
            environment: box.environment)
        #expect(
            bulk.status == 1 && bulk.errors.contains("only the view and its surroundings"), "\(bulk.errors)")
    }

    @Test(arguments: ["template", "document", "style", "archive"], [false, true])
    func `plan, region, check and map agree on the deepest zoom of the data`(
        map: String, isVector: Bool
    ) async throws {
        let box = try CommandFixture(), maps = DepthMaps(box, isVector: isVector)
        maps.serve()
        let area = [
            "--source", maps.words(map), "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "4-9", "--exact",
            "--permitted",
        ]
        let planned = await box.run(["plan", "home"] + area + ["--json"])
        #expect(planned.status == 0, "\(planned.errors)")
        let count = try box.json(planned)["tiles"]?.int
        #expect(count == 2, "\(planned.output)")
        let added = await box.run(["add", "home"] + area + ["--json"])
        #expect(added.status == 0, "\(added.errors)")
        #expect(try box.json(added)["planned"]?.int == count)
        let check = await box.run("check", "home", "--json")
        #expect(try check.status == 0 && box.json(check)["tiles"]?.int == count, "\(check.output)")
        box.host.server.stop()
        let seen = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", maps.words(map), "--offline", "--center", "0.7,0.7", "--zoom", "8", "--size", "8x3",
                "--data-path",
                box.folder.path + "/data", "--cache-path", box.folder.path + "/other.db", "--config",
                box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
    }
}

/// Maps of four kinds with data up to zoom 5.
private struct DepthMaps {
    let box: CommandFixture
    /// The body of each vector tile; nil for images.
    let tile: [UInt8]?

    init(_ box: CommandFixture, isVector: Bool) {
        self.box = box
        let land = VectorTileFixture([
            ("land", [.init(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])])
        ])
        tile = isVector ? land.bytes : nil
    }

    private var template: String { box.host.server.url("/{z}/{x}/{y}") }

    func words(_ map: String) -> String {
        switch map {
        case "template": "web"
        case "document": box.host.server.url("/tiles.json")
        case "style": box.host.server.url("/style.json")
        default: box.host.server.url("/town.pmtiles")
        }
    }

    func serve() {
        let list: JSON = [
            "sources": [
                [
                    "id": "web", "url": .string(template), "vector": .bool(tile != nil), "maxzoom": 5,
                    "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let document: JSON = [
            "tilejson": "3.0.0", "maxzoom": 5, "tiles": [.string(template)],
            "format": tile == nil ? "png" : "pbf",
        ]
        let source: JSON = [
            "type": tile == nil ? "raster" : "vector", "tiles": [.string(template)], "maxzoom": 5,
            "tileSize": 256,
        ]
        let layer: JSON =
            tile == nil
            ? ["id": "l", "type": "raster", "source": "s"]
            : ["id": "l", "type": "fill", "source": "s", "source-layer": "land"]
        let style: JSON = ["version": 8, "sources": ["s": source], "layers": [layer]]
        let tile = tile
        if let tile {
            box.host.answer { _ in LoopbackReply(200, tile, headers: ["Cache-Control": "max-age=600"]) }
        }
        for (path, json) in [("/tiles.json", document), ("/style.json", style)] {
            box.host.answer(path) { _ in LoopbackReply(200, Array(json.text.utf8)) }
        }
        var archive = PMTilesFixture(
            (0...5).map { zoom in
                let id = TileID(zoom: zoom, containing: WorldPoint(x: 0.502, y: 0.498))
                return (id, tile ?? TileHost.body(id))
            })
        if tile != nil { archive.patches = [(99, 1)] }
        let bytes = archive.bytes
        box.host.answer("/town.pmtiles") { LoopbackReply.part(of: bytes, $0) }
    }
}
