import RhumbCore
@testable import RhumbHTTP
import RhumbTestSupport
import Testing

struct AddressFailuresTests {
    private static let failure = HTTPFailure(.failed(.transient), status: 503, "busy")

    /// Returns the times at which an address that always fails is requested, if that is tried all the time.
    private func times(until end: Double, step: Double) -> [Double] {
        var failures = AddressFailures(), times: [Double] = []
        for now in stride(from: 0, to: end, by: step)
        where failures.refusal(of: "a", now: now) == nil {
            times.append(now)
            failures.add(Self.failure, of: "a", now: now)
        }
        return times
    }

    @Test(arguments: [0.01, 0.3, 1, 7, 25, 61])
    func `an address that fails is requested at most five times within a minute`(step: Double) {
        let times = times(until: 1000, step: step)
        #expect(times.allSatisfy { start in times.count { (start..<start + 60).contains($0) } <= 5 })
    }

    @Test func `a success ends the pause of an address, and another address has none`() {
        var failures = AddressFailures()
        for _ in 0..<AddressFailures.limit { failures.add(Self.failure, of: "a", now: 0) }
        #expect(failures.refusal(of: "a", now: 19)?.retryAfter == .seconds(1))
        #expect(failures.refusal(of: "b", now: 19) == nil && failures.refusal(of: "a", now: 20) == nil)
        failures.end(of: "a")
        #expect(failures.refusal(of: "a", now: 19) == nil)
    }

    @Test func `failures of more than a minute ago don't count`() {
        var failures = AddressFailures()
        for now in [0.0, 61, 62, 63] { failures.add(Self.failure, of: "a", now: now) }
        #expect(failures.refusal(of: "a", now: 63) == nil)
        failures.add(Self.failure, of: "a", now: 64)
        #expect(failures.refusal(of: "a", now: 64) != nil)
    }

    @Test func `callers of a paused address learn the failure and the wait, and send nothing`() async throws {
        let clock = ManualClock()
        let fixture = try HTTPFixture(clock: clock.engineClock) { _ in LoopbackReply(500) }
        for _ in 0..<AddressFailures.limit { _ = await fixture.failure("/1") }
        for priority in [HTTPPriority.download, .prefetch, .visible(view: 1)] {
            let failure = await fixture.failure(fixture.request("/1", priority: priority))
            #expect(failure?.status == 500 && failure?.retryAfter == .seconds(20))
            #expect(failure?.isPaused == true)
        }
        #expect(fixture.server.requestCount == AddressFailures.limit)
        clock.advance(by: .seconds(20))
        #expect(await fixture.failure("/1")?.isPaused == false)
        #expect(fixture.server.requestCount == AddressFailures.limit + 1)
    }

    @Test func `the sections of a file have pauses of their own`() async throws {
        let fixture = try HTTPFixture(clock: ManualClock().engineClock) { _ in LoopbackReply(500) }
        for count in [AddressFailures.limit, 2 * AddressFailures.limit] {
            for _ in 0...AddressFailures.limit {
                var request = fixture.request("/1", priority: .download)
                request.range = ByteRange(offset: UInt64(count), count: 10)
                _ = await fixture.failure(request)
            }
            #expect(fixture.server.requestCount == count)
        }
    }
}
