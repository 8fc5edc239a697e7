import RhumbCore
import RhumbTestSupport
import Testing

/// Tests which servers are trusted, and how they are reached, depending on the environment.
struct TrustTests {
    private static let canServe = TestIdentity.canBeMade && NginxServer.program != nil
    private let home = TemporaryFolder()

    private func render(
        _ source: String, _ environment: [String: String] = [:], _ more: [String] = []
    ) async -> ProgramRun {
        let words = ["render", source, "-z", "0", "--size", "20x6", "--timeout", "20"]
        let usual = ["HOME": TemporaryFolder().path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        return await ProgramRun.of(
            TestProducts.path("rhumb"), words + more, environment: usual.merging(environment) { $1 })
    }

    // MARK: Certificates

    private func nginx(_ identity: TestIdentity) -> NginxServer? {
        NginxServer(
            files: ["tile.png": blankPicture(.init(0x336699), side: 256)],
            extra: "location / { try_files /tile.png =404; }", identity: identity)
    }

    @Test(.enabled(if: canServe, "nginx or openssl(1) is missing"))
    func `if you name CA certificates, only servers certified by them are trusted`() async throws {
        let identity = try #require(TestIdentity()), other = try #require(TestIdentity())
        let server = try #require(nginx(identity)), map = server.url("{z}/{x}/{y}.png")
        let refused = await render(map)
        #expect(
            refused.status == 3 && refused.errors.contains("certificate")
                && refused.errors.contains("--ca-file"))
        for variable in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            #expect(await render(map, [variable: identity.authority]).status == 0, "\(variable)")
            #expect(await render(map, [variable: other.authority]).status == 3, "\(variable)")
        }
        #expect(await render(map, ["SSL_CERT_DIR": identity.trusted]).status == 0)
        #expect(
            await render(map, ["CURL_CA_BUNDLE": other.authority, "SSL_CERT_FILE": identity.authority]).status
                == 3)
        #expect(await render(map, ["CURL_CA_BUNDLE": ""]).status == 3)
        #expect(
            await render(map, ["SSL_CERT_FILE": other.authority], ["--ca-file", identity.authority]).status
                == 0)
        let config = home.write(Array(#"{"ca-file": "\#(identity.authority)"}"#.utf8), to: "config.json")
        #expect(await render(map, [:], ["--config", config]).status == 0)
    }

    @Test func `unreadable certificate authorities are reported by name`() async {
        let run = await render("world", ["SSL_CERT_FILE": "/nowhere/ca.pem"])
        #expect(run.status == 0 && run.errors.contains("can't open /nowhere/ca.pem"))
    }

    // MARK: Proxies

    private func proxy() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.method == "CONNECT"
                ? LoopbackReply(403) : LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
        }
    }

    @Test(arguments: ["http_proxy", "ALL_PROXY", "all_proxy"])
    func `plain servers are reached through the named proxy`(variable: String) async throws {
        let proxy = try proxy(), map = "http://tiles.example/{z}/{x}/{y}.png"
        #expect(await render(map, [variable: proxy.url("")]).status == 0)
        #expect(proxy.record.requests.first?.target == "http://tiles.example/0/0/0.png")
        #expect(await render(map, [variable: proxy.url(""), "NO_PROXY": "tiles.example"]).status == 3)
        #expect(await render(map, [variable: proxy.url(""), "no_proxy": "example"]).status == 3)
        #expect(proxy.requestCount == 1)
    }

    @Test(arguments: ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"])
    func `https servers are reached through a tunnel, and a refused one is reported`(
        variable: String
    ) async throws {
        let proxy = try proxy()
        let run = await render("https://tiles.example/{z}/{x}/{y}.png", [variable: proxy.url("")])
        #expect(run.status == 3 && run.errors.contains("proxy"), "\(run.errors)")
        let first = try #require(proxy.record.requests.first)
        #expect(first.method == "CONNECT" && first.target == "tiles.example:443")
    }

    @Test(.enabled(if: canServe, "nginx or openssl(1) is missing"))
    func `a silent proxy is reported, and NO_PROXY bypasses it`() async throws {
        let identity = try #require(TestIdentity()), server = try #require(nginx(identity))
        let environment = ["https_proxy": "http://127.0.0.1:1", "CURL_CA_BUNDLE": identity.authority]
        let run = await render(server.url("{z}/{x}/{y}.png"), environment)
        #expect(run.status == 3 && run.errors.contains("proxy"), "\(run.errors)")
        let around = environment.merging(["NO_PROXY": "127.0.0.1"]) { $1 }
        #expect(await render(server.url("{z}/{x}/{y}.png"), around).status == 0)
    }
}
