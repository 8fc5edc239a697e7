import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

struct OfflineTests {
    @Test func `while offline nothing is requested`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        fixture.client.isOffline = true
        let failure = await fixture.failure("/1")
        #expect(failure?.failureClass == .offline && failure?.fault == .noNetwork)
        #expect(failure?.message.contains("offline") == true)
        #expect(fixture.server.record.connections == 0)
        fixture.client.isOffline = false
        #expect(try await fixture.send("/1").status == 200)
    }

    @Test func `running and waiting requests are cancelled when the client goes offline`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let running = Task { await fixture.failure(fixture.request("/1", connections: 1)) }
        let server = fixture.server
        #expect(await eventually { server.requestCount == 1 })
        let waiting = Task { await fixture.failure(fixture.request("/2", connections: 1)) }
        await fixture.settle()
        fixture.client.isOffline = true
        #expect(await running.value?.failureClass == .offline)
        #expect(await waiting.value?.failureClass == .offline)
        #expect(server.requestCount == 1)
        gate.open()
    }

    @Test func `pass-through requests still reach the server`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        fixture.client.isOffline = true
        var request = fixture.request("/1")
        request.passesThrough = true
        #expect(try await fixture.client.send(request).status == 200)
        #expect(await fixture.failure("/1")?.failureClass == .offline)
        #expect(fixture.server.requestCount == 1)
    }

    @Test func `a redirect is not followed if the client goes offline in between`() async throws {
        let client = Mutex<HTTPClient?>(nil)
        let fixture = try HTTPFixture { request in
            guard request.target == "/from" else { return LoopbackReply(200, picture()) }
            client.withLock { $0?.isOffline = true }
            return .redirect("/to")
        }
        client.withLock { $0 = fixture.client }
        #expect(await fixture.failure("/from")?.failureClass == .offline)
        #expect(fixture.server.count("/to") == 0)
        client.withLock { $0 = nil }
    }
}
