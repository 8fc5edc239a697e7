import Glibc
import Rhumb
import RhumbCore
@testable import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests several programs that change the same packages, and programs that can't write everything.
struct PackageProcessTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws { (publisher, box) = try Self.configured() }

    /// Holds an archive except for its beginning, and starts a program that waits for it.
    private func startHeld(
        _ words: String..., at name: String
    ) async -> (child: ChildProgram, gate: LoopbackGate) {
        let gate = LoopbackGate(), target = "/\(name).pmtiles"
        publisher.intervene { [publisher] request in
            guard request.target == target, request.header("Range")?.hasPrefix("bytes=0-") == false else {
                return nil
            }
            return publisher.usualReply(to: request).with { $0.gate = gate }
        }
        let child = ChildProgram(
            CommandFixture.program, words + box.places, environment: box.environment,
            errors: box.folder.path + "/errors.txt")
        #expect(await eventually { publisher.box.host.server.count(target) >= 2 })
        return (child, gate)
    }

    /// Returns the number of a package's tiles that are shown in an edition.
    private func shown(_ id: String, _ edition: Int) throws -> Int {
        let store = try RegionStore(box.storePath),
            part = try #require(store.region("package-test.\(id)").parts.first)
        return TileID.pyramid(0...3).count {
            store.response(for: .tile(origin: part.origin, $0))?.body == PackageFixture.body($0, edition)
        }
    }

    @Test func `of two programs that install at once one may be refused, and succeeds later`()
        async throws
    {
        let children = [start("package", "install", "north"), start("package", "install", "south")]
        var endings: [Int32] = []
        for child in children { endings.append(await box.end(of: child)) }
        #expect(endings.contains(0) && endings.allSatisfy { $0 < 2 })
        #expect(await run("package", "install", "land").status == 0)
        #expect(try shown("north", 1) == 85 && shown("south", 1) == 85)
    }

    @Test func `other programs leave a program's operation alone, and name it`() async throws {
        let (child, gate) = await startHeld("package", "install", "north", "south", at: "north")
        for words in [["install", "north"], ["uninstall", "north"], ["clear"]] {
            let refused = await ProgramRun.of(
                CommandFixture.program, ["package"] + words + box.places, environment: box.environment)
            #expect(
                refused.status == 1 && refused.errors.contains("packages are being installed by process"),
                "\(refused)")
        }
        gate.open()
        #expect(await box.end(of: child) == 0)
        #expect(try shown("north", 1) == 85 && shown("south", 1) == 85)
    }

    @Test func `a refused program does not forget another's pending installation`()
        async throws
    {
        let (child, gate) = await startHeld("package", "install", "north", "south", at: "north")
        #expect(await run("package", "install", "north", "south").status == 1)
        child.kill()
        gate.open()
        #expect(await run("package", "resume").output == "finished north, south")
    }

    @Test func `two programs update at once, and the new edition is complete`() async throws {
        #expect(await run("package", "install", "land").status == 0)
        publisher.publishCountries(edition: 2)
        let children = [start("update", "apply"), start("update", "apply", "--all-at-end")]
        var endings: [Int32] = []
        for child in children { endings.append(await box.end(of: child)) }
        #expect(endings.contains(0) && endings.allSatisfy { $0 < 2 })
        #expect(await run("update", "apply").status == 0)
        #expect(try shown("north", 2) == 85 && shown("south", 2) == 85)
    }

    @Test func `a program that is still waiting for the catalogue is also cancelled`() async throws {
        let gate = LoopbackGate()
        publisher.intervene { [publisher] request in
            request.target == "/catalog.json"
                ? publisher.usualReply(to: request).with { $0.gate = gate } : nil
        }
        let child = start("package", "install", "north")
        #expect(await eventually { publisher.box.host.server.count("/catalog.json") >= 1 })
        #expect(await run("package", "cancel").output.hasPrefix("Cancelled the running operation (process"))
        #expect(await box.end(of: child) == 1)
        gate.open()
        #expect(
            String(decoding: box.folder.bytes("errors.txt"), as: UTF8.self).contains(
                "cancelled; fetched data is kept"))
        #expect(await run("package", "cancel").output == "No package operation is running")
        publisher.intervene { _ in nil }
        #expect(await run("package", "install", "north").status == 0)
    }

    @Test func `a program that would resume automatically reports at once that it is refused`() async throws {
        let (child, gate) = await startHeld("package", "install", "north", at: "north")
        for words in [["package", "install", "south"], ["package", "repair"], ["update", "apply"]] {
            let refused = await ProgramRun.of(
                CommandFixture.program, words + ["--detach"] + box.places, environment: box.environment)
            #expect(
                refused.status == 1 && refused.errors.contains("packages are being installed by process"),
                "\(refused)")
        }
        gate.open()
        #expect(await box.end(of: child) == 0)
    }

    /// - Parameter names: The packages, each with its own archive.
    private func publish(_ edition: Int, _ names: [String]) {
        for name in names { publisher.publish(name, edition) }
        let editions = (1...edition).map { #"{"version": "\#($0)", "bytes": 100000}"# }.joined(separator: ",")
        publisher.catalog(
            names.map {
                #"{"id": "\#($0)", "parent": "world", "area": [0, 0, 9, 9], "archive": "\#($0).pmtiles", "editions": [\#(editions)]}"#
            }.joined(separator: ","))
    }

    @Test
    func
        `the disk full while all that has come takes its place, each package is in one edition, and the next command finishes`()
        async throws
    {
        publish(1, ["north", "south", "west"])
        #expect(await run("package", "install", "north", "south", "west").status == 0)
        publish(2, ["north", "south", "west"])
        publisher.intervene {
            $0.target == "/west.pmtiles" && $0.header("Range")?.hasPrefix("bytes=0-") == false
                ? LoopbackReply(404) : nil
        }
        #expect(await run("update", "apply", "--all-at-end").status == 3)
        publish(2, ["north", "south"])
        let waiting = try RegionStore(box.storePath).region("package-test.north").coming
        #expect(!waiting.isEmpty && waiting.allSatisfy { $0.settled == $0.planned && $0.failed == 0 })
        var failures = 0, status: Int32 = 1
        for blocks in stride(from: 1, through: 1000, by: 33) where status != 0 {
            let resume = [CommandFixture.program, "package", "resume"] + box.places
            status = await ProgramRun.of(
                "/bin/sh", ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""] + resume,
                environment: box.environment
            ).status
            failures += status == 0 ? 0 : 1
            for package in ["north", "south"] {
                #expect(try [shown(package, 1), shown(package, 2)].contains(85), "\(blocks)")
            }
        }
        #expect(failures > 0)
        #expect(await run("package", "resume").status == 0)
        for package in ["north", "south"] { #expect(try shown(package, 2) == 85) }
    }

    @Test(arguments: ["--all-at-end", "--all-same"])
    func `wherever writing fails, the old or the new edition is complete, and the next command finishes`(
        policy: String
    ) async throws {
        #expect(await run("package", "install", "land").status == 0)
        var edition = 1
        for blocks in [1, 40, 80, 120, 160, 240, 320, 480, 640] {
            edition += 1
            publisher.publishCountries(edition: edition)
            let update = [CommandFixture.program, "update", "apply", policy] + box.places
            // Limits the size of files to this many blocks of 512 bytes.
            let limited = await ProgramRun.of(
                "/bin/sh", ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\""] + update,
                environment: box.environment)
            #expect(limited.status == 0 || limited.status == 1, "\(blocks): \(limited)")
            for package in ["north", "south"] {
                #expect(try [shown(package, edition - 1), shown(package, edition)].contains(85), "\(blocks)")
            }
            let rest = await run("update", "apply")
            #expect(rest.status == 0, "\(blocks): \(rest)")
            for package in ["north", "south"] { #expect(try shown(package, edition) == 85, "\(blocks)") }
        }
    }
}
