import RhumbCore
@testable import RhumbEngine
import Testing

struct RefreshScheduleTests {
    private let key = TileKey(layer: "l", tile: .world)
    private let now = UnixSeconds(1_000_000)

    private func wait(_ schedule: RefreshSchedule, _ standing: TileValidity) -> Int64? {
        schedule.due(key, standing)?.seconds(since: now)
    }

    @Test func `tiles of the source itself are never revalidated`() {
        #expect(wait(RefreshSchedule(), .current) == nil)
    }

    @Test func `fresh tiles are revalidated when they expire, and stale ones at once`() {
        #expect(wait(RefreshSchedule(), .fresh(until: now.adding(50))) == 50)
        #expect(wait(RefreshSchedule(), .stale(since: now.adding(-50))) == -50)
    }

    @Test func `after responses that were already old, the intervals double up to an hour`() {
        var schedule = RefreshSchedule(), waits: [Int64?] = []
        for _ in 0..<14 {
            schedule.note(key, broughtFresh: false, at: now)
            waits.append(wait(schedule, .stale(since: now)))
        }
        #expect(waits.prefix(5) == [2, 4, 8, 16, 32] && waits.suffix(2) == [3600, 3600])
    }

    @Test func `a fresh response resets this, and is revalidated when it expires`() {
        var schedule = RefreshSchedule()
        for _ in 0..<5 { schedule.note(key, broughtFresh: false, at: now) }
        schedule.note(key, broughtFresh: true, at: now)
        #expect(wait(schedule, .fresh(until: now.adding(50))) == 50)
        #expect(wait(schedule, .stale(since: now)) == 1)
        schedule.note(key, broughtFresh: false, at: now)
        #expect(wait(schedule, .stale(since: now)) == 2)
    }

    @Test func `nothing waits when the network is back`() {
        var schedule = RefreshSchedule()
        for _ in 0..<9 { schedule.note(key, broughtFresh: false, at: now) }
        schedule.forgive()
        #expect(schedule.due(key, .stale(since: now.adding(-9))).map { $0 <= now } == true)
        schedule.note(key, broughtFresh: false, at: now)
        #expect(wait(schedule, .stale(since: now)) == 2)
    }

    @Test func `tiles are tracked separately, and forgotten`() {
        var schedule = RefreshSchedule()
        let other = TileKey(layer: "m", tile: .world)
        schedule.note(other, broughtFresh: false, at: now)
        #expect(wait(schedule, .stale(since: now)) == 0)
        schedule.forget(other)
        #expect(schedule.due(other, .stale(since: now)) == now)
    }
}
