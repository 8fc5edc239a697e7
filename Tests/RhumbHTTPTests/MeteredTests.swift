import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

/// Tests limits for expensive connections: no downloads on a metered connection, or a maximum rate.
struct MeteredTests {
    @Test func `on a metered connection nothing is downloaded, and visible tiles are fetched`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        fixture.client.isMetered = true
        let failure = await fixture.failure(fixture.request("/1", priority: .download))
        #expect(failure?.fault == .metered && failure?.message.contains("metered") == true)
        #expect(fixture.server.requestCount == 0)
        #expect(try await fixture.send("/2").status == 200)
        #expect(try await fixture.client.send(fixture.request("/3", priority: .prefetch)).status == 200)
        fixture.client.isMetered = false
        #expect(try await fixture.client.send(fixture.request("/1", priority: .download)).status == 200)
    }

    @Test func `waiting downloads are reported, and running ones finish`() async throws {
        let gate = LoopbackGate()
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let server = fixture.server
        let running = Task {
            await fixture.failure(fixture.request("/1", priority: .download, connections: 1))
        }
        #expect(await eventually { server.requestCount == 1 })
        let waiting = Task {
            await fixture.failure(fixture.request("/2", priority: .download, connections: 1))
        }
        await fixture.settle()
        fixture.client.isMetered = true
        #expect(await waiting.value?.fault == .metered)
        gate.open()
        #expect(await running.value == nil)
        #expect(server.requestCount == 1)
    }

    @Test
    func `ten downloads of twenty thousand bytes at a hundred thousand a second take the expected time`()
        async throws
    {
        let fixture = try HTTPFixture({ $0.downloadRate = 100_000 }) { _ in
            LoopbackReply(200, picture() + [UInt8](repeating: 1, count: 20_000))
        }
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for number in 1...10 {
                group.addTask {
                    #expect(await fixture.failure(fixture.request("/\(number)", priority: .download)) == nil)
                }
            }
        }
        // Without a second's worth of bytes, which may arrive immediately, and those of the last download.
        #expect(start.duration(to: .now) > .milliseconds(700))
    }

    @Test(arguments: [(1, 350_000), (3, 110_000)])
    func `the rate also holds within downloads, one or several at once`(count: Int, bytes: Int) async throws {
        let body = picture() + [UInt8](repeating: 1, count: bytes)
        let fixture = try HTTPFixture({
            $0.downloadRate = 100_000; $0.timeout = .seconds(1)
        }) { _ in LoopbackReply(200, body) }
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for number in 1...count {
                group.addTask {
                    #expect(
                        await fixture.body(fixture.request("/\(number)", priority: .download))?.count
                            == body.count)
                }
            }
        }
        // Without a second's worth of bytes, which may arrive immediately.
        #expect(start.duration(to: .now) > .milliseconds(2000))
    }

    @Test func `a paused download continues at once when its tile comes into view, and can be cancelled`()
        async throws
    {
        let body = picture() + [UInt8](repeating: 1, count: 300_000)
        let fixture = try HTTPFixture({ $0.downloadRate = 1000 }) { _ in LoopbackReply(200, body) }
        let server = fixture.server
        let download = Task { await fixture.body(fixture.request("/1", priority: .download)) }
        #expect(await eventually { server.requestCount == 1 })
        await fixture.settle()
        #expect(await fixture.body(fixture.request("/1"))?.count == body.count)
        #expect(await download.value?.count == body.count)
        #expect(server.requestCount == 1)
        let other = Task { await fixture.failure(fixture.request("/2", priority: .download)) }
        await fixture.settle()
        other.cancel()
        #expect(await other.value?.kind == .cancelled)
    }
}
