import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests `rhumb style` with files.
struct StyleCommandTests {
    private let home = TemporaryFolder()

    private func run(_ words: String..., environment: [String: String] = [:]) async -> ProgramRun {
        let variables = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), ["style"] + words, environment: variables.merging(environment) { $1 })
    }

    private func write(_ text: String, to name: String) -> String { home.write(Array(text.utf8), to: name) }
    private func text(_ name: String) -> String { String(decoding: home.bytes(name), as: UTF8.self) }

    // MARK: Checking

    private static let faulty = """
        {"version": 8,
         "sources": {"v": {"type": "vector"}},
         "layers": [
          {"id": "a\\u001b[2J", "type": "line", "source": "v", "source-layer": "l",
           "paint": {"line-width": ["concat", "a"]}},
          {"id": "b", "type": "fill", "source": "nowhere"}]}
        """

    @Test func `check reports the file, line and column of everything that is omitted`() async {
        let path = write(Self.faulty, to: "faulty.json"), run = await run("check", path)
        #expect(run.status == 3 && run.errors.isEmpty)
        #expect(
            run.output.split(separator: "\n") == [
                #"\#(path):5:14: layer a[2J: line-width: ["concat","a"] is a text, but a number is needed; using the default"#[
                    ...],
                "\(path):6:31: layer b: source: not in the style; the layer was ignored",
                "\(path): 1 layer, 2 parts can't be drawn",
            ])
    }

    @Test func `check reports the files of a style that are missing`() async {
        let path = write(
            #"""
            {"version":8,"sources":{"s":{"type":"geojson","data":"nope.geojson"}},
             "layers":[{"id":"a","type":"circle","source":"s"}]}
            """#, to: "style.json")
        let run = await run("check", path)
        #expect(run.status == 3 && run.output.contains("source s: "), "\(run)")
        #expect(run.output.contains("nope.geojson: no such file"), "\(run)")
    }

    @Test func `imported styles and zooms that are no numbers are reported`() async {
        let path = write(
            #"""
            {"version":8,"sources":{},"imports":[{"id":"a","url":"b"}],
             "layers":[{"id":"a","type":"background","minzoom":"a"}]}
            """#, to: "style.json")
        let run = await run("check", path)
        #expect(run.status == 3 && run.output.contains("imports: not supported"), "\(run)")
        #expect(run.output.contains("minzoom: not a number"), "\(run)")
    }

    @Test func `check reports the same as JSON`() async throws {
        let run = await run("check", write(Self.faulty, to: "faulty.json"), "--json")
        let found = try #require(try JSON.parse(run.output)["findings"]?.array)
        #expect(found.map { $0["line"]?.int } == [5, 6] && found.map { $0["column"]?.int } == [14, 31])
        #expect(found[0]["layer"] == "a[2J" && found[0]["property"] == "line-width")
    }

    @Test(arguments: [
        (#"{"version": 8,"#, "line 1, column 15"), ("{\n \"layers\": 7}", "no \"layers\""),
        ("", "line 1, column 1"),
    ])
    func `checking a document that is not a style states the reason and the position`(
        content: String, words: String
    ) async {
        let run = await run("check", write(content, to: "bad.json"))
        #expect(
            run.status == 1 && run.errors.contains("bad.json") && run.errors.contains(words), "\(run.errors)")
    }

    @Test func `a hundred megabytes are rejected at once, with their kind`() async throws {
        let path = write("[", to: "huge.json")
        try #require(truncate(path, 100 << 20) == 0)
        for words in [["check", path], ["sets", path], ["convert", "maputnik", "-b", path]] {
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), ["style"] + words, environment: ["HOME": home.path])
            #expect(run.status == 1 && run.errors.contains("larger than 8 MiB"), "\(run.errors)")
        }
    }

    // MARK: Sets and export

    @Test func `sets are listed with type, count and verdict`() async throws {
        let path = write(
            #"""
            {"version":8,"sources":{"v":{"type":"vector"},"tomtom-chevron":{"type":"geojson"}},"layers":[
             {"id":"a","type":"line","source":"v","source-layer":"l"},{"id":"b","type":"sky","source":"v"}]}
            """#, to: "style.json")
        let rows = await run("sets", path).output.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows.prefix(3) == [
                "SOURCE TYPE LAYERS VERDICT", "v vector 1 line, 1 sky 1 not drawn",
                "tomtom-chevron geojson mandatory, it has 0 of 1 or 2 symbol layers; using Rhumb's own layers",
            ])
        #expect(rows.count == 9)
        let sets = try #require(try JSON.parse(await run("sets", path, "--json").output).array)
        let types: JSON = [["type": "line", "count": 1], ["type": "sky", "count": 1]]
        #expect(sets[0]["layerTypes"] == types && sets[0]["count"] == 2)
    }

    @Test(arguments: ["day", "night"])
    func `check finds nothing in an exported style`(name: String) async throws {
        #expect(await run("export", name, "-o", home.path + "/out.json").status == 0)
        let check = await run("check", home.path + "/out.json")
        #expect(check.status == 0 && check.output.contains("all supported"))
        let printed = await run("export", name).output
        #expect(printed + "\n" == text("out.json"))
    }

    @Test func `the user's own style is exported by its name, unchanged`() async throws {
        _ = write(Self.faulty + "\n", to: ".local/share/rhumb/style/mine.json")
        #expect(await run("export", "mine", "-o", home.path + "/out.json").status == 0)
        #expect(text("out.json") == Self.faulty + "\n")
        #expect(await run("export", "nobody").status == 1)
    }

    // MARK: Conversion

    private static let base = """
        {"version": 8.0, "sources": {"v": {"type": "vector", "tiles": ["https://tiles.example/{z}/{x}/{y}.pbf?key={key}&t={time}"]}},
         "layers": [{"id": "a", "type": "line", "source": "v", "source-layer": "l", "paint": {"line-width": 1.0}}]}
        """
    private static let key = ["RHUMB_KEY_TILES_EXAMPLE": "SECRETMARKER"]

    @Test
    func
        `keys are written only to styles converted for an editor, readable by their owner alone, and removed on the way back`()
        async throws
    {
        _ = write(Self.base + "\n", to: "base.json")
        let there = await run(
            "convert", "maputnik", "-w", home.path, "-b", "base.json", "-o", "there.json",
            environment: Self.key)
        #expect(there.status == 0 && there.output.isEmpty && there.errors.isEmpty, "\(there.errors)")
        #expect(text("there.json").contains("https://tiles.example/{z}/{x}/{y}.pbf?key=SECRETMARKER\""))
        var facts = stat()
        #expect(stat(home.path + "/there.json", &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        let back = await run(
            "convert", "tomtom", "-w", home.path, "-b", "base.json", "-e", "there.json", "-o", "back.json")
        #expect(back.status == 0, "\(back.errors)")
        #expect(text("back.json") == text("base.json"))
    }

    @Test func `keys are not written to standard output`() async {
        let path = write(Self.base, to: "base.json"),
            run = await run("convert", "maputnik", "-b", path, environment: Self.key)
        #expect(
            run.status == 1 && run.output.isEmpty && run.errors.contains("-o")
                && !run.errors.contains("SECRETMARKER"))
    }

    @Test(arguments: [
        ("Info.plist", "<plist><dict><key>MapKey</key><string>SECRETMARKER</string></dict></plist>"),
        (
            "AndroidManifest.xml",
            #"<manifest><meta-data android:name="OnlineMaps.Key" android:value="SECRETMARKER"/></manifest>"#
        ),
        ("config.json", #"{"keys": {"tiles": "SECRETMARKER"}} // mine"#),
    ])
    func `keys are read from the files of other programs`(name: String, content: String) async throws {
        let base = write(Self.base, to: "base.json"), keys = write(content, to: name)
        let run = await run(
            "convert", "maputnik", "-b", base, "-k", keys, "-s", "https://s.example/s", "-g",
            "https://g.example/g", "-v", "all",
            "-o", home.path + "/there.json")
        #expect(run.status == 0, "\(run.errors)")
        let there = try JSON.parse(text("there.json"))
        #expect(there["sprite"] == "https://s.example/s" && there["glyphs"] == "https://g.example/g")
        #expect(
            there["sources"]?["v"]?["tiles"] == ["https://tiles.example/{z}/{x}/{y}.pbf?key=SECRETMARKER"])
    }

    @Test func `a missing key is reported, unless silence was requested`() async {
        let path = write(Self.base, to: "base.json")
        let said = await run("convert", "maputnik", "-b", path),
            silent = await run("convert", "maputnik", "-S", "-b", path)
        #expect(
            said.status == 0 && said.errors.contains("no key for {key}") && said.output.contains("key={key}"))
        #expect(silent.status == 0 && silent.errors.isEmpty && silent.output == said.output)
    }

    @Test func `a base that doesn't belong to the edited style is rejected, and nothing is written`()
        async throws
    {
        let base = write(Self.base, to: "base.json"),
            other = write(Self.base.replacing("1.0", with: "2"), to: "other.json")
        _ = await run("convert", "maputnik", "-b", base, "-o", home.path + "/there.json")
        let back = await run(
            "convert", "tomtom", "-b", other, "-e", home.path + "/there.json", "-o", home.path + "/back.json")
        #expect(back.status == 1 && back.errors.contains("is not from this base"))
        #expect(!home.names.contains("back.json"))
    }

    @Test(arguments: [
        ["convert", "maputnik"], ["convert", "tomtom", "-b", "x"],
        ["convert", "maputnik", "-b", "x", "-e", "y"],
        ["convert", "tomtom", "-b", "x", "-e", "y", "-k", "z"], ["convert", "other", "-b", "x"],
        ["convert", "maputnik", "-b", "x", "-v", "some"],
    ])
    func `missing and misplaced options are explained`(words: [String]) async {
        let base = write(Self.base, to: "base.json")
        let run = await ProgramRun.of(
            TestProducts.path("rhumb"), ["style"] + words.map { $0 == "x" ? base : $0 },
            environment: ["HOME": home.path])
        #expect(run.status == 2 && !run.errors.isEmpty, "\(run.errors)")
    }
}
