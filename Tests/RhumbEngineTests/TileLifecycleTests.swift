import RhumbEngine
import RhumbTestSupport
import Testing

struct TileLifecycleTests {
    private func life(after events: [TileLifecycle.Event]) -> TileLifecycle {
        var life = TileLifecycle.idle
        for event in events { _ = life.apply(event) }
        return life
    }

    @Test func `a wanted tile is queued, loaded and stored`() {
        var life = TileLifecycle.idle
        #expect(life.apply(.wanted) == [.enqueue])
        #expect(life.apply(.wanted) == [])
        #expect(life.apply(.started(job: 1)) == [])
        #expect(life.apply(.answered(job: 1)) == [.store])
        #expect(life == .done)
        #expect(life.apply(.wanted) == [])
    }

    @Test func `a queued tile that leaves the view is dropped, and a running one is cancelled`() {
        var queued = life(after: [.wanted])
        #expect(queued.apply(.unwanted) == [.dequeue])
        var loading = life(after: [.wanted, .started(job: 4)])
        #expect(loading.apply(.unwanted) == [.cancel(job: 4)])
        #expect(loading == .idle)
    }

    @Test func `a late response is stored and makes the new job unnecessary`() {
        var back = life(after: [.wanted, .started(job: 1), .unwanted, .wanted])
        #expect(back.apply(.answered(job: 1)) == [.dequeue, .store])
        var again = life(after: [.wanted, .started(job: 1), .unwanted, .wanted, .started(job: 2)])
        #expect(again.apply(.answered(job: 1)) == [.cancel(job: 2), .store])
    }

    @Test func `a failure is kept until its retry is due and the tile is still needed`() {
        var life = life(after: [.wanted, .started(job: 1)])
        #expect(
            life.apply(.failed(job: 1, retryAfter: .seconds(5))) == [
                .storeFailure, .scheduleRetry(.seconds(5)),
            ])
        #expect(life.apply(.wanted) == [])
        #expect(life.apply(.retryDue(isWanted: true)) == [.enqueue])
        var unwanted = self.life(after: [.wanted, .started(job: 1), .failed(job: 1, retryAfter: .seconds(5))])
        #expect(unwanted.apply(.retryDue(isWanted: false)) == [])
        #expect(unwanted == .idle)
    }

    @Test func `the failure of an abandoned job changes nothing`() {
        var life = life(after: [.wanted, .started(job: 1), .unwanted, .wanted, .started(job: 2)])
        #expect(life.apply(.failed(job: 1, retryAfter: .seconds(5))) == [])
        #expect(life == .loading(job: 2))
    }

    @Test func `in any order of events there is at most one job, and a finished tile stays finished`() {
        var random = SplitMix(seed: 23)
        for _ in 0..<300 {
            var life = TileLifecycle.idle
            var running: Set<Int> = []
            var last = 0
            for _ in 0..<30 {
                let job = Int.random(in: 0...max(last, 1), using: &random)
                let event: TileLifecycle.Event
                switch Int.random(in: 0..<6, using: &random) {
                case 0: event = .wanted
                case 1: event = .unwanted
                case 2 where life == .queued:
                    last += 1
                    event = .started(job: last)
                case 3: event = .answered(job: job)
                case 4: event = .failed(job: job, retryAfter: .seconds(1))
                default: event = .retryDue(isWanted: Bool.random(using: &random))
                }
                let wasDone = life == .done
                let effects = life.apply(event)
                if case .started(let job) = event { running.insert(job) }
                for effect in effects { if case .cancel(let job) = effect { running.remove(job) } }
                if case .answered(let job) = event { running.remove(job) }
                if case .failed(let job, _) = event { running.remove(job) }
                #expect(running.count <= 1)
                if wasDone { #expect(life == .done && effects.isEmpty) }
            }
        }
    }
}
