import Glibc
import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests sets that carry maps from one machine to another, as the program writes and reads them.
struct TransferSetTests {
    private let here = TemporaryFolder(), there = TemporaryFolder()
    private let origin: LoopbackServer

    init() throws {
        origin = try LoopbackServer { request in
            // The last tile doesn't exist.
            request.target.hasPrefix("/2/3/") && request.target.contains("/1.png")
                ? LoopbackReply(404) : LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
        }
        let url = origin.url("/{z}/{x}/{y}.png")
        for (id, archives) in [("open", true), ("closed", false)] {
            sources += #"{"id": "\#(id)", "url": "\#(url)?\#(id)", "policy": "#
            sources += #"{"offline": "allowed", "archives": \#(archives)}},"#
        }
        here.write(Array("{\"sources\": [\(sources.dropLast())]}".utf8), to: ".config/rhumb/config.json")
    }

    private var sources = ""

    private func run(_ home: TemporaryFolder, _ words: [String]) async -> ProgramRun {
        let environment = ["HOME": home.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        return await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
    }

    private var set: String { here.path + "/set" }

    /// Creates a region of each source, a bookmark and a style, and exports them.
    private func export() async -> ProgramRun {
        for source in ["open", "closed"] {
            let added = await run(
                here, ["region", "add", source, "--source", source, "--bbox", "0,0,179,80", "--zooms", "0-2"])
            #expect(added.status == 0, "\(added.errors)")
        }
        #expect(await run(here, ["bookmark", "add", "a", "60.17,24.94", "--name", "Home"]).status == 0)
        here.write(Array(#"{"version": 8}"#.utf8), to: ".local/share/rhumb/style/winter.json")
        let overlay = here.write(Array("60,24".utf8), to: "stops.csv")
        return await run(here, ["area", "export", "-o", set, "--over", overlay])
    }

    @Test func `another machine imports all that may be shared, and shows it without a network`() async throws
    {
        let exported = await export()
        #expect(exported.status == 3 && exported.errors.contains("closed"), "\(exported.errors)")
        origin.stop()
        let imported = await run(there, ["area", "import", set])
        #expect(imported.status == 0 && imported.output.contains("1 region"), "\(imported.errors)")
        let shown = await run(there, ["region", "show", "open", "--json"])
        let json = try JSON.parse(Array(shown.output.utf8))
        #expect(json["state"]?.string == "complete" && json["absent"]?.int == 1, "\(shown.output)")
        #expect(await run(there, ["bookmarks"]).output.contains("Home"))
        #expect(there.text(".local/share/rhumb/style/winter.json") == #"{"version": 8}"#)
        #expect(there.text(".local/share/rhumb/overlays/stops.csv") == "60,24")
        let again = await run(there, ["area", "import", set])
        #expect(again.status == 3 && again.errors.contains("exists already"))
    }

    @Test func `tiles that don't exist are known on another machine, also after a failed update`()
        async throws
    {
        let isDown = Mutex(false)
        let server = try LoopbackServer { request in
            if isDown.withLock(\.self) { return LoopbackReply(403) }
            return request.target.hasSuffix("/1.png")
                ? LoopbackReply(404) : LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
        }
        let list = #"""
            {"sources": [{"id": "s", "url": "\#(server.url("/{z}/{x}/{y}.png"))",
                          "policy": {"offline": "allowed", "archives": true}}]}
            """#
        here.write(Array(list.utf8), to: ".config/rhumb/config.json")
        let added = await run(
            here, ["region", "add", "x", "--source", "s", "--bbox", "-80,1,80,60", "--zooms", "0-2"])
        #expect(added.status == 0, "\(added)")
        isDown.withLock { $0 = true }
        #expect(await run(here, ["region", "update", "x"]).status != 0)
        #expect(await run(here, ["area", "export", "-o", set]).status == 0)
        #expect(await run(there, ["area", "import", set]).status == 0)
        let shown = try JSON.parse(await run(there, ["region", "show", "x", "--json"]).output)
        #expect(shown["state"]?.string == "complete" && shown["absent"]?.int ?? 0 > 0, "\(shown)")
    }

    @Test func `an older set replaces no newer tiles, and its tiles keep their age`() async throws {
        let colour = Mutex(0x336699 as UInt32)
        let server = try LoopbackServer { _ in
            LoopbackReply(
                200, blankPicture(RGB(colour.withLock { $0 }), side: 256),
                headers: ["Cache-Control": "max-age=1"])
        }
        let list = #"""
            {"sources": [{"id": "s", "url": "\#(server.url("/{z}/{x}/{y}.png"))",
                          "policy": {"offline": "allowed", "archives": true}}]}
            """#
        for home in [here, there] { home.write(Array(list.utf8), to: ".config/rhumb/config.json") }
        func add(_ home: TemporaryFolder, _ id: String, _ box: String) async {
            let run = await run(
                home, ["region", "add", id, "--source", "s", "--bbox", box, "--zooms", "2-2"])
            #expect(run.status == 0, "\(run)")
        }
        await add(here, "x", "-80,1,80,60")
        #expect(await run(here, ["area", "export", "-o", set]).status == 0)
        // The tiles of the other machine are received in a later second.
        try await Task.sleep(for: .seconds(2))
        colour.withLock { $0 = 0xCC3333 }
        await add(there, "y", "1,1,80,60")
        func received() async throws -> JSON? {
            let why = await run(there, ["region", "why", "y", "2/2/1", "--json"])
            return try JSON.parse(why.output).array?.first?["receivedAt"]
        }
        let before = try await received()
        let imported = await run(there, ["area", "import", set])
        #expect(imported.status == 0, "\(imported)")
        let after = try await received()
        #expect(before != nil && after == before)
        let kept = try JSON.parse(await run(there, ["region", "why", "x", "2/1/1", "--json"]).output)
        let original = try JSON.parse(await run(here, ["region", "why", "x", "2/1/1", "--json"]).output)
        let time = original.array?.first?["receivedAt"]
        #expect(time != nil && kept.array?.first?["receivedAt"] == time, "\(kept)")
    }

    @Test func `an imported region is updated without fetching unchanged tiles again`() async throws {
        let bodies = Mutex(0), confirmations = Mutex(0)
        let server = try LoopbackServer { request in
            let tag = "\"\(request.target)\""
            if request.header("If-None-Match") == tag {
                confirmations.withLock { $0 += 1 }
                return LoopbackReply(304, headers: ["ETag": tag])
            }
            bodies.withLock { $0 += 1 }
            return LoopbackReply(
                200, blankPicture(RGB(0x336699), side: 256),
                headers: ["ETag": tag, "Cache-Control": "max-age=0"])
        }
        let list = #"""
            {"sources": [{"id": "s", "url": "\#(server.url("/{z}/{x}/{y}.png"))",
                          "policy": {"offline": "allowed", "archives": true}}]}
            """#
        for home in [here, there] { home.write(Array(list.utf8), to: ".config/rhumb/config.json") }
        let added = await run(
            here, ["region", "add", "x", "--source", "s", "--bbox", "-80,1,80,60", "--zooms", "0-2"])
        #expect(added.status == 0, "\(added)")
        let count = bodies.withLock { $0 }
        #expect(await run(here, ["area", "export", "-o", set]).status == 0)
        #expect(await run(there, ["area", "import", set]).status == 0)
        let updated = await run(there, ["region", "update", "x"])
        #expect(updated.status == 0, "\(updated)")
        #expect(count > 0 && bodies.withLock { $0 } == count && confirmations.withLock { $0 } >= count)
    }

    @Test func `an area is exported with its regions and files, and opens on another machine`() async throws {
        _ = await export()
        let track = here.write(Array("<gpx version=\"1.1\"/>".utf8), to: "walk.gpx")
        let made = await run(
            here,
            [
                "area", "create", "hike", "open", "--over", track, "--style",
                here.path + "/.local/share/rhumb/style/winter.json", "--grid", "mgrs", "--bookmarks", "a",
            ])
        #expect(made.status == 0, "\(made.errors)")
        let file = here.path + "/hike.tar"
        let exported = await run(here, ["area", "export", "hike", "-o", file])
        #expect(exported.status == 0, "\(exported.errors)")
        let imported = await run(there, ["area", "import", file])
        #expect(imported.status == 0 && imported.output.contains("area hike"), "\(imported.errors)")
        let area = try JSON.parse(await run(there, ["area", "show", "hike", "--json"]).output)
        let data = there.path + "/.local/share/rhumb"
        #expect(area["regions"] == ["open"] && area["overlays"] == [.string(data + "/overlays/walk.gpx")])
        #expect(area["style"] == .string(data + "/style/winter.json") && area["bookmarks"] == "a")
        #expect(await run(there, ["bookmarks"]).output.contains("Home"))
        let again = await run(there, ["area", "import", file])
        #expect(again.status == 3 && again.errors.contains("area hike: the name is in use"))
        #expect(await run(here, ["area", "export", "nowhere", "-o", file]).status == 1)
        #expect(await run(here, ["area", "export"]).status == 2)
    }

    @Test func `a map or overlay that can't be carried is named`() async throws {
        here.write([1], to: "folder/x")
        let overlays = [here.path + "/folder", here.write([1], to: "two words.gpx")]
        let made = await run(here, ["area", "create", "hike"] + overlays.flatMap { ["--over", $0] })
        #expect(made.status == 0, "\(made.errors)")
        let exported = await run(here, ["area", "export", "hike", "-o", set])
        #expect(exported.status == 3 && exported.errors.contains("it is a folder"), "\(exported.errors)")
        #expect(exported.errors.contains("rename it"))
    }

    @Test func `files that a set does not list, and invalid bookmarks, are named`() async throws {
        _ = await export()
        here.write(Array("x".utf8), to: "set/styles/stray.json")
        here.write(Array("y".utf8), to: "set/notes/more.txt")
        // The list has the sum of the new content.
        let sum = "07ddecfeca66251b60a90c6a55cc1e10f34e7dac6b53e81fe262c573ad387018"
        let old = try JSON.parse(Array(here.text("set/set.json").utf8)), files = old["files"]?.array ?? []
        let entry = try #require(files.first { $0["path"]?.string == "bookmarks.json" })
        let changed: JSON = ["path": "bookmarks.json", "bytes": 8, "sha256": .string(sum)]
        here.write(Array("[1, junk".utf8), to: "set/bookmarks.json")
        here.write(Array(old.text.replacing(entry.text, with: changed.text).utf8), to: "set/set.json")
        let imported = await run(there, ["area", "import", set])
        #expect(imported.status == 3, "\(imported.output) \(imported.errors)")
        #expect(imported.errors.contains("bookmarks.json"), "\(imported.errors)")
        #expect(imported.errors.contains("1 more files: the set does not list them"), "\(imported.errors)")
    }

    @Test func `a damaged or incomplete set is not imported at all`() async throws {
        _ = await export()
        let list = here.text("set/set.json"), style = here.text("set/styles/winter.json")
        for isMissing in [false, true] {
            here.write(Array("x".utf8), to: "set/styles/winter.json")
            if isMissing { here.remove("set/styles/winter.json") }
            let refused = await run(there, ["area", "import", set])
            #expect(
                refused.status == 1 && refused.errors.contains("nothing was imported"), "\(refused.errors)")
        }
        here.write(Array(style.utf8), to: "set/styles/winter.json")
        for path in [
            "../../../etc/passwd", "/etc/passwd", "styles/../../x", "styles//x", ".hidden", "a\\\\b", "",
        ] {
            here.write(Array(list.replacing("styles/winter.json", with: path).utf8), to: "set/set.json")
            let refused = await run(there, ["area", "import", set])
            #expect(
                refused.status == 1 && refused.errors.contains("not allowed"), "\(path): \(refused.errors)")
        }
        here.write(Array(list.utf8), to: "set/set.json")
        here.remove("set/styles/winter.json")
        symlink(here.write(Array(style.utf8), to: "elsewhere.json"), set + "/styles/winter.json")
        #expect(await run(there, ["area", "import", set]).errors.contains("not allowed"))
        here.remove("set/set.json")
        #expect(await run(there, ["area", "import", set]).errors.contains("not a complete set"))
        let nothing = await run(there, ["region", "list"])
        #expect(nothing.output.contains("No regions yet"))
        #expect(there.text(".local/share/rhumb/bookmarks.json").isEmpty)
    }

    @Test func `a set in a single file is imported, and other programs can unpack it`() async throws {
        _ = await export()
        let file = here.path + "/all.tar"
        let exported = await run(here, ["area", "export", "-o", file])
        #expect(exported.status == 3 && exported.errors.contains("closed"), "\(exported.errors)")
        #expect(here.names.filter { $0.hasPrefix("all") } == ["all.tar"])
        #expect(await run(here, ["area", "export", "-o", file]).errors.contains("exists"))
        let listed = await ProgramRun.of("/bin/tar", ["-tf", file])
        #expect(
            listed.status == 0 && listed.output.hasSuffix("\nset.json"), "\(listed.output) \(listed.errors)")
        let imported = await run(there, ["area", "import", file])
        #expect(imported.status == 0 && imported.output.contains("1 region"), "\(imported.errors)")
        #expect(await run(there, ["bookmarks"]).output.contains("Home"))
        #expect(there.everyFile.allSatisfy { !$0.contains(".part") }, "\(there.everyFile)")
        // An archive of the folder by another program is a set, too.
        let third = TemporaryFolder(), packed = here.path + "/packed.tar"
        #expect(await ProgramRun.of("/bin/tar", ["-cf", packed, "-C", set, "."]).status == 0)
        let again = await run(third, ["area", "import", packed])
        #expect(again.status == 0 && again.output.contains("1 region"), "\(again.errors)")
    }

    @Test func `a damaged archive, and one with other paths, is not imported at all`() async throws {
        _ = await export()
        _ = await run(here, ["area", "export", "-o", here.path + "/all.tar"])
        let whole = here.bytes("all.tar")
        func check(_ bytes: [UInt8], _ words: String) async {
            here.write(bytes, to: "bad.tar")
            let refused = await run(there, ["area", "import", here.path + "/bad.tar"])
            #expect(refused.status == 1 && refused.errors.contains(words), "\(refused.errors)")
            #expect(refused.errors.contains("nothing was imported") || words.contains("set.json"))
        }
        for count in [0, 100, 512, 700, whole.count / 2, whole.count - 1024] {
            await check(Array(whole.prefix(count)), "incomplete")
        }
        var changed = whole
        changed[20] ^= 1
        await check(changed, "damaged")
        changed = whole
        changed[600] ^= 1
        await check(changed, "checksum is wrong")
        await check(Array("PMTiles".utf8) + [UInt8](repeating: 7, count: 1000), "damaged")
        await check([UInt8](repeating: 0, count: 1024), "set.json")
        here.write(Array("x".utf8), to: "evil")
        symlink("/etc/passwd", here.path + "/link")
        for words in [
            ["-P", "--transform", "s,evil,../evil,", "evil"],
            ["-P", "--transform", "s,evil,/tmp/evil,", "evil"],
            ["link"], ["evil", "evil"], ["--transform", "s,evil,a/.b,", "evil"],
        ] {
            let packed = await ProgramRun.of(
                "/bin/tar", ["-cf", here.path + "/evil.tar", "-C", here.path] + words)
            #expect(packed.status == 0, "\(packed.errors)")
            await check(here.bytes("evil.tar"), "not allowed")
        }
        #expect(await run(there, ["region", "list"]).output.contains("No regions yet"))
        #expect(
            there.everyFile.allSatisfy { !$0.contains(".part") && !$0.contains("evil") }, "\(there.everyFile)"
        )
    }

    @Test func `an area is left out if its region is another one here`() async {
        #expect(await export().status == 3)
        #expect(await run(here, ["area", "create", "trip", "open"]).status == 0)
        #expect(await run(here, ["area", "export", "trip", "-o", set + "2"]).status == 0)
        there.write(here.bytes(".config/rhumb/config.json"), to: ".config/rhumb/config.json")
        let other = ["region", "add", "open", "--source", "open", "--bbox", "0,0,10,10", "--zooms", "0-1"]
        #expect(await run(there, other).status == 0)
        let imported = await run(there, ["area", "import", set + "2"])
        #expect(imported.status == 3 && imported.errors.contains("another region of this id exists already"))
        #expect(imported.errors.contains("area trip: its region open is left out"), "\(imported.errors)")
        #expect(await !run(there, ["area", "list"]).output.contains("trip"))
    }

    @Test(arguments: [".", "/"])
    func `an export into an empty folder removes the files of a killed one`(ending: String) async throws {
        #expect(await run(here, ["bookmark", "add", "a", "60.17,24.94", "--name", "Home"]).status == 0)
        // No process has this number.
        here.write([1], to: "set/set.json.rhumb-4999999-0.part/regions/a/0.pmtiles")
        let outcome = await run(here, ["area", "export", "-o", set + (ending == "." ? "" : ending)])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(access(set + "/set.json", F_OK) == 0)
        #expect(here.everyFile.allSatisfy { !$0.contains(".part") }, "\(here.everyFile)")
    }

    @Test func `a folder with other files is not overwritten`() async {
        here.write([1], to: "set/own")
        let refused = await run(here, ["area", "export", "-o", set])
        #expect(refused.status == 1 && refused.errors.contains("is not empty"))
    }
}
