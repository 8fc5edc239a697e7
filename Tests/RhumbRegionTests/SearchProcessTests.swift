import Glibc
import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests searches in the shell with a full disk, with killed and concurrent processes, and with damaged
/// files.
struct SearchProcessTests {
    private let folder = TemporaryFolder()
    private static let side = 24

    private var environment: [String: String] {
        ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    }
    private var index: String { folder.path + "/.cache/rhumb/tiles.search.db" }

    /// Creates an archive of many tiles, each with some places of its own and a street.
    private func town(_ side: Int = side) -> String {
        let middle = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
        let tiles = (0..<side * side).compactMap { number -> (TileID, [UInt8])? in
            guard let tile = TileID(zoom: 14, x: middle.x + number % side, y: middle.y + number / side) else {
                return nil
            }
            let places = (0..<60).map { place in
                VectorTileFixture.Feature(
                    .point, through: [(place * 60 + 9, 100)],
                    [("name", .string("Bottega \(number) di \(place)")), ("kind", .string("clothes"))])
            }
            return (tile, VectorTileFixture([("pois", places)]).bytes)
        }
        var fixture = PMTilesFixture(tiles)
        // Header fields: vector tiles, not compressed.
        fixture.patches = [(98, 1), (99, 1)]
        return folder.write(fixture.bytes, to: "town.pmtiles")
    }

    private func words(_ path: String, _ name: String) -> [String] { ["search", name, "--in", path] }

    private func search(_ path: String, _ name: String) async -> ProgramRun {
        await ProgramRun.of(CommandFixture.program, words(path, name), environment: environment)
    }

    /// Runs a search while files are limited to this many blocks of 512 bytes.
    private func search(_ path: String, _ name: String, blocks: Int) async -> ProgramRun {
        await ProgramRun.of(
            "/bin/sh",
            ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\"", CommandFixture.program]
                + words(path, name),
            environment: environment)
    }

    @Test func `while an index can't be written the search gives the reason, and continues later`()
        async throws
    {
        let path = town(8)
        for blocks in [1, 64, 200] {
            let limited = await search(path, "Bottega 63 di 7", blocks: blocks)
            #expect(limited.status == 1 && limited.output.isEmpty, "\(blocks): \(limited)")
            #expect(limited.errors.contains("disk error"), "\(blocks): \(limited)")
        }
        let done = await search(path, "Bottega 63 di 7")
        #expect(done.status == 0 && done.output.contains("Bottega 63 di 7") && done.errors.isEmpty, "\(done)")
    }

    @Test func `a complete index works on a disk that can't be written`() async throws {
        let path = town(8)
        #expect(await search(path, "Bottega 63 di 7").status == 0)
        let before = number(of: index), limited = await search(path, "Bottega 63 di 7", blocks: 1)
        #expect(limited.errors.contains("the disk is full"), "\(limited)")
        #expect(before != 0 && number(of: index) == before)
        #expect(await search(path, "Bottega 63 di 7").output.contains("Bottega 63 di 7"))
        #expect(number(of: index) == before)
    }

    /// Returns the inode number, which distinguishes files of the same name.
    private func number(of path: String) -> UInt {
        var facts = stat()
        return stat(path, &facts) == 0 ? UInt(facts.st_ino) : 0
    }

    @Test func `a killed indexer keeps its work, and the next one continues`()
        async throws
    {
        let path = town()
        for _ in 0..<3 {
            let child = ChildProgram(
                CommandFixture.program, words(path, "Bottega 0 di 1"), environment: environment,
                errors: folder.path + "/errors")
            let start = ContinuousClock.now
            while access(index, F_OK) != 0, !child.hasEnded, start.duration(to: .now) < .seconds(30) {
                usleep(5000)
            }
            usleep(60_000)
            child.kill()
        }
        let done = await search(path, "Bottega \(Self.side * Self.side - 1) di 59")
        #expect(
            done.status == 0 && done.output.contains("Bottega \(Self.side * Self.side - 1) di 59"), "\(done)")
        let connection = try Connection(index, .readOnly)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.integer("SELECT count(*) FROM tiles") == Self.side * Self.side)
    }

    @Test func `all of several concurrent searches find it`() async throws {
        let path = town(12)
        let runs = await withTaskGroup(of: ProgramRun.self) { group in
            for number in 0..<3 { group.addTask { await search(path, "Bottega \(number + 90) di 5") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for run in runs { #expect(run.status == 0 && run.output.contains("di 5"), "\(run)") }
        #expect(try Connection(index, .readOnly).integer("SELECT count(*) FROM tiles") == 144)
    }

    @Test func `a truncated, missing or outdated index is rebuilt`() async throws {
        let path = town(4)
        #expect(await search(path, "Bottega 3 di 3").status == 0)
        for damage in ["torn", "version", "gone", "noise"] {
            switch damage {
            case "torn": truncate(index, 20_000)
            case "version": try Connection(index, .readWrite).execute("PRAGMA user_version = 99", to: "test")
            case "gone": unlink(index)
            default: folder.write([UInt8](repeating: 0x5A, count: 70_000), to: ".cache/rhumb/tiles.search.db")
            }
            let run = await search(path, "Bottega 3 di 3")
            #expect(run.status == 0 && run.output.contains("Bottega 3 di 3"), "\(damage): \(run)")
        }
    }

    // MARK: Online services

    private static let list =
        #"[{"lat":"43.77","lon":"11.25","name":"Osteria \u001b[2J","display_name":"Osteria, Firenze","category":"amenity","type":"restaurant"}]"#

    @Test func `a service is queried on request, and its results are distinguished`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array(Self.list.utf8), headers: ["Content-Type": "application/json"])
        }
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, ["search"] + words,
                environment: environment.merging(["RHUMB_NOMINATIM_URL": server.url("")]) { $1 })
        }
        let none = await run("osteria", "--online")
        #expect(none.errors.contains("no search service is configured") && none.status != 0, "\(none)")
        let refused = await run("osteria", "--engine", "nominatim")
        #expect(
            refused.errors.contains("has rules of use") && refused.errors.contains("--agree nominatim"),
            "\(refused)")
        #expect(server.requestCount == 0)
        #expect(await run("--agree", "nominatim").status == 0)
        let found = await run("osteria", "--online")
        #expect(
            found.status == 0 && found.output.contains("Nominatim: ") && !found.output.contains("\u{1b}"),
            "\(found)")
        #expect(found.errors.contains("OpenStreetMap contributors") && server.requestCount == 1)
        let json = try JSON.parse(Array(await run("osteria", "--online", "--json").output.utf8))
        #expect(json.array?.contains { $0["origin"]?.string == "Nominatim" } == true)
        let offline = await run("osteria", "--online", "--offline")
        #expect(
            offline.errors.contains("offline") && offline.status != 0 && server.requestCount == 2,
            "\(offline)")
        #expect(
            await run("osteria", "--online", "--offline", "--pass-through", "onlineSearch").output.contains(
                "Nominatim"))
        let without = await run("osteria")
        #expect(!without.output.contains("Nominatim") && server.requestCount == 3)
        #expect(await run("--agree", "nobody").status == 2)
    }

    @Test func `a service is queried for a place, after stored features`() async throws {
        let house =
            #"{"lat":"43.77","lon":"11.25","name":"","display_name":"12, Via dei Neri, Firenze","address":{"house_number":"12","road":"Via dei Neri"}}"#
        let server = try LoopbackServer { request in
            LoopbackReply(
                200,
                Array((request.target.contains("lat=0") ? #"{"error":"Unable to geocode"}"# : house).utf8),
                headers: ["Content-Type": "application/json"])
        }
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, ["search"] + words + ["--engine", "nominatim=" + server.url("")],
                environment: environment)
        }
        let found = await run("43.77,11.25"), lines = found.output.split(separator: "\n")
        #expect(
            found.status == 0 && lines.count == 2 && lines[0].contains("spot")
                && lines[1].contains("Via dei Neri 12"), "\(found)")
        #expect(found.errors.contains("OpenStreetMap contributors"))
        #expect(
            server.record.requests.map(\.target) == [
                "/reverse?format=jsonv2&accept-language=en&lat=43.77&lon=11.25"
            ])
        let json = try JSON.parse(Array(await run("43.77,11.25", "--json").output.utf8))
        #expect(json.array?.count == 2 && json.array?.last?["origin"]?.string == "127.0.0.1")
        let sea = await run("0,-20")
        #expect(sea.status == 0 && sea.errors.contains("no results from"), "\(sea)")
        let asked = server.requestCount, offline = await run("43.77,11.25", "--offline")
        #expect(
            offline.status == 3 && offline.output.contains("spot") && offline.errors.contains("offline")
                && server.requestCount == asked, "\(offline)")
        #expect(
            await run("43.77,11.25", "--offline", "--pass-through", "onlineSearch").status == 0
                && server.requestCount == asked + 1)
        #expect(
            await ProgramRun.of(CommandFixture.program, ["search", "43.77,11.25"], environment: environment)
                .status == 0 && server.requestCount == asked + 1)
    }

    @Test func `a service that limits requests is left alone, even by the next program`() async throws {
        let server = try LoopbackServer { _ in LoopbackReply(429, headers: ["Retry-After": "90"]) }
        func run() async -> ProgramRun {
            await ProgramRun.of(
                CommandFixture.program, ["search", "zzq", "--engine", "nominatim=" + server.url("")],
                environment: environment)
        }
        for _ in 0..<2 {
            let outcome = await run()
            #expect(
                outcome.status == 1 && outcome.errors.contains("rate-limited by")
                    && outcome.errors.contains("; try again in"), "\(outcome)"
            )
        }
        #expect(server.requestCount == 1)
        for name in ["asked-127.0.0.1", "failures"] {
            folder.write([UInt8](repeating: 0x7F, count: 99), to: ".local/state/rhumb/" + name)
        }
        #expect(await run().status == 1 && server.requestCount == 2)
    }

    @Test func `several programs share the rate limit of a service`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(200, Array("[]".utf8), headers: ["Content-Type": "application/json"])
        }
        let start = ContinuousClock.now, words = ["--engine", "nominatim=" + server.url("")]
        await withTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    _ = await ProgramRun.of(
                        CommandFixture.program, ["search", "zzq\(name)"] + words, environment: environment)
                }
            }
        }
        #expect(start.duration(to: .now) > .seconds(1.8) && server.requestCount == 3)
    }
}
