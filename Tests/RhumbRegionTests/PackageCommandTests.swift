import Glibc
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the package commands for a user who has configured a publisher's catalogue.
struct PackageCommandTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws { (publisher, box) = try Self.configured() }

    private func json(_ words: String...) async throws -> JSON {
        let run = await ProgramRun.of(
            CommandFixture.program, words + ["--json"] + box.places, environment: box.environment)
        return try box.json(run)
    }

    private func status(of id: String) async throws -> String? {
        try await json("package", "tree").array?.first { $0["id"]?.string == id }?["status"]?.string
    }

    /// Holds an archive except for its beginning.
    private func hold(_ name: String) -> LoopbackGate {
        let gate = LoopbackGate()
        publisher.intervene { [publisher] request in
            guard request.target == "/\(name).pmtiles",
                request.header("Range")?.hasPrefix("bytes=0-") == false
            else { return nil }
            return publisher.usualReply(to: request).with { $0.gate = gate }
        }
        return gate
    }

    private var errors: String { String(decoding: box.folder.bytes("errors.txt"), as: UTF8.self) }

    private func asked(for name: String) async {
        #expect(await eventually { publisher.box.host.server.count("/\(name).pmtiles") >= 2 })
    }

    // MARK: Listing packages

    @Test func `the tree shows the hierarchy, and the sizes`() async throws {
        let tree = await run("package", "tree")
        let lines = tree.output.split(separator: "\n").map(String.init)
        #expect(tree.status == 0 && lines.count == 5)
        #expect(
            lines[1].hasPrefix("world ") && lines[2].hasPrefix("  land ") && lines[3].hasPrefix("    North "))
        #expect(lines[3].contains("up to 100 kB") && !lines[3].contains("installed"))
        let some = try await json("package", "tree", "north").array
        #expect(some?.map { $0["id"]?.string } == ["north"] && some?.first?["parent"]?.string == "land")
        #expect(some?.first?["catalog"]?.string == "test" && some?.first?["isMeasured"]?.bool == false)
    }

    @Test func `packages are found by place and by name`() async throws {
        #expect(try await json("package", "at", "15,10").array?.first?["id"]?.string == "north")
        let sea = await run("package", "at", "-40,10")
        #expect(sea.status == 1 && sea.errors.contains("the nearest is south"))
        #expect(try await json("package", "search", "sou").array?.first?["id"]?.string == "south")
        let none = await run("package", "search", "new", "atlantis")
        #expect(none.status == 1 && none.errors.contains("no package matches new atlantis"))
    }

    // MARK: Installing

    @Test func `a plan fetches nothing, and its packages are installed by one command`() async throws {
        let plan = await run("package", "plan", "land")
        #expect(plan.status == 0 && plan.output.contains("total up to 200 kB"))
        #expect(publisher.box.host.server.count("/north.pmtiles") == 0)
        let made = try await json("package", "install", "north", "south")
        #expect(made["result"]?.string == "success" && made["packages"]?.array?.count == 2)
        #expect(try await status(of: "land") == "explicit")
        #expect(await run("package", "install", "land").output == "Already installed")
        #expect(await run("package", "uninstall", "south").output == "removed south")
        #expect(try await status(of: "land") == "partial")
    }

    @Test
    func `a source with unclear terms is installed only after the user's confirmation`()
        async throws
    {
        let tiles = publisher.box.host.server.url("/t/{z}/{x}/{y}.png")
        for tile in TileID.pyramid(0...1) { publisher.serve(TileHost.body(tile), at: "/t/\(tile).png") }
        let source =
            #"{"id": "mine", "url": "\#(tiles)", "policy": {"offline": "ask", "policyURL": "https://maps.example/terms"}}"#
        box.folder.write(
            Array(#"{"catalog": ["\#(publisher.address)"], "sources": [\#(source)]}"#.utf8), to: "config.json"
        )
        publisher.catalog(
            #"{"id": "open", "parent": "world", "area": [-180, -85, 180, 85], "source": "mine", "zooms": [0, 1]}"#
        )
        #expect(await run("package", "plan", "open").output.contains("don't say whether"))
        let refused = await run("package", "install", "open")
        #expect(
            refused.status == 1 && refused.errors.contains("don't say whether")
                && refused.errors.contains("https://maps.example/terms")
                && refused.errors.contains("--permitted"), "\(refused)")
        #expect(
            try await status(of: "open") == "none" && publisher.box.host.server.count("/t/0/0/0.png") == 0)
        let permitted = await run("package", "install", "open", "--permitted")
        #expect(permitted.status == 0, "\(permitted)")
        #expect(try await status(of: "open") == "explicit")
    }

    @Test func `packages over the pack limit of their source are rejected, with how to free packs`()
        async throws
    {
        let tiles = publisher.box.host.server.url("/t/{z}/{x}/{y}.png")
        for zoom in [0, 6] { publisher.serve(TileHost.body(.at(zoom, 0, 0)), at: "/t/\(zoom)/0/0.png") }
        let source = #"{"id": "mine", "url": "\#(tiles)", "policy": {"offline": "allowed", "packLimit": 1}}"#
        box.folder.write(
            Array(#"{"catalog": ["\#(publisher.address)"], "sources": [\#(source)]}"#.utf8), to: "config.json"
        )
        publisher.catalog(
            """
            {"id": "first", "parent": "world", "area": [-180, 84.8, -178, 85], "source": "mine", "zooms": [0, 0]},
            {"id": "second", "parent": "world", "area": [-180, 84.8, -178, 85], "source": "mine", "zooms": [6, 6]}
            """)
        let installed = await run("package", "install", "first")
        #expect(installed.status == 0, "\(installed)")
        let refused = await run("package", "install", "second")
        let sentence =
            "the pack limit of mine is reached (1 more needed, 0 of 1 left): uninstall a package or remove a region of that source; see rhumb region list"
        #expect(refused.status == 1 && refused.errors.contains(sentence), "\(refused)")
        #expect(
            try await status(of: "second") == "none" && publisher.box.host.server.count("/t/6/0/0.png") == 0)
        let freed = await run("package", "uninstall", "first")
        #expect(freed.status == 0, "\(freed)")
        let second = await run("package", "install", "second")
        #expect(second.status == 0, "\(second)")
    }

    @Test func `installed packages are known without a server, with the attribution of their tiles`()
        async throws
    {
        #expect(await run("package", "install", "north").status == 0)
        publisher.box.host.server.stop()
        let state = await run("package", "status")
        #expect(
            state.status == 0 && state.output.contains("north") && state.output.contains("installed")
                && state.output.contains("85/85"))
        #expect(
            await run("region", "list").output.contains(
                "North, package north of the catalogue test, edition 1"))
        #expect(
            await run("cache", "why", "1/0/0").output.contains(
                "stored in package north of the catalogue test (North), edition 1"))
        let doctor = await ProgramRun.of(
            CommandFixture.program, ["doctor", "--data-path", box.folder.path + "/data"],
            environment: box.environment)
        #expect(doctor.output.contains("0 regions, 1 package"))
        #expect(try await status(of: "north") == "explicit")
    }

    @Test(arguments: ["remove", "update", "resume", "rename"])
    func `the region commands don't change a package`(verb: String) async throws {
        #expect(await run("package", "install", "north").status == 0)
        let words = ["region", verb, "package-test.north"] + (verb == "rename" ? ["other"] : [])
        let refused = await ProgramRun.of(
            CommandFixture.program, words + box.places, environment: box.environment)
        #expect(
            refused.status == 1
                && refused.errors.contains("is package north of the catalogue test; use rhumb package"))
        #expect(try await status(of: "north") == "explicit")
        #expect(await run("region", "check", "package-test.north").status == 0)
    }

    @Test func `the remedies for a package are package commands`() async throws {
        #expect(await run("package", "install", "north").status == 0)
        try Connection(box.storePath, .readWrite).run("DELETE FROM entries WHERE z = 3 AND x = 0 AND y = 0")
        let check = await run("region", "check", "package-test.north")
        #expect(check.status == 3 && check.output.contains("run rhumb package repair"), "\(check)")
        let why = await run("region", "why", "package-test.north", "3/0/0")
        #expect(why.output.contains("run rhumb package repair"), "\(why)")
        #expect(await run("package", "repair").status == 0)
        #expect(await run("region", "check", "package-test.north").status == 0)
    }

    @Test func `a damaged document of a package is reported as damaged, with its repair`() async throws {
        #expect(await run("package", "install", "north").status == 0)
        try Connection(box.storePath, .readWrite).run(
            "UPDATE bodies SET bytes = substr(bytes, 1, 30) WHERE id IN (SELECT body FROM entries WHERE z = -1)"
        )
        let check = await run("area", "check", "north")
        #expect(check.status == 3 && check.output.contains("a document of its map is damaged: "), "\(check)")
        #expect(check.output.contains("run rhumb package repair"), "\(check)")
    }

    @Test func `a user's region can't have the id of a package`() async throws {
        box.configure()
        let refused = await box.run(["add", "package-test.home", "--source", "web"] + CommandFixture.area)
        #expect(refused.status == 1 && refused.errors.contains("is package home of the catalogue test"))
    }

    @Test func `when interrupted by a signal it names the next command, and only the rest is fetched`()
        async throws
    {
        let gate = hold("south"), child = start("package", "install", "north", "south")
        await asked(for: "south")
        child.send(SIGINT)
        #expect(await box.end(of: child) == 130)
        gate.open()
        publisher.intervene { _ in nil }
        #expect(errors.contains("interrupted; resume with rhumb package install north south"))
        #expect(try await status(of: "north") == "explicit")
        let before = publisher.box.host.server.count("/north.pmtiles")
        let rest = await run("package", "install", "north", "south")
        #expect(rest.output == "installed south", "\(rest)")
        #expect(publisher.box.host.server.count("/north.pmtiles") == before)
    }

    @Test func `on a metered connection a package names its resume, and exits with 3`() async throws {
        let metered = await run("package", "install", "north", "--metered")
        #expect(metered.status == 3 && metered.errors.contains("because the connection is metered"))
        #expect(metered.errors.contains("resume with rhumb package resume"))
        #expect(await run("package", "resume").output == "finished north")
    }

    @Test func `another process can watch and stop a detached installation`() async throws {
        let gate = hold("north"), begun = await run("package", "install", "north", "--detach")
        #expect(begun.status == 0 && begun.output.contains("See the progress with rhumb package list"))
        await asked(for: "north")
        let busy = await run("package", "status")
        #expect(busy.status == 3 && busy.output.contains("running, process"))
        #expect(await run("package", "cancel").output.hasPrefix("Cancelled the running operation (process"))
        gate.open()
        let isStopped = try await eventually {
            try await json("package", "status")["packages"]?.array?.first?["worker"]?.int == nil
        }
        publisher.intervene { _ in nil }
        // It releases the package before it ends.
        var rest = await run("package", "install", "north")
        let isOver = await eventually {
            if rest.errors.contains("wait until that is finished") {
                rest = await run("package", "install", "north")
            }
            return !rest.errors.contains("wait until that is finished")
        }
        #expect(isStopped && isOver && rest.status == 0)
        #expect(try await status(of: "north") == "explicit")
    }

    @Test func `while one process changes packages another may only read`() async throws {
        let gate = hold("north"), child = start("package", "install", "north")
        await asked(for: "north")
        let refused = await run("package", "install", "south", "--json")
        #expect(refused.status == 1 && refused.errors.contains("packages are being installed by process"))
        #expect(try box.json(refused)["result"]?.string == "busy")
        #expect(await run("package", "tree").status == 0)
        gate.open()
        #expect(await box.end(of: child) == 0)
        #expect(await run("package", "install", "south").status == 0)
    }

    @Test func `missing tiles make it exit with 3, and the other tiles are fetched`()
        async throws
    {
        publisher.intervene { request in
            request.target == "/north.pmtiles" && request.header("Range")?.hasPrefix("bytes=0-") == false
                ? LoopbackReply(404) : nil
        }
        let made = await run("package", "install", "north", "south")
        #expect(made.status == 3 && made.errors.contains("north: 85 tiles failed"))
        publisher.intervene { _ in nil }
        #expect(await run("package", "install", "land").output == "installed north")
    }

    @Test func `without a catalogue the packages are the countries of a source that allows downloads`()
        async throws
    {
        box.configure(zooms: 0...3)
        let found = try await json("package", "at", "60.17,24.94").array?.first
        #expect(found?["catalog"]?.string == "web" && found?["title"]?.string?.isEmpty == false)
        let id = try #require(found?["id"]?.string)
        #expect(await run("package", "install", id).output == "installed \(id)")
        #expect(try await json("package", "search", "Finland").array?.first?["id"]?.string == "finland")
        box.configure(#"{"offline":"ask"}"#)
        #expect(await run("package", "uninstall", id).status == 0)
        #expect(
            try await json("package", "at", "60.17,24.94").array?.first?["catalog"]?.string == "protomaps")
    }

    @Test func `after it was killed, the same command continues`() async throws {
        let gate = hold("north"), child = start("package", "install", "north")
        await asked(for: "north")
        child.kill()
        gate.open()
        let state = await run("package", "status")
        #expect(state.status == 3 && state.output.contains("resume with rhumb package resume"))
        #expect(await run("package", "resume").output == "finished north")
        #expect(await run("package", "status").status == 0)
        #expect(await run("package", "resume").output == "Nothing to resume")
    }

    // MARK: Updating

    @Test func `updates are found, measured and applied`() async throws {
        #expect(await run("package", "install", "land").status == 0)
        #expect(await run("update", "check").output == "All packages are up to date")
        #expect(await run("update", "apply").output == "All packages are up to date")
        publisher.publishCountries(edition: 2)
        let found = try await json("update", "check")
        #expect(
            found["packages"]?.array?.map { $0["to"]?.string } == ["2", "2"]
                && found["isUpToDate"]?.bool == false)
        let size = await run("update", "size")
        #expect(size.output.contains("up to 200 kB to fetch") && size.output.contains("the whole package"))
        #expect(await run("package", "status").output.contains("edition"))
        for conditions in [["--max-bytes", "1"], ["--if-unmetered", "--metered"]] {
            let words = ["update", "apply"] + conditions + box.places
            let run = await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
            #expect(run.status == 3 && run.output.contains("Update postponed: "), "\(run.output)")
        }
        #expect(await run("update", "apply", "--max-bytes", "1GB").output == "updated north, south")
        #expect(try await json("update", "check")["isUpToDate"]?.bool == true)
    }

    @Test func `a schedule is printed with its conditions`() async throws {
        let run = await run("update", "schedule", "--max-bytes", "2MB")
        let command = "update apply --if-unmetered --if-idle --max-bytes 2000000 --quiet"
        #expect(run.status == 0 && run.output.contains("ExecStart=/") && run.output.contains("OnCalendar="))
        #expect(run.output.split(separator: "\n").count { $0.hasSuffix(command) } == 2, "\(run.output)")
    }

    @Test func `an interrupted update is reported and continued`() async throws {
        #expect(await run("package", "install", "north").status == 0)
        publisher.publishCountries(edition: 2)
        let before = publisher.box.host.server.count("/north.pmtiles"), gate = hold("north")
        let child = start("update", "apply")
        #expect(await eventually { publisher.box.host.server.count("/north.pmtiles") >= before + 2 })
        child.kill()
        gate.open()
        publisher.intervene { _ in nil }
        #expect(await run("region", "check", "package-test.north").status == 0)
        #expect(await run("update", "apply").output == "updated north")
        #expect(try await json("update", "check")["isUpToDate"]?.bool == true)
    }

    @Test
    func `with nothing installed a check lists the sources in the cache, and an update revalidates them`()
        async throws
    {
        let host = try EditionHost("png") { tile, edition in TileHost.body(tile, edition) }
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, words + host.box.places, environment: host.box.environment)
        }
        #expect(
            await run("update", "check").output
                == "No packages are installed, and the cache holds no source that could be updated")
        #expect(await run("render", host.address, "--size", "20x5").status == 0)
        let checked = await run("update", "check")
        #expect(
            checked.output
                == "No packages are installed. rhumb update apply revalidates 1 source in the cache: \(host.address)",
            "\(checked)")
        #expect(
            await run("update", "apply").output
                == "No packages are installed. Sources in the cache: 1 up to date")
        host.publish()
        let updated = await run("update", "apply")
        #expect(
            updated.output == "No packages are installed. Sources in the cache: 1 updated (\(host.address))",
            "\(updated)")
        let again = await run("update", "apply", "--json")
        #expect(
            try host.box.json(again)["cachedSources"]?.array?.map { $0["outcome"]?.string } == ["current"])
        host.box.host.server.stop()
        let lost = await run("update", "apply")
        #expect(
            lost.status == 3 && lost.output.contains("1 not checked")
                && lost.output.contains("connection refused"), "\(lost)")
    }

    // MARK: Failures

    @Test func `an impossible request is reported with a remedy, and changes nothing`() async throws {
        let unknown = await run("package", "install", "nroth")
        #expect(unknown.status == 1 && unknown.errors.contains("did you mean north?"))
        let offline = await run("package", "install", "north", "--offline")
        #expect(offline.status == 1 && offline.errors.contains("omit --offline"))
        let small = await run("package", "install", "north", "--region-quota", "1000", "--json")
        #expect(small.status == 1 && small.output.contains("insufficientStorage"))
        #expect(try box.number("SELECT count(*) FROM regions") == 0)
        let denied = #"{"sources":[{"id":"protomaps","url":"https://tiles.example/{z}/{x}/{y}.png"}]}"#
        box.folder.write(Array(denied.utf8), to: "config.json")
        let none = await run("package", "tree")
        #expect(none.status == 1 && none.errors.contains("use --catalog URL"))
    }
}
