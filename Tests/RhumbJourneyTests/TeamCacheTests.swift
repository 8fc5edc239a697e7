import RhumbCore
import RhumbTestSupport
import Testing

/// Tests real caching proxies with the configurations that the program prints.
struct TeamCacheTests {
    private let home = TemporaryFolder()

    init() { home.write(Array("{}".utf8), to: "config.json") }

    /// A source of tiles that can be stored for an hour.
    private static func origin() throws -> LoopbackServer {
        try LoopbackServer { _ in
            LoopbackReply(
                200, blankPicture(.init(0x336699), side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600", "ETag": "\"1\""])
        }
    }

    private func run(_ words: [String]) async -> ProgramRun {
        let environment = [
            "HOME": home.path, "RHUMB_CONFIG": home.path + "/config.json", "LC_ALL": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
    }

    private func configure(_ origin: LoopbackServer) {
        let template = origin.url("/{z}/{x}/{y}.png")
        home.write(
            Array(
                #"{"sources": [{"id": "city", "url": "\#(template)", "policy": {"connections": 16}}]}"#.utf8),
            to: "config.json")
    }

    private func configuration(_ proxy: String, port: UInt16) async -> String {
        await run(["source", "proxy-config", proxy, "--source", "city", "--port", "\(port)"]).output
    }

    /// Pans over the same city with several programs at the same time, each with an empty cache.
    private func pan(programs: Int, through proxy: String, _ options: [String] = []) async -> [ProgramRun] {
        await withTaskGroup(of: ProgramRun.self) { group in
            for number in 0..<programs {
                for (step, longitude) in ["24.9", "24.95", "25"].enumerated() {
                    group.addTask {
                        await self.run(
                            [
                                "render", "city", "-c", "60.17,\(longitude)", "-z", "13", "--size", "60x20",
                                "--cache-proxy", proxy, "--cache-path",
                                home.path + "/\(number)-\(step).db", "-o",
                                home.path + "/\(number)-\(step).png",
                            ] + options)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func check(_ origin: LoopbackServer, through proxy: String, stop: () -> Void) async throws {
        let runs = await pan(programs: 3, through: proxy)
        #expect(runs.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(runs.map(\.errors))")
        let targets = origin.record.requests.map(\.target)
        #expect(targets.count > 10 && Set(targets).count == targets.count)
        origin.stop()
        for database in home.names where database.hasSuffix(".db") { home.remove(database) }
        let later = await pan(programs: 2, through: proxy)
        #expect(later.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(later.map(\.errors))")
        #expect(origin.requestCount == targets.count)
        try origin.start()
        stop()
        for database in home.names where database.hasSuffix(".db") { home.remove(database) }
        let direct = await pan(programs: 1, through: proxy)
        #expect(
            direct.allSatisfy { $0.status == 0 && $0.errors.contains("is down") }, "\(direct.map(\.errors))")
        #expect(origin.requestCount > targets.count)
        for database in home.names where database.hasSuffix(".db") { home.remove(database) }
        let only = await pan(programs: 1, through: proxy, ["--cache-proxy-only"])
        #expect(only.allSatisfy { $0.status == 3 }, "\(only.map(\.errors))")
    }

    @Test(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
    func `through nginx, each tile is requested once, also while the source or nginx is down`() async throws {
        let origin = try Self.origin()
        configure(origin)
        let proxy = try #require(await NginxServer { await configuration("nginx", port: $0) })
        try await check(origin, through: "http://127.0.0.1:\(proxy.port)") { proxy.stop() }
    }

    @Test(.enabled(if: VarnishServer.program != nil, "Varnish is not installed"))
    func `through Varnish, each tile is requested once, also while the source or Varnish is down`()
        async throws
    {
        let origin = try Self.origin()
        configure(origin)
        let proxy = try #require(VarnishServer(configuration: await configuration("varnish", port: 8080)))
        try await check(origin, through: proxy.url) { proxy.stop() }
    }

    @Test func `sources that need a key are no part of a proxy's configuration`() async {
        let all = await run(["source", "proxy-config", "nginx"])
        #expect(all.status == 0 && all.output.contains("location /https/tile.openstreetmap.org/"))
        #expect(!all.output.contains("tomtom") && all.output.contains("location / { return 403; }"))
        let one = await run(["source", "proxy-config", "varnish", "--source", "tomtom"])
        #expect(one.status == 1 && one.errors.contains("does not allow shared copies"))
    }

    @Test func `an invalid proxy is rejected`() async {
        let run = await run(["render", "world", "--cache-proxy", "cache.lan"])
        #expect(run.status == 2 && run.errors.contains("must be an http or https address"))
    }
}
