import Glibc
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests packages of two publishers, in the shell of a user who has configured the catalogue of one.
struct SeveralCatalogsTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws { (publisher, box) = try Self.configured() }

    @Test func `if several catalogues have a package, one must be named`() async throws {
        let other = try PackageFixture()
        other.serve(
            Array(
                #"{"rhumb-catalog": 1, "id": "other", "packages": [{"id": "world"}, {"id": "north", "parent": "world", "archive": "north.pmtiles"}]}"#
                    .utf8),
            at: "/catalog.json")
        let both = ["--catalog", publisher.address, "--catalog", other.address]
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, words + both + box.places, environment: box.environment)
        }
        #expect(await run("package", "tree").output.split(separator: "\n").count == 8)
        let unclear = await run("package", "plan", "north")
        #expect(unclear.status == 1)
        #expect(unclear.errors.contains("choose one with --catalog \(publisher.address)"), "\(unclear)")
        #expect(await run("package", "plan", "south").status == 0)
        // Installed packages are shown in and uninstalled from their own catalogue, even if another is named.
        #expect(await run("package", "tree", "north").errors.contains("choose one with --catalog"))
        #expect(await self.run("package", "install", "north").status == 0)
        let shown = await run("package", "tree", "north")
        #expect(shown.status == 0 && shown.output.contains("installed"))
        let gone = await ProgramRun.of(
            CommandFixture.program,
            ["package", "uninstall", "north", "--catalog", other.address] + box.places,
            environment: box.environment)
        #expect(gone.output == "removed north", "\(gone)")
        other.box.host.server.stop()
        let one = await run("package", "search", "south")
        #expect(one.status == 0 && one.output.contains("South"))
    }

    @Test func `packages of an unavailable catalogue are not confused with another's, and can be removed`()
        async throws
    {
        let other = try PackageFixture()
        other.serve(
            Array(
                #"{"rhumb-catalog": 1, "id": "other", "packages": [{"id": "all"}, {"id": "north", "parent": "all", "archive": "north.pmtiles"}]}"#
                    .utf8),
            at: "/catalog.json")
        // The catalogue must not be stored.
        publisher.intervene { [publisher] request in
            guard request.target == "/catalog.json" else { return nil }
            return publisher.usualReply(to: request).with { reply in
                reply.headers.removeAll { $0.name == "Cache-Control" }
                reply.headers.append(("Cache-Control", "no-store"))
            }
        }
        #expect(await run("package", "install", "north").status == 0)
        publisher.box.host.server.stop()
        func change(_ words: [String]) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, ["package"] + words + box.places, environment: box.environment)
        }
        other.publish("north")
        let second = await change(["install", "north", "--catalog", other.address])
        #expect(second.status == 0, "\(second)")
        let both = await change([
            "uninstall", "north", "--catalog", other.address, "--catalog", publisher.address,
        ])
        #expect(both.status == 1, "\(both)")
        let group = await change([
            "uninstall", "all", "--catalog", other.address, "--catalog", publisher.address,
        ])
        #expect(group.status == 1 && !group.errors.contains("no package"), "\(group)")
        #expect(try box.number("SELECT count(*) FROM regions") == 2)
        #expect(await change(["uninstall", "north", "--catalog", other.address]).status == 0)
        #expect(try box.number("SELECT count(*) FROM regions WHERE id LIKE '%-test.north'") == 1)
        // Only the package of the unavailable catalogue is left.
        let last = await change(["uninstall", "north", "--catalog", other.address])
        #expect(last.output == "removed north", "\(last)")
        #expect(try box.number("SELECT count(*) FROM regions") == 0)
    }

    @Test(arguments: [#"{"rhumb-catalog":1,"#, #"{"other": 1}"#, nil])
    func `a named catalogue that can't be read is an error, even if another has the package`(
        text: String?
    ) async throws {
        let other = try PackageFixture()
        if let text { other.serve(Array(text.utf8), at: "/catalog.json") }
        #expect(await run("package", "install", "north").status == 0)
        for (verb, id) in [("install", "south"), ("install", "north"), ("plan", "north")] {
            let words = ["package", verb, id, "--catalog", other.address] + box.places
            let run = await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
            #expect(run.status != 0 && run.output.isEmpty && !run.errors.isEmpty, "\(verb) \(id): \(run)")
        }
        #expect(try box.number("SELECT count(*) FROM regions") == 1)
    }

    @Test func `a signal ends a command for several catalogues after its first operation has ended`()
        async throws
    {
        let other = try PackageFixture(), gate = LoopbackGate()
        other.serve(
            Array(
                #"{"rhumb-catalog": 1, "id": "other", "packages": [{"id": "all"}, {"id": "east", "parent": "all", "archive": "east.pmtiles"}]}"#
                    .utf8),
            at: "/catalog.json")
        other.publish("east")
        other.intervene { [other] request in
            guard request.target == "/east.pmtiles", request.header("Range")?.hasPrefix("bytes=0-") == false
            else { return nil }
            return other.usualReply(to: request).with { $0.gate = gate }
        }
        let both = ["--catalog", publisher.address, "--catalog", other.address]
        let first = start("package", "install", "east", "--catalog", other.address)
        #expect(await eventually { other.box.host.server.count("/east.pmtiles") >= 2 })
        first.send(SIGINT)
        #expect(await box.end(of: first) == 130)
        #expect(await run("package", "install", "north").status == 0)
        let before = other.box.host.server.count("/east.pmtiles")
        let second = ChildProgram(
            CommandFixture.program, ["package", "resume"] + both + box.places, environment: box.environment,
            errors: box.folder.path + "/errors.txt")
        #expect(await eventually { other.box.host.server.count("/east.pmtiles") > before })
        second.send(SIGTERM)
        #expect(await box.end(of: second) == 128 + SIGTERM)
        gate.open()
        let errors = String(decoding: box.folder.bytes("errors.txt"), as: UTF8.self)
        #expect(errors.contains("interrupted; resume with rhumb package resume"), "\(errors)")
    }

    @Test func `a package that its catalogue no longer has is reported, checked and removed`() async throws {
        #expect(await run("package", "install", "north", "south").status == 0)
        publisher.catalog(#"{"id": "south", "parent": "world", "archive": "south.pmtiles"}"#)
        let check = await run("update", "check")
        #expect(check.status == 0 && check.output.contains("No longer in the catalogue"), "\(check)")
        let checked = await run("update", "check", "--json")
        #expect(try JSON.parse(checked.output)["withdrawn"] == ["north"])
        #expect(await run("package", "repair").output.contains("Nothing to repair"))
        try Connection(box.storePath, .readWrite).execute(
            "UPDATE bodies SET bytes = zeroblob(length(bytes)) WHERE length(bytes) > 60",
            to: "damage the tiles")
        let repair = await run("package", "repair")
        #expect(
            repair.status != 0 && repair.errors.contains("rhumb package uninstall north"), "\(repair)")
        #expect(await run("package", "uninstall", "north").output.contains("removed north"))
        #expect(await run("package", "repair").status == 0)
    }
}
