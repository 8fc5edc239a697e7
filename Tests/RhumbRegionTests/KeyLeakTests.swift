import RhumbCore
import RhumbTestSupport
import Testing

/// Tests that a key, however it is given, reaches its server but nothing that is written or shown.
struct KeyLeakTests {
    private static let marker = "f3a91c7be2d84056a1b2c3d4e5f60718MARKER"
    private static let area = ["--bbox", "0.1,0.1,1.3,1.3", "--zooms", "1-2", "--exact"]

    /// A way to give a key: the words of the source, with HOST instead of the server, and the configuration.
    struct Way: Sendable, CustomTestStringConvertible {
        let words: String
        var config = "{}"
        var variables: [String: String] = [:]
        var testDescription: String { words + config }
    }

    private static let source =
        #"{"sources":[{"id":"web","url":"ADDRESS","maxzoom":12,"keys":KEYS,"policy":{"offline":"allowed","archives":true}}]MORE}"#

    private static func config(_ address: String, keys: String = "{}", more: String = "") -> String {
        source.replacing("ADDRESS", with: address).replacing("KEYS", with: keys).replacing("MORE", with: more)
    }

    private static let named = #"{"key":{"environment":"WEB_KEY","config":"web"}}"#
    static let ways = [
        Way(words: "http://HOST/{z}/{x}/{y}.png?key=\(marker)"),
        Way(words: "http://HOST/{z}/{x}/{y}.png?foo=1&X-My-Token=\(marker)"),
        Way(words: "http://HOST/{z}/{x}/{y}.png?v=\(marker)"),
        Way(words: "http://me:\(marker)@HOST/{z}/{x}/{y}.png"),
        Way(words: "http://HOST/tiles.json?apikey=\(marker)"),
        Way(words: "http://HOST/style.json?token=\(marker)"),
        Way(words: "http://HOST/town.pmtiles?sig=\(marker)"),
        Way(words: "http://HOST/\(marker)/{z}/{x}/{y}.png"),
        Way(
            words: "web",
            config: config(
                "http://HOST/{z}/{x}/{y}.png?foo={key}", keys: named, more: #","keys":{"web":"\#(marker)"}"#)),
        Way(
            words: "web", config: config("http://HOST/{z}/{x}/{y}.png?foo={key}", keys: named),
            variables: ["WEB_KEY": marker]),
        Way(words: "web", config: config("http://HOST/{z}/{x}/{y}.png?key=\(marker)")),
        Way(words: "http://HOST/{z}/{x}/{y}.png?foo={key}", config: #"{"keys":{"HOST":"\#(marker)"}}"#),
    ]

    private func program(_ words: [String], _ box: CommandFixture, _ way: Way) async -> ProgramRun {
        await ProgramRun.of(
            CommandFixture.program,
            words + [
                "--cache-path", box.folder.path + "/cache.db", "--config", box.folder.path + "/config.json",
            ],
            environment: box.environment.merging(way.variables) { $1 })
    }

    @Test(arguments: ways)
    func `keys never appear in files that Rhumb writes, in listings or in errors`(way: Way) async throws {
        let box = try CommandFixture(), host = "127.0.0.1:\(box.host.server.port)"
        serve(box)
        box.folder.write(Array(way.config.replacing("HOST", with: host).utf8), to: "config.json")
        let words = way.words.replacing("HOST", with: host), data = ["--data-path", box.folder.path]
        var runs = [
            await program(["region", "plan", "home", "--source", words] + Self.area + data, box, way)
        ]
        runs.append(
            await program(
                ["region", "add", "home", "--source", words, "--permitted"] + Self.area + data, box, way))
        for verb in [
            ["show", "home", "--json"], ["list", "--json"], ["list"], ["resume", "home"],
            ["check", "home", "--json"], ["update", "home"],
        ] {
            runs.append(await program(["region"] + verb + data, box, way))
        }
        runs.append(
            await program(
                ["region", "export", "home", "-o", box.folder.path + "/out.pmtiles"] + data, box, way))
        runs.append(
            await program(
                ["render", words, "--size", "40x20", "-o", box.folder.path + "/picture.txt"], box, way))
        runs.append(await program(["source", "check", words, "--json"], box, way))
        runs.append(await program(["render", words + "{wrong", "--size", "40x20"], box, way))
        runs.append(await program(["cache", "stats", "--json"], box, way))
        let asked = box.host.server.record.requests.contains { request in
            request.target.contains(Self.marker)
                || request.header("Authorization")?.hasPrefix("Basic ") == true
        }
        #expect(asked, "\(runs.map(\.errors))")
        for run in runs {
            #expect(!run.output.contains(Self.marker) && !run.errors.contains(Self.marker), "\(run)")
        }
        #expect(box.folder.everyFileContaining(Self.marker).filter { $0 != "config.json" } == [])
    }

    /// Options that take an address, with the source they belong to.
    static let options = [
        ["world", "--over", "http://HOST/{z}/{x}/{y}.png?key=\(marker)"],
        ["world", "--over=http://HOST/tiles.json?key=\(marker)"],
        ["http://HOST/{z}/{x}/{y}.pbf", "--style", "http://HOST/style.json?token=\(marker)"],
        ["http://HOST/style.json?token=\(marker)", "--over", "http://me:\(marker)@HOST/{z}/{x}/{y}.png"],
    ]

    @Test(arguments: options)
    func `a key in the address of an overlay or a style is not found anywhere either`(
        words: [String]
    ) async throws {
        let box = try CommandFixture(), way = Way(words: "")
        serve(box)
        box.folder.write(Array("{}".utf8), to: "config.json")
        let words = words.map { $0.replacing("HOST", with: "127.0.0.1:\(box.host.server.port)") }
        var runs = [
            await program(
                ["render", "--size", "40x20", "-o", box.folder.path + "/picture.txt"] + words, box, way)
        ]
        runs.append(await program(["render", "--size", "40x20", "--offline"] + words, box, way))
        runs.append(await program(["render", "--size", "40x20"] + words.map { $0 + "{wrong" }, box, way))
        runs.append(await program(["style", "check", words.last ?? ""], box, way))
        runs.append(await program(["cache", "stats", "--json"], box, way))
        #expect(box.host.server.record.requests.contains { $0.target.contains(Self.marker) })
        for run in runs {
            #expect(!run.output.contains(Self.marker) && !run.errors.contains(Self.marker), "\(run)")
        }
        #expect(box.folder.everyFileContaining(Self.marker) == [])
    }

    @Test
    func `a region whose key was typed but not saved reports the missing key, and resumes once it is set`()
        async throws
    {
        let box = try CommandFixture()
        box.folder.write(Array("{}".utf8), to: "config.json")
        box.host.answer { $0.target.hasPrefix("/2/") ? LoopbackReply(400) : nil }
        #expect(await box.run(["add", "home", "--source", box.template + "?key=k7"] + Self.area).status == 3)
        box.host.behave()
        let place = "127.0.0.1:\(box.host.server.port)"
        let keyless = await box.run("check", "home", "--repair")
        #expect(
            keyless.status == 1 && keyless.errors.contains("RHUMB_KEY_127_0_0_1_")
                && keyless.errors.contains("enter its URL again"), "\(keyless)")
        #expect(
            try await box.shown()["definition"]?["sources"]?.array == [.string(box.template + "?key={key}")])
        box.folder.write(Array(#"{"keys":{"\#(place)":"k7"}}"#.utf8), to: "config.json")
        #expect(await box.run("check", "home", "--repair").status == 0)
        #expect(box.host.server.record.requests.allSatisfy { $0.target.hasSuffix("?key=k7") })
    }

    /// Serves documents that contain the key with which they are requested, under other names.
    private func serve(_ box: CommandFixture) {
        let archive = PMTilesFixture(zooms: 0...2).bytes
        box.host.answer { request in
            let key = request.target.split(separator: "=").last ?? ""
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/tiles.json":
                return LoopbackReply(
                    200,
                    Array(
                        #"{"tilejson":"3.0.0","name":"A \#(key)","tiles":["/{z}/{x}/{y}.png?foo=\#(key)"],"maxzoom":12}"#
                            .utf8))
            case "/style.json":
                let tiles = "/{z}/{x}/{y}.png?foo=\(key)"
                let style =
                    #"{"version":8,"name":"\#(key)","sources":{"r":{"type":"raster","tiles":["\#(tiles)"]}},"layers":[{"id":"b","type":"raster","source":"r"}]}"#
                return LoopbackReply(200, Array(style.utf8))
            case "/town.pmtiles":
                return LoopbackReply.part(of: archive, request)
            default:
                return request.target.hasPrefix("/\(Self.marker)/")
                    ? LoopbackReply(200, picture(9, seed: 1)) : nil
            }
        }
    }
}
