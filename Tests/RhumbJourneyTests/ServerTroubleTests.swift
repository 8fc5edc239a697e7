import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests the commands with servers that fail, limit their rate, or redirect in circles.
struct ServerTroubleTests {
    private let home = TemporaryFolder()

    private func run(_ words: [String], environment: [String: String] = [:]) async -> ProgramRun {
        let variables = [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), words, environment: variables.merging(environment) { $1 })
    }

    private func render(
        _ url: String, _ more: String..., environment: [String: String] = [:]
    ) async -> ProgramRun {
        await run(
            ["render", url, "-c", "50,10", "-z", "4", "--size", "60x20"] + more, environment: environment)
    }

    private static let tile = LoopbackReply(
        200, blankPicture(RGB(0x336699), side: 256), headers: ["Cache-Control": "max-age=3600"])

    @Test(arguments: ["--tiles", "--check"], [500, 404])
    func `a command that reads an archive stops after a few requests to a server that fails`(
        option: String, status: Int
    ) async throws {
        var fixture = PMTilesFixture(
            TileID.pyramid(0...5).map { ($0, fakePicture($0) + [UInt8](repeating: 7, count: 300)) })
        fixture.leafSize = 64
        let bytes = fixture.bytes
        let server = try LoopbackServer { request in
            request.header("Range")?.hasPrefix("bytes=0-") == true
                ? .part(of: bytes, request) : LoopbackReply(status)
        }
        let run = await run(["archive", "info", option, server.url("/map.pmtiles")])
        #expect(run.status == 1 && run.errors.contains("map.pmtiles"), "\(run)")
        #expect(server.requestCount <= 8, "\(server.record.requests.map { $0.header("Range") })")
    }

    @Test func `render waits for the time that a server with a rate limit states`() async throws {
        let server = try LoopbackServer { request in
            let wait = request.target.hasPrefix("/b") ? "60" : "1"
            return request.time == 1 ? LoopbackReply(429, headers: ["Retry-After": wait]) : Self.tile
        }
        let run = await render(server.url("/{z}/{x}/{y}.png"))
        #expect(run.status == 0, "\(run.errors)")
        let short = await render(server.url("/b/{z}/{x}/{y}.png"), "--timeout", "4")
        #expect(short.status == 3, "\(short.errors)")
    }

    @Test func `a redirect loop over all tiles pauses the server`() async throws {
        let server = try LoopbackServer { .redirect($0.target) }
        let run = await render(server.url("/{z}/{x}/{y}.png"), "--timeout", "4")
        #expect(run.status == 3 && run.errors.contains("redirect"), "\(run.errors)")
        // Each tile causes six requests.
        #expect(server.requestCount <= 120, "\(server.requestCount)")
    }

    @Test func `if a proxy refuses, the error names the proxy`() async throws {
        let proxy = try LoopbackServer { _ in LoopbackReply(403) }
        let run = await render(
            "https://tiles.example/{z}/{x}/{y}.png", "--timeout", "4",
            environment: ["https_proxy": proxy.url("")])
        #expect(run.status == 3, "\(run.errors)")
        #expect(run.errors.contains("proxy") && run.errors.contains("403"), "\(run.errors)")
    }

    @Test func `a style whose only source is a mandatory layer set opens`() async throws {
        let style = home.write(
            Array(
                #"""
                {"version": 8, "sources": {"tomtom-active-route": {"type": "geojson"}}, "layers": [
                 {"id": "outline", "type": "line", "source": "tomtom-active-route", "paint": {"line-width": 5}},
                 {"id": "fill", "type": "line", "source": "tomtom-active-route", "paint": {"line-width": 3}}]}
                """#.utf8), to: "route.json")
        #expect(await run(["style", "check", style]).status == 0)
        let shown = await render(style)
        #expect(shown.status == 0, "\(shown.errors)")
    }

    @Test func `checking for updates requests nothing while no packages are installed`() async throws {
        let server = try LoopbackServer { _ in Self.tile.with { $0.headers.append(("Age", "7200")) } }
        let url = server.url("/{z}/{x}/{y}.png")
        let config = #"{"sources": [{"id": "mine", "url": "\#(url)", "policy": {"offline": "allowed"}}]}"#
        home.write(Array(config.utf8), to: ".config/rhumb/config.json")
        #expect(await render("mine").status == 0)
        let before = server.requestCount
        let check = await run(["update", "check"])
        #expect(check.status == 0 && server.requestCount == before, "\(check)")
    }
}
