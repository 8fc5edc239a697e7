import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests responses that can't be used, with a cache.
struct CachedFaultTests {
    @Test func `a damaged picture is removed from the cache`() async throws {
        let fixture = try CachedFixture { request in
            LoopbackReply(
                200, picture(100, seed: request.time == 1 ? 0 : 9), headers: ["Cache-Control": "max-age=9999"]
            )
        }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness)?.reason == .badContent && fixture.stored == nil)
        harness.clock.advance(by: .seconds(31))
        #expect(await fixture.asked(2, harness))
        #expect(fixture.seed(harness) == 9)
    }

    @Test func `a 304 to an unconditional request fails and stores nothing`() async throws {
        let fixture = try CachedFixture { _ in LoopbackReply(304) }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness)?.reason == .badContent && fixture.stored == nil)
    }
}
