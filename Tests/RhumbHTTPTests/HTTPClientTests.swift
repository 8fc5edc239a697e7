import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

struct HTTPClientTests {
    /// Each client would wait for a minute if its thread were not notified to end.
    @Test(.timeLimit(.minutes(5)))
    func `a released client ends its thread at once`() throws {
        for _ in 0..<200 { _ = try HTTPClient.forTests() }
    }

    @Test func `a tile arrives with its headers and times`() async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(200, picture(), headers: ["ETag": "unquoted", "X-A": "1", "x-a": "2"])
        }
        let response = try await fixture.send("/1")
        #expect(response.status == 200 && response.body == picture())
        #expect(response.headers["X-A"] == "1, 2")
        #expect(response.validators.etag == "unquoted")
        #expect(response.wireBytes == 100)
        #expect(response.receivedAt >= response.requestedAt)
    }

    @Test(arguments: [(404, true), (410, true), (204, true), (200, false)])
    func `absence is a response, whatever its body`(status: Int, isAbsent: Bool) async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(status, status == 204 ? [] : picture()) }
        let response = try await fixture.send("/1")
        #expect(response.isAbsent == isAbsent)
        #expect(response.body.isEmpty == isAbsent)
    }

    @Test(
        arguments: [
            (400, .permanent), (401, .refused), (403, .refused), (429, .rate), (500, .transient),
            (503, .transient), (501, .permanent), (206, .badContent), (304, .badContent), (201, .badContent),
        ] as [(Int, FailureClass)])
    func `other statuses are failures of their class`(status: Int, failureClass: FailureClass) async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(status, status == 304 ? [] : picture()) }
        let failure = await fixture.failure("/1")
        #expect(failure?.failureClass == failureClass)
        #expect(failure?.status == status)
    }

    @Test func `Rhumb identifies itself`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        _ = try await fixture.send("/1")
        let request = try #require(fixture.server.record.requests.first)
        #expect(request.header("User-Agent") == "RhumbTests/1.0 (+https://rhumb.example)")
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("Cache-Control") == nil && request.header("Pragma") == nil)
    }

    @Test func `one connection serves many requests`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        for number in 0..<20 { _ = try await fixture.send("/\(number)") }
        #expect(fixture.server.record.connections == 1)
        #expect(fixture.server.requestCount == 20)
    }

    @Test(.timeLimit(.minutes(2)))
    func `while all connections are busy, impossible requests are still rejected`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture({ $0.connections = 1 }) { _ in
            LoopbackReply(200, picture()).with { $0.gate = gate }
        }
        async let first = fixture.send("/1")
        #expect(await eventually { fixture.server.requestCount == 1 })
        async let same = fixture.send("/1")
        let refused = await fixture.failure(HTTPRequest(HTTPAddress("ftp://example.org/1.png")))
        #expect(refused?.fault == .badAddress)
        gate.open()
        #expect(try await first.body == same.body)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `no more requests run than a source's rules allow`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let server = fixture.server
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                let request = fixture.request("/\(number)", connections: 2)
                group.addTask { (try? await fixture.client.send(request)) != nil }
            }
            #expect(await eventually { server.requestCount == 2 })
            gate.open()
            #expect(await group.reduce(true) { $0 && $1 })
        }
        #expect(server.requestCount == 12 && server.record.mostAtOnce == 2)
    }

    @Test func `simultaneous requests for an address are sent once`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let bodies = await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<8 { group.addTask { try? await fixture.send("/same").body } }
            let server = fixture.server
            #expect(await eventually { server.requestCount == 1 })
            // A client handles its requests in order, so all eight have arrived when this one has.
            group.addTask { try? await fixture.send("/other").body }
            #expect(await eventually { server.requestCount == 2 })
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 9 && bodies.allSatisfy { $0 == picture() })
        #expect(fixture.server.count("/same") == 1)
    }

    @Test func `a cancelled request ends at once and frees its slot`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { request in
            LoopbackReply(200, picture()).with { $0.gate = request.target == "/stuck" ? gate : nil }
        }
        let stuck = fixture.request("/stuck", connections: 1), free = fixture.request("/free", connections: 1)
        let task = Task { await fixture.failure(stuck) }
        let server = fixture.server
        #expect(await eventually { server.requestCount == 1 })
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        #expect(try await fixture.client.send(free).status == 200)
        gate.open()
    }

    @Test func `cancelling one of two waiting callers doesn't affect the other's response`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let first = Task { await fixture.failure("/1") }
        let server = fixture.server
        #expect(await eventually { server.requestCount == 1 })
        let second = Task { try? await fixture.send("/1").status }
        let probe = Task { try? await fixture.send("/probe").status }
        #expect(await eventually { server.requestCount == 2 })
        first.cancel()
        #expect(await first.value?.kind == .cancelled)
        gate.open()
        #expect(await second.value == 200)
        #expect(await probe.value == 200)
        #expect(server.count("/1") == 1)
    }

    @Test func `a task cancelled beforehand sends nothing`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        let task = Task { () -> HTTPFailure? in
            withUnsafeCurrentTask { $0?.cancel() }
            return await fixture.failure("/1")
        }
        #expect(await task.value?.kind == .cancelled)
        #expect(fixture.server.requestCount == 0)
    }

    @Test func `a visible tile overtakes waiting downloads`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { request in
            LoopbackReply(200, picture()).with { $0.gate = request.target == "/first" ? gate : nil }
        }
        let server = fixture.server
        await withTaskGroup(of: Void.self) { group in
            func add(_ target: String, _ priority: HTTPPriority) {
                let request = fixture.request(target, priority: priority, connections: 1)
                group.addTask { _ = try? await fixture.client.send(request) }
            }
            add("/first", .download)
            #expect(await eventually { server.requestCount == 1 })
            for number in 0..<5 { add("/download\(number)", .download) }
            add("/prefetch", .prefetch)
            add("/visible", .visible(view: 1))
            await fixture.settle()
            gate.open()
        }
        let targets = server.record.requests.map(\.target).filter { $0 != "/settle" }
        #expect(targets.prefix(3) == ["/first", "/visible", "/prefetch"])
    }

    @Test func `a client lives as long as a request waits for it`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        var client: HTTPClient? = try HTTPClient.forTests()
        let request = HTTPRequest(HTTPAddress(server.url("/1")))
        let task = Task { [client] in (try? await client?.send(request))?.status }
        #expect(await eventually { server.requestCount == 1 })
        client = nil
        gate.open()
        #expect(await task.value == 200)
    }
}

extension HTTPFixture {
    /// Waits until the client has handled all earlier requests, by sending a later request to another host.
    func settle() async {
        let fence = try? LoopbackServer { _ in LoopbackReply(200, picture()) }
        guard let fence else { return }
        for _ in 0..<20 {
            await Task.yield()
            _ = try? await client.send(HTTPRequest(HTTPAddress(fence.url("/settle"))))
        }
    }
}
