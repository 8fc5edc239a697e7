import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing
import RhumbCore

struct TileRequestTests {
    private final class Outcomes: Sendable {
        let layer = TileLayer.test(ScriptedSource { _, _ in .promise })
        let seen = Mutex<[Result<TileAnswer, TileFailure>]>([])
        func request() -> TileRequest {
            TileRequest(tile: .world, of: layer) { outcome in self.seen.withLock { $0.append(outcome) } }
        }
    }

    @Test func `a request is completed once, and later outcomes are ignored`() {
        let outcomes = Outcomes()
        let request = outcomes.request()
        #expect(request.status == .pending)
        #expect(request.complete(.absent))
        #expect(request.status == .complete)
        #expect(!request.fail(TileFailure(.sourceFailed, "too late")))
        #expect(!request.complete(.absent))
        #expect(!request.cancel())
        #expect(request.status == .complete)
        #expect(outcomes.seen.withLock { $0 } == [.success(.absent)])
    }

    @Test func `a failed request passes its failure on`() {
        let outcomes = Outcomes()
        let failure = TileFailure(.sourceFailed, "out of ink")
        #expect(outcomes.request().fail(failure))
        #expect(outcomes.seen.withLock { $0 } == [.failure(failure)])
    }

    @Test func `a cancelled request informs its source once and accepts no outcome`() {
        let outcomes = Outcomes()
        let request = outcomes.request()
        let told = Mutex(0)
        request.onCancel { told.withLock { $0 += 1 } }
        #expect(request.cancel())
        #expect(request.isCancelled)
        #expect(!request.complete(.absent))
        #expect(told.withLock { $0 } == 1)
        #expect(outcomes.seen.withLock { $0.isEmpty })
        request.onCancel { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 2)
    }

    @Test func `if many threads complete a request, one succeeds`() async {
        let outcomes = Outcomes()
        for _ in 0..<50 {
            let request = outcomes.request()
            let wins = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { request.complete(.absent) } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
        #expect(outcomes.seen.withLock { $0.count } == 50)
    }
}
