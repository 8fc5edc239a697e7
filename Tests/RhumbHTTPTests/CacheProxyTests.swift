import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

@testable import RhumbHTTP

/// A source and a caching proxy that forwards nothing: both send their own name's picture.
private struct ProxyFixture {
    let source: LoopbackServer, proxy: LoopbackServer
    let client: HTTPClient
    private let problems: Problems

    private final class Problems: Sendable {
        let list = Mutex<[String]>([])
    }

    static let fromSource = picture(500, seed: 1), fromProxy = picture(500, seed: 2)

    init(
        requiresProxy: Bool = false, headers: KeyValuePairs<String, String> = [:], status: Int = 200,
        clock: EngineClock = .machine
    ) throws {
        let problems = Problems()
        self.problems = problems
        source = try LoopbackServer { _ in LoopbackReply(200, Self.fromSource, headers: ["ETag": "\"1\""]) }
        let reply = LoopbackReply(status, status == 200 ? Self.fromProxy : [], headers: headers)
        let proxy = try LoopbackServer { _ in reply }
        self.proxy = proxy
        client = try HTTPClient.forTests(
            {
                $0.cacheProxy = CacheProxy(proxy.url(""))
                $0.requiresCacheProxy = requiresProxy
                $0.onServerProblem = { problem in
                    problems.list.withLock { $0.append(problem.description) }
                }
            }, clock: clock)
    }

    func request(_ target: String = "/1.png") -> HTTPRequest { HTTPRequest(HTTPAddress(source.url(target))) }

    func body(_ request: HTTPRequest) async throws -> [UInt8] { try await client.send(request).body }

    var said: [String] { problems.list.withLock { $0 } }
}

struct CacheProxyTests {
    @Test(
        arguments: [
            (
                "http://cache.lan", "https://t.example/1/2.png?a=b",
                "http://cache.lan/https/t.example/1/2.png?a=b"
            ),
            (
                "https://cache.lan:8443/x/", "http://t.example:81/",
                "https://cache.lan:8443/x/http/t.example:81/"
            ),
            ("http://cache.lan", "s3://bucket/key", nil),
        ] as [(String, String, String?)])
    func `the address of a source follows that of the proxy`(
        proxy: String, address: String, url: String?
    ) throws {
        #expect(try #require(CacheProxy(proxy)).url(for: HTTPAddress(address)) == url)
    }

    @Test(arguments: [
        "", "cache.lan", "ftp://cache.lan", "http://", "http://u:p@cache.lan", "http://cache.lan/?key=1",
    ])
    func `other addresses are no proxies`(address: String) { #expect(CacheProxy(address) == nil) }

    @Test func `a request goes through the proxy`() async throws {
        let fixture = try ProxyFixture()
        #expect(try await fixture.body(fixture.request("/1.png?a=b")) == ProxyFixture.fromProxy)
        let host = "127.0.0.1:\(fixture.source.port)"
        #expect(fixture.proxy.record.requests.map(\.target) == ["/http/\(host)/1.png?a=b"])
        #expect(fixture.source.requestCount == 0 && fixture.said.isEmpty)
    }

    @Test func `requests with personal keys bypass the proxy`() async throws {
        let fixture = try ProxyFixture()
        var requests = [
            fixture.request("/1.png?key=s3cr3t"),
            HTTPRequest(HTTPAddress(fixture.source.url("/s3cr3t/1.png"), secrets: ["s3cr3t"])),
            fixture.request(), fixture.request(),
        ]
        requests[2].headers = ["Authorization": "Bearer abc"]
        requests[3].headers = ["X-Own": "abc"]
        requests[3].secretHeaders = ["X-Own"]
        for request in requests { #expect(try await fixture.body(request) == ProxyFixture.fromSource) }
        #expect(fixture.proxy.requestCount == 0)
    }

    @Test func `sources that forbid shared copies bypass the proxy`() async throws {
        let fixture = try ProxyFixture()
        var request = fixture.request()
        request.rules.allowsSharedCache = false
        #expect(try await fixture.body(request) == ProxyFixture.fromSource)
        let list = Array(
            #"{"sources": [{"id": "x", "url": "https://h/{z}/{x}/{y}", "policy": {"sharedCache": false}}]}"#
                .utf8)
        #expect(try SourceList.parse(list).first?.rules.allowsSharedCache == false)
    }

    @Test func `a source's own proxy precedes that of all sources`() async throws {
        let fixture = try ProxyFixture(), other = try LoopbackServer { _ in LoopbackReply(200, picture(9)) }
        var request = fixture.request()
        request.rules.cacheProxy = other.url("")
        #expect(try await fixture.body(request) == picture(9))
        #expect(fixture.proxy.requestCount == 0)
    }

    @Test(arguments: [403, 502, 503, 504])
    func `a source that the proxy can't serve is asked directly`(status: Int) async throws {
        let fixture = try ProxyFixture(status: status)
        #expect(try await fixture.body(fixture.request()) == ProxyFixture.fromSource)
        #expect(fixture.proxy.requestCount == 1 && fixture.said.isEmpty)
    }

    @Test func `while the proxy is down, sources are asked directly, and this is reported once`() async throws
    {
        let fixture = try ProxyFixture()
        fixture.proxy.stop()
        for number in 1...5 {
            #expect(try await fixture.body(fixture.request("/\(number).png")) == ProxyFixture.fromSource)
        }
        #expect(fixture.said.count == 1 && fixture.said.first?.contains("connection refused") == true)
    }

    @Test func `a proxy that returns is used again`() async throws {
        let clock = ManualClock(), machine = EngineClock.machine
        let fixture = try ProxyFixture(
            clock: EngineClock(now: clock.engineClock.now, sleep: machine.sleep, date: machine.date))
        fixture.proxy.stop()
        #expect(try await fixture.body(fixture.request("/1.png")) == ProxyFixture.fromSource)
        try fixture.proxy.start()
        #expect(try await fixture.body(fixture.request("/2.png")) == ProxyFixture.fromSource)
        clock.advance(by: .seconds(6))
        #expect(try await fixture.body(fixture.request("/3.png")) == ProxyFixture.fromProxy)
        #expect(fixture.said.count == 1)
    }

    @Test func `if only the proxy may be asked, requests fail while it is down`() async throws {
        let fixture = try ProxyFixture(requiresProxy: true)
        fixture.proxy.stop()
        for _ in 1...2 {
            await #expect { try await fixture.body(fixture.request()) } throws: {
                ($0 as? HTTPFailure)?.fault == .connectionRefused
            }
        }
        #expect(fixture.source.requestCount == 0)
    }

    @Test func `a proxy that sends expired data or removes validators is reported once`() async throws {
        let fixture = try ProxyFixture(headers: ["Cache-Control": "max-age=60", "Age": "90000"])
        var request = fixture.request()
        request.validators = Validators(etag: "\"1\"")
        for _ in 1...2 { #expect(try await fixture.body(request) == ProxyFixture.fromProxy) }
        #expect(fixture.said.count == 2)
        #expect(
            fixture.said.contains { $0.contains("expired") } && fixture.said.contains { $0.contains("ETag") })
    }
}
