import Glibc
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// Tests `rhumb style pack` with a server that can be stopped.
struct StylePackCommandTests {
    private let home = TemporaryFolder()

    /// A server of a style and its resources. A test can change the content at a path.
    private final class StyleServer: Sendable {
        private let bodies = Mutex<[String: String]>([:])
        let gate = Mutex<LoopbackGate?>(nil)
        /// The Cache-Control header of all responses.
        let control = Mutex("max-age=0")
        private let server = Mutex<LoopbackServer?>(nil)

        init() throws {
            let started = try LoopbackServer { [weak self] request in
                self?.answer(request) ?? LoopbackReply(500)
            }
            server.withLock { $0 = started }
            set("/style.json", Self.style(named: "Red"))
            set(
                "/town.json",
                #"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"water"}]}"#
            )
        }

        static func style(named name: String, source: String = "town.json") -> String {
            #"""
            {"version":8,"name":"\#(name)","glyphs":"{fontstack}/{range}.pbf","sources":{
             "openmaptiles":{"type":"vector","url":"\#(source)"}},
             "layers":[{"id":"w","type":"fill","source":"openmaptiles","source-layer":"water"}]}
            """#
        }

        func url(_ path: String) -> String { server.withLock { $0?.url(path) } ?? "" }
        var requests: [String] { server.withLock { $0?.record.requests.map(\.target) } ?? [] }
        func stop() { server.withLock { $0 = nil } }
        func set(_ path: String, _ body: String?) { bodies.withLock { $0[path] = body } }

        private func answer(_ request: LoopbackRequest) -> LoopbackReply {
            guard let body = bodies.withLock({ $0[request.target] }) else { return LoopbackReply(404) }
            var reply = LoopbackReply.validated(request, etag: "\"\(body.count)\"", body: Array(body.utf8))
            reply.headers.append(("Cache-Control", control.withLock { $0 }))
            return gate.withLock { $0 }.map { gate in reply.with { $0.gate = gate } } ?? reply
        }
    }

    private var environment: [String: String] {
        ["HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
    }

    private func pack(_ words: String...) async -> ProgramRun { await style(["pack"] + words) }

    private func style(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(TestProducts.path("rhumb"), ["style"] + words, environment: environment)
    }

    private func packs() async throws -> [JSON] {
        try #require(try JSON.parse(await pack("list", "--json").output).array)
    }

    @Test func `a stored style is available without a server, by its own name`() async throws {
        let server = try StyleServer(), address = server.url("/style.json")
        let add = await pack("add", address, "--metadata", #"{"trip": "Elba"}"#)
        #expect(add.status == 0 && add.output.contains("Red") && add.errors.contains("of 2"), "\(add.errors)")
        #expect(
            add.errors.split(separator: "\n").count {
                $0.contains("glyphs are not stored: the terminal's font is used")
            } == 1)
        server.stop()
        let shown = try JSON.parse(await pack("show", "Red", "--json").output)
        #expect(
            shown["address"]?.string == address && shown["metadata"] == ["trip": "Elba"]
                && shown["documents"]?.array?.count == 2)
        #expect(await pack("list").output.contains("Red"))
        let text = await style(["export", "Red"])
        #expect(text.status == 0 && text.output.contains(#""name":"Red""#), "\(text.errors)")
    }

    @Test func `packs have an expiry date, which an update renews`() async throws {
        let server = try StyleServer(), address = server.url("/style.json"), day = 86_400
        func expiring(_ time: String) async throws -> [JSON] {
            let words = ["region", "list", "--expiring", time, "--json"]
            let run = await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
            return try #require(try JSON.parse(run.output).array, "\(run)")
        }
        server.control.withLock { $0 = "max-age=\(2 * day)" }
        let before = Int(UnixSeconds.now.value)
        _ = await pack("add", address)
        func expiry() async throws -> Double {
            let text = try #require(try await packs().first?["expiresAt"]?.string)
            return try #require(MapTime(text)).seconds(now: 0)
        }
        let expires = try await expiry()
        #expect((before + 2 * day...before + 3 * day).contains(Int(expires)))
        #expect(await pack("list").output.contains(UnixSeconds(Int64(expires)).day))
        #expect(try await expiring("1d").isEmpty)
        let pack: JSON = [
            "kind": "stylePack", "id": .string(address), "name": "Red",
            "expiresAt": .string(UnixSeconds(Int64(expires)).iso8601),
        ]
        #expect(try await expiring("30d") == [pack])
        server.control.withLock { $0 = "max-age=\(300 * day)" }
        #expect(await self.pack("update", address).status == 0)
        #expect(try await Int(expiry()) >= before + 300 * day)
        #expect(try await expiring("30d").isEmpty)
        #expect(try await expiring("52w").count == 1)
    }

    @Test func `missing resources are listed, and the rest is stored`() async throws {
        let server = try StyleServer()
        server.set("/style.json", StyleServer.style(named: "Red", source: "gone.json"))
        let add = await pack("add", server.url("/style.json"), "--json")
        let missing = try JSON.parse(add.output)["missing"]?.array
        #expect(add.status == 3 && missing?.map { $0["address"]?.string } == [server.url("/gone.json")])
        #expect(await pack("show", "Red").output.contains("gone.json"))
    }

    @Test func `update fetches newer resources of one style or of all, and preserves the metadata`()
        async throws
    {
        let server = try StyleServer(), address = server.url("/style.json")
        _ = await pack("add", address, "--metadata", "7")
        server.set("/style.json", StyleServer.style(named: "Blue"))
        #expect(await pack("update").status == 0)
        #expect(try await packs().map { [$0["name"], $0["metadata"]] } == [["Blue", 7]])
        #expect(await pack("update", "Blue", "--metadata", "8").status == 0)
        #expect(try await packs().map { $0["metadata"] } == [8])
        server.set("/style.json", "[")
        let failed = await pack("update")
        #expect(failed.status == 1 && failed.errors.contains("style.json"), "\(failed.errors)")
        #expect(try await packs().map { $0["name"] } == ["Blue"])
        #expect(await pack("update", "Red").status == 1)
    }

    @Test func `removing a style twice reports that it is missing`() async throws {
        let server = try StyleServer(), address = server.url("/style.json")
        _ = await pack("add", address)
        #expect(await pack("remove", "Red").status == 0)
        let again = await pack("remove", address)
        #expect(again.status == 1 && again.errors.contains("no such style") && again.output.isEmpty)
        #expect(await pack("list").output.hasPrefix("No styles installed"))
    }

    @Test func `while offline nothing is requested, and nothing is stored for a missing style`() async throws
    {
        let server = try StyleServer()
        let add = await pack("add", server.url("/style.json"), "--offline")
        #expect(add.status == 1 && !add.errors.isEmpty && server.requests.isEmpty)
        #expect(try await packs().isEmpty)
    }

    @Test func `a style in a file is also stored`() async throws {
        let path = home.write(
            Array(#"{"version":8,"name":"Own","sources":{},"layers":[]}"#.utf8), to: "own.json")
        #expect(await pack("add", path).status == 0)
        home.remove("own.json")
        #expect(await pack("show", path).output.contains("Own"))
    }

    @Test func `names are sanitised for terminal output`() async throws {
        let server = try StyleServer()
        server.set("/style.json", StyleServer.style(named: #"Re\u001b[2Jd\u0007"#))
        let add = await pack("add", server.url("/style.json")), list = await pack("list")
        #expect(add.status == 0 && list.output.contains("Re[2Jd"))
        for run in [add, list, await pack("show", "\u{1B}[2J")] {
            #expect(!(run.output + run.errors).unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 })
        }
    }

    @Test func `two styles with the same name are distinguished by their addresses`() async throws {
        let server = try StyleServer()
        server.set("/other.json", StyleServer.style(named: "Red"))
        _ = await pack("add", server.url("/style.json"))
        _ = await pack("add", server.url("/other.json"))
        #expect(await pack("show", "Red").status == 1)
        #expect(await pack("show", server.url("/other.json")).status == 0)
    }

    @Test func `an interrupted pack stays unchanged`() async throws {
        let server = try StyleServer(), address = server.url("/style.json"), gate = LoopbackGate()
        _ = await pack("add", address)
        server.set("/style.json", StyleServer.style(named: "Blue"))
        let before = try await packs(), asked = server.requests.count
        server.gate.withLock { $0 = gate }
        let journey = try Journey(["style", "update"], environment: environment)
        try journey.program.read { _ in server.requests.count > asked }
        try journey.type("\u{3}")
        #expect(try journey.program.readToEnd() == .exited(128 + SIGINT))
        gate.open()
        #expect(try await packs() == before)
    }

    @Test(arguments: [["add"], ["show"], ["remove"], ["add", "x.json", "--metadata", "{"], ["gone"]])
    func `missing and invalid arguments are reported`(words: [String]) async {
        let run = await style(["pack"] + words)
        #expect(run.status == 2 && !run.errors.isEmpty, "\(run.errors)")
    }

    @Test func `a map is drawn in a style given by name, and an unknown name is rejected`() async throws {
        let server = try StyleServer(), fixture = TownFixture()
        _ = await pack("add", server.url("/style.json"))
        server.stop()
        func render(_ style: String) async -> ProgramRun {
            await ProgramRun.of(
                TestProducts.path("rhumb"), ["render", fixture.town, "--style", style, "--size", "8x4"],
                environment: environment)
        }
        let drawn = await render("Red")
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn.errors)")
        let refused = await render("Blue")
        #expect(refused.status == 2 && refused.errors.contains("Red"), "\(refused.errors)")
    }
}
