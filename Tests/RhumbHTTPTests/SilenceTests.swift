import RhumbCore
@testable import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

/// Tests servers that accept requests and send nothing.
struct SilenceTests {
    @Test func `a silent server is reported from the fifth second on, until a byte arrives`() {
        var watch = SilenceWatch()
        watch.begin("a", at: 10)
        watch.begin("a", at: 13)
        #expect(watch.longest(at: 14.9) == nil && watch.wait(at: 14) == 1)
        #expect(watch.longest(at: 15) == ServerSilence(host: "a", seconds: 5) && watch.wait(at: 15.5) == 0.5)
        watch.receive("a", at: 16)
        #expect(watch.longest(at: 20) == nil && watch.longest(at: 22) == ServerSilence(host: "a", seconds: 6))
        watch.end("a", at: 22)
        #expect(watch.longest(at: 22) != nil)
        watch.end("a", at: 22)
        #expect(watch.longest(at: 30) == nil && watch.wait(at: 30) == nil)
    }

    @Test func `the longest silence is reported`() {
        var watch = SilenceWatch()
        for (host, time) in [("a", 3.0), ("b", 1), ("c", 2)] { watch.begin(host, at: time) }
        #expect(watch.longest(at: 9)?.host == "b")
        watch.receive("b", at: 9)
        #expect(watch.longest(at: 9) == ServerSilence(host: "c", seconds: 7))
    }

    @Test(arguments: [(30.0, 45), (60, nil)] as [(Double, Int?)])
    func `a retry soon after a timeout continues the silence, a later one does not`(
        wait: Double, seconds: Int?
    ) {
        var watch = SilenceWatch()
        watch.begin("a", at: 0)
        watch.end("a", at: 15)
        watch.begin("a", at: 15 + wait)
        #expect(watch.longest(at: 15 + wait)?.seconds == seconds)
    }

    @Test func `a completed request is not part of a later silence`() {
        var watch = SilenceWatch()
        watch.begin("a", at: 0)
        watch.receive("a", at: 7)
        watch.end("a", at: 7.001)
        watch.begin("a", at: 20)
        #expect(watch.longest(at: 24) == nil && watch.longest(at: 25)?.seconds == 5)
    }

    @Test func `the client reports a silent server, until it sends something`()
        async throws
    {
        let clock = ManualClock(), gate = LoopbackGate(), heard = Mutex<[ServerSilence?]>([])
        let fixture = try HTTPFixture(
            { options in
                options.onSilence = { silence in heard.withLock { $0.append(silence) } }
            }, clock: clock.engineClock
        ) { _ in LoopbackReply(200, picture()).with { $0.gate = gate } }
        let waiting = Task { try await fixture.send("/held") }
        #expect(await eventually { fixture.server.requestCount == 1 })
        clock.advance(by: .seconds(7))
        #expect(
            await eventually { heard.withLock { $0.last } == ServerSilence(host: "127.0.0.1", seconds: 7) })
        gate.open()
        _ = try await waiting.value
        #expect(await eventually { heard.withLock { $0.last } == .some(nil) })
    }
}
