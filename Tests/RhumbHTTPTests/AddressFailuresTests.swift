import RhumbCore
@testable import RhumbHTTP
import RhumbTestSupport
import Synchronization
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

    @Test func `a failure of a request in flight during the pause counts, too`() {
        var failures = AddressFailures()
        for now in [0, 1, 2, 3, 3.1] { failures.add(Self.failure, of: "a", now: now) }
        #expect(failures.refusal(of: "a", now: 62) != nil && failures.refusal(of: "a", now: 63.5) == nil)
    }

    @Test func `a second failure during a pause that the server stated doesn't lengthen it`() {
        var failures = AddressFailures()
        let failure = HTTPFailure(.failed(.rate), status: 429, retryAfter: .seconds(5), "busy")
        for now in [0.0, 1] { failures.add(failure, of: "a", pausedAt: now) }
        #expect(failures.refusal(of: "a", now: 5) != nil && failures.refusal(of: "a", now: 6) == nil)
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

/// Tests failures that several processes share, each with a client of its own.
struct SharedFailuresTests {
    private let folder = TemporaryFolder()

    private func client(at clock: ManualClock) throws -> HTTPClient {
        try .forTests({ $0.failureFile = folder.path + "/state/failures" }, clock: clock.engineClock)
    }

    private func failure(_ request: HTTPRequest, at clock: ManualClock) async throws -> HTTPFailure? {
        do {
            _ = try await client(at: clock).send(request)
            return nil
        } catch let failure as HTTPFailure {
            return failure
        }
    }

    @Test(arguments: [500, 429, 403])
    func `an address that fails is requested at most five times by several processes`(
        status: Int
    ) async throws {
        let clock = ManualClock()
        let fixture = try HTTPFixture { _ in LoopbackReply(status, headers: ["Retry-After": "1"]) }
        for _ in 0..<12 { _ = try await failure(fixture.request("/1"), at: clock) }
        #expect((1...5).contains(fixture.server.requestCount))
        let last = try await failure(fixture.request("/1"), at: clock)
        #expect(last?.status == status && last?.message.contains("not asked again") == true)
        #expect(last?.message.components("not asked again") == 1)
    }

    @Test func `another address and another key are requested at once, and a success ends the pause`()
        async throws
    {
        let clock = ManualClock(), isBroken = Mutex(true)
        let fixture = try HTTPFixture { _ in
            isBroken.withLock { $0 } ? LoopbackReply(403) : LoopbackReply(200, picture())
        }
        var request = fixture.request("/1?key=OLD")
        _ = try await failure(request, at: clock)
        _ = try await failure(request, at: clock)
        #expect(fixture.server.requestCount == 1)
        isBroken.withLock { $0 = false }
        request = fixture.request("/1?key=NEW")
        #expect(try await failure(request, at: clock) == nil)
        #expect(try await failure(fixture.request("/1?key=OLD"), at: clock)?.status == 403)
        #expect(folder.everyFileContaining("OLD") == [])
        clock.advance(by: .seconds(61))
        #expect(try await failure(fixture.request("/1?key=OLD"), at: clock) == nil)
    }

    @Test func `a damaged file is ignored`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        _ = folder.write(Array("[{\"key\":".utf8), to: "failures")
        let client = try HTTPClient.forTests({ [folder] in $0.failureFile = folder.path + "/failures" })
        #expect(try await client.send(fixture.request("/1")).status == 200)
    }
}

extension String {
    /// Returns the number of occurrences of a text.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
