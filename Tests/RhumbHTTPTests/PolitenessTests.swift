import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

struct PolitenessTests {
    private static let quick = RetryRule(tries: 3, backoff: Backoff(base: 0.001, cap: 0.002))

    @Test func `a temporary server error is overcome by a retry`() async throws {
        let fixture = try HTTPFixture { request in
            request.time < 3 ? LoopbackReply(500) : LoopbackReply(200, picture())
        }
        let response = try await fixture.client.load(fixture.request("/1"), retrying: Self.quick)
        #expect(response.status == 200 && fixture.server.requestCount == 3)
    }

    @Test func `a lasting failure is reported after the last retry`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(502) }
        await #expect { try await fixture.client.load(fixture.request("/1"), retrying: Self.quick) } throws: {
            ($0 as? HTTPFailure)?.status == 502
        }
        #expect(fixture.server.requestCount == 3)
    }

    @Test func `a server that returns HTTP 407 is not taken for a proxy`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(407) }, failure = await fixture.failure("/1")
        #expect(failure?.status == 407 && failure?.message.contains("proxy") == false, "\(failure as Any)")
    }

    @Test(arguments: [400, 401, 403, 405, 414, 429, 501])
    func `a permanent failure is not retried`(status: Int) async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(status) }
        _ = try? await fixture.client.load(fixture.request("/1"), retrying: Self.quick)
        #expect(fixture.server.requestCount == 1)
    }

    @Test(
        arguments: [
            (429, ["Retry-After": "90"], 90),
            (503, ["Retry-After": "90"], 90),
            (429, ["Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"], 3600),
            (429, ["x-rate-limit-reset": "99999999999"], 3600),
            (429, [:], 5),
        ] as [(Int, KeyValuePairs<String, String>, Int)])
    func `a host that requests a pause gets no requests, and callers learn how long`(
        status: Int, headers: KeyValuePairs<String, String>, seconds: Int
    ) async throws {
        let fixture = try HTTPFixture(clock: ManualClock().engineClock) { _ in
            LoopbackReply(status, headers: headers)
        }
        let first = await fixture.failure("/1")
        let second = await fixture.failure(fixture.request("/2", source: "another"))
        for failure in [first, second] {
            #expect(failure?.failureClass == .rate)
            #expect(failure?.retryAfter == .seconds(seconds))
        }
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `a host that requests a short pause is retried automatically`() async throws {
        let fixture = try HTTPFixture { request in
            request.target == "/1"
                ? LoopbackReply(429, headers: ["Retry-After": "1"]) : LoopbackReply(200, picture())
        }
        #expect(await fixture.failure("/1")?.failureClass == .rate)
        #expect(try await fixture.send("/2").status == 200)
    }

    @Test func `a burst of refusals causes only a handful of requests`() async throws {
        let fixture = try HTTPFixture(clock: ManualClock().engineClock) { _ in
            LoopbackReply(429, headers: ["Retry-After": "60"])
        }
        let classes = await withTaskGroup(of: FailureClass?.self) { group in
            for number in 0..<200 { group.addTask { await fixture.failure("/\(number)")?.failureClass } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(classes == [.rate])
        #expect(fixture.server.requestCount <= 6)
    }

    @Test(arguments: [401, 403])
    func `a rejected key pauses its source and no other`(status: Int) async throws {
        let fixture = try HTTPFixture(clock: ManualClock().engineClock) { request in
            request.target.contains("bad") ? LoopbackReply(status) : LoopbackReply(200, picture())
        }
        #expect(await fixture.failure(fixture.request("/bad", source: "keyed"))?.status == status)
        let next = await fixture.failure(fixture.request("/good", source: "keyed"))
        #expect(next?.failureClass == .refused && next?.status == nil)
        #expect(next?.retryAfter == .seconds(60))
        let other = fixture.request("/good", source: "other")
        #expect(try await fixture.client.send(other).status == 200)
        fixture.client.endPause(ofSource: "keyed")
        let again = fixture.request("/good2", source: "keyed")
        #expect(try await fixture.client.send(again).status == 200)
        #expect(fixture.server.requestCount == 3)
    }

    @Test func `no error contains a secret`() async throws {
        let fixture = try HTTPFixture { request in
            switch request.target.dropFirst().prefix(3) {
            case "429": LoopbackReply(429, headers: ["Retry-After": "0"])
            case "htm": LoopbackReply(200, Array("<html>MARKER".utf8))
            case "cut": LoopbackReply(200, picture()).with { $0.ending = .close(after: 9) }
            case "loo": .redirect("http://127.0.0.1:1/MARKER?key=MARKER")
            case "fil": .redirect("file:///MARKER")
            default: LoopbackReply(Int(request.target.dropFirst().prefix(3)) ?? 500)
            }
        }
        for start in ["400", "429", "500", "htm", "cut", "loo", "fil", "403"] {
            var request = fixture.request("/\(start)/MARKER?key=MARKER", source: start)
            request.address = HTTPAddress(request.address.url, secrets: ["MARKER"])
            request.headers = ["Authorization": "MARKER"]
            let failure = try #require(await fixture.failure(request))
            #expect(!"\(failure)".contains("MARKER"), "\(failure)")
            #expect("\(failure)".contains("127.0.0.1"), "\(failure)")
            #expect(!String(reflecting: failure).contains("MARKER"))
        }
    }

    @Test(arguments: ["", "curl/8.0", "Mozilla/5.0 (X11)", "python-requests/2", "libcurl", "/1.0", " "])
    func `an empty name is rejected`(text: String) {
        #expect(throws: UserAgentFailure.self) { try UserAgent(text) }
    }

    @Test(arguments: ["Hikes\r\nX: y", "Wän/1"])
    func `a name that is invalid in a header is rejected`(text: String) {
        #expect(throws: UserAgentFailure.unprintable) { try UserAgent(text) }
    }

    @Test func `Rhumb's own name has its version and its website`() {
        let name = UserAgent.rhumb(version: "1.2.3").description
        #expect(name.hasPrefix("Rhumb/1.2.3 (+https://") && name.hasSuffix(")"))
    }
}
