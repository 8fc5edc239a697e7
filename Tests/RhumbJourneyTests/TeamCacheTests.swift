import RhumbCore
import RhumbTestSupport
import Testing

/// Tests real caching proxies with the configurations of the manual.
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

    /// Returns the manual's configuration of a proxy, with this source instead of the first one.
    private static func configuration(_ language: String, _ origin: LoopbackServer) throws -> String {
        let page = String(decoding: try #require(TestFiles.bytes("Assets/manual/team.md")), as: UTF8.self)
        let block = try #require(page.split(separator: "```\(language)\n").dropFirst().first)
        let end = try #require(block.firstRange(of: "\n```"))
        let host = "127.0.0.1:\(origin.port)"
        return String(block[..<end.lowerBound]).replacing(
            "/https/tiles.openfreemap.org", with: "/http/\(host)"
        )
        .replacing("https://tiles.openfreemap.org", with: "http://\(host)")
        .replacing("/https/tiles\\.openfreemap\\.org", with: "/http/127\\.0\\.0\\.1:\(origin.port)")
        .replacing("\"tiles.openfreemap.org\"", with: "\"\(host)\"")
        .replacing("8401", with: "\(origin.port)")
        // There is no such server, and nginx looks up all of them.
        .replacing("https://archives.example", with: "http://\(host)")
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
        let proxy = try #require(NginxServer(site: Self.configuration("nginx", origin)))
        try await check(origin, through: "http://127.0.0.1:\(proxy.port)") { proxy.stop() }
    }

    @Test(.enabled(if: VarnishServer.program != nil, "Varnish is not installed"))
    func `through Varnish, each tile is requested once, also while the source or Varnish is down`()
        async throws
    {
        let origin = try Self.origin()
        configure(origin)
        let proxy = try #require(VarnishServer(configuration: Self.configuration("vcl", origin)))
        try await check(origin, through: proxy.url) { proxy.stop() }
    }

    /// Creates a browser with an empty cache.
    private func browser(_ number: Int, through proxy: NginxServer) throws -> PtyProgram {
        try Journey(
            [
                "city", "-c", "60.17,24.94", "-z", "13", "--cache-proxy", "http://127.0.0.1:\(proxy.port)",
                "--cache-path", home.path + "/browser-\(number).db",
            ], environment: ["HOME": home.path, "RHUMB_CONFIG": home.path + "/config.json"]
        ).program
    }

    @Test(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
    func `two browsers share tiles, and continue without the source, and then without the proxy`()
        async throws
    {
        let colours = [13: RGB(0x336699), 14: RGB(0x993366), 15: RGB(0x669933)]
        let origin = try LoopbackServer { request in
            let zoom = request.target.split(separator: "/").first.flatMap { Int($0) } ?? 0
            return LoopbackReply(
                200, blankPicture(colours[zoom] ?? RGB(0), side: 256),
                headers: ["Content-Type": "image/png", "Cache-Control": "max-age=3600", "ETag": "\"1\""])
        }
        configure(origin)
        let proxy = try #require(NginxServer(site: Self.configuration("nginx", origin)))
        func see(_ zoom: Int, _ browser: PtyProgram) throws {
            let colour = try #require(colours[zoom])
            try browser.read { TownFixture.isDrawn(colour, $0.grid) }
        }
        let browsers = try (0..<2).map { try browser($0, through: proxy) }
        for zoom in 13...14 {
            for browser in browsers { try see(zoom, browser) }
            for browser in browsers where zoom < 14 { try browser.send("+") }
        }
        let targets = origin.record.requests.map(\.target)
        #expect(Set(targets).count == targets.count)
        origin.stop()
        let third = try browser(2, through: proxy)
        try see(13, third)
        try third.send("+")
        try see(14, third)
        try origin.start()
        proxy.stop()
        for browser in browsers + [third] {
            try browser.send("+")
            try see(15, browser)
            #expect(browser.screen.text.contains("is down"))
        }
    }

    @Test func `an invalid proxy is rejected`() async {
        let run = await run(["render", "world", "--cache-proxy", "cache.lan"])
        #expect(run.status == 2 && run.errors.contains("must be an http or https address"))
    }
}
