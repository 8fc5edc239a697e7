import RhumbCore
import RhumbTestSupport
import Testing

struct TrafficScheduleTests {
    private static let outage = TrafficFailure(.tomtom, .unreachable)
    private static let refusal = TrafficFailure(.tomtom, .badKey, status: 403)

    @Test func `incidents that come into view are polled at once and fetched with the model's id`() {
        var run = ScheduleRun()
        #expect(run.send(.visible([.incidents])) == [.poll(isSmall: false)])
        let effects = run.send(.modelArrived(model("a"), age: .seconds(40)))
        let set = run.schedule.shown(.incidents)
        #expect(set?.model == model("a") && set?.moment == .seconds(-40))
        #expect(effects == set.map { [.fetch($0), .swap($0)] })
    }

    @Test func `ten minutes without news are twenty polls and no set`() {
        var run = ScheduleRun.showing("a")
        run.pass(.seconds(600)) { _ in .modelArrived(model("a"), age: .seconds(50)) }
        #expect(run.polls == 20 && run.fetched.isEmpty)
        #expect(run.log.map(\.at) == (1...20).map { .seconds(30 * $0) })
    }

    @Test func `a new model is one set, swapped in only when it is complete`() {
        var run = ScheduleRun.showing("a")
        let old = run.schedule.shown(.incidents)
        run.pass(.seconds(60)) { .modelArrived(model($0 < .seconds(60) ? "a" : "b"), age: .zero) }
        #expect(run.fetched.map(\.model) == [model("b")])
        #expect(run.schedule.shown(.incidents) == old)
        let new = run.schedule.pending(.incidents)
        run.forgetLog()
        run.complete(.incidents)
        #expect(run.log.map(\.effect) == [new.map { .swap($0) }, old.map { .drop($0) }].compactMap(\.self))
        #expect(run.schedule.pending(.incidents) == nil)
    }

    @Test func `a set overtaken by a newer model is dropped, and never shown`() {
        var run = ScheduleRun.showing("a")
        run.send(.modelArrived(model("b"), age: .zero))
        let overtaken = run.schedule.pending(.incidents)
        let effects = run.send(.modelArrived(model("c"), age: .zero))
        #expect(effects.first == overtaken.map { .drop($0) })
        if let overtaken { #expect(run.send(.setComplete(overtaken.number)).isEmpty) }
        #expect(run.schedule.shown(.incidents)?.model == model("a"))
    }

    @Test
    func `without responses the last model is used for two minutes, then tiles are requested without one`() {
        var run = ScheduleRun.showing("a")
        run.pass(.seconds(119)) { _ in .pollFailed(Self.outage) }
        #expect(run.fetched.isEmpty && run.schedule.shown(.incidents)?.model == model("a"))
        run.pass(.seconds(1)) { _ in .pollFailed(Self.outage) }
        #expect(run.fetched.count == 1 && run.fetched.first?.model == nil)
        run.complete(.incidents)
        run.pass(.seconds(119)) { _ in .pollFailed(Self.outage) }
        #expect(run.fetched.count == 1)
        run.send(.modelArrived(model("b"), age: .zero))
        #expect(run.fetched.last?.model == model("b"))
    }

    @Test func `if there was never a model, tiles are requested without one at once`() {
        var run = ScheduleRun()
        run.send(.visible([.incidents]))
        run.send(.pollFailed(Self.outage))
        #expect(run.fetched.count == 1 && run.fetched.first?.model == nil)
    }

    @Test func `a rejected model is requested again once, then dropped`() {
        var run = ScheduleRun.showing("a")
        run.send(.modelArrived(model("b"), age: .zero))
        run.forgetLog()
        guard let first = run.schedule.pending(.incidents) else { return #expect(Bool(false)) }
        #expect(run.send(.modelRefused(set: first.number)) == [.drop(first), .poll(isSmall: false)])
        #expect(run.send(.modelRefused(set: first.number)).isEmpty)
        run.send(.modelArrived(model("c"), age: .zero))
        guard let second = run.schedule.pending(.incidents) else { return #expect(Bool(false)) }
        #expect(second.model == model("c"))
        run.send(.modelRefused(set: second.number))
        #expect(run.polls == 1 && run.schedule.pending(.incidents)?.model == nil)
        #expect(run.fetched.map(\.model) == [model("c"), nil])
    }

    @Test func `a rejected model that the service keeps naming leads to tiles without one, once`() {
        var run = ScheduleRun.showing("a")
        guard let set = run.schedule.shown(.incidents) else { return #expect(Bool(false)) }
        run.send(.modelRefused(set: set.number))
        for _ in 0..<4 {
            run.send(.modelArrived(model("a"), age: .zero))
            run.complete(.incidents)
        }
        #expect(run.fetched.map(\.model) == [nil])
    }

    @Test func `a rejected viewport is replaced by the smallest box until the view changes`() {
        var run = ScheduleRun()
        run.send(.visible([.incidents]))
        let rejected = TrafficFailure(.tomtom, .badRequest, status: 400)
        #expect(run.send(.pollFailed(rejected)) == [.poll(isSmall: true)])
        run.send(.modelArrived(model("a"), age: .zero))
        run.pass(.seconds(30))
        #expect(run.log.last?.effect == .poll(isSmall: true))
        run.send(.viewChanged)
        run.send(.modelArrived(model("a"), age: .zero))
        run.pass(.seconds(30))
        #expect(run.log.last?.effect == .poll(isSmall: false))
    }

    @Test func `flow is renewed by its timer, and never more often than each minute`() {
        var run = ScheduleRun()
        run.send(.visible([.flow]))
        run.complete(.flow)
        run.pass(.seconds(179))
        #expect(run.fetched.count == 1 && run.polls == 0)
        run.pass(.seconds(1))
        #expect(run.fetched.count == 2)
        let here = TrafficRules(providers: [.flow: .here])
        #expect(here.flowInterval == .seconds(60))
        #expect(TrafficRules(providers: [:], flowInterval: .seconds(5)).flowInterval == .seconds(60))
    }

    @Test(arguments: [
        [TrafficSchedule.Event.visible([])], [.online(false)], [.suspended(true)],
    ])
    func `while hidden, offline or suspended nothing is requested, and then traffic is renewed at once`(
        away: [TrafficSchedule.Event]
    ) {
        var run = ScheduleRun()
        run.send(.visible([.flow, .incidents]))
        run.send(.modelArrived(model("a"), age: .zero))
        run.complete(.flow)
        run.complete(.incidents)
        for event in away { run.send(event) }
        run.forgetLog()
        run.pass(.seconds(3600)) { _ in .modelArrived(model("b"), age: .zero) }
        #expect(run.log.isEmpty && !run.schedule.mayAsk(.flow, at: run.now))
        for event in [TrafficSchedule.Event.suspended(false), .online(true), .visible([.flow, .incidents])] {
            run.send(event)
        }
        #expect(run.polls == 1 && run.fetched.map(\.kind) == [.flow])
    }

    @Test func `while offline the last data stays, and pass-through traffic continues`() {
        var run = ScheduleRun.showing("a")
        run.send(.online(false))
        #expect(run.schedule.shown(.incidents)?.model == model("a"))
        run.forgetLog()
        run.send(.passThrough([.flow]))
        #expect(run.log.isEmpty)
        #expect(run.send(.passThrough([.incidents])) == [.poll(isSmall: false)])
    }

    @Test func `a rejected key stops the whole provider for a minute, then for two`() {
        var run = ScheduleRun()
        run.send(.visible([.flow, .incidents]))
        run.send(.pollFailed(Self.refusal))
        run.forgetLog()
        run.pass(.seconds(59))
        #expect(run.log.isEmpty && !run.schedule.mayAsk(.flow, at: run.now))
        #expect(run.schedule.problem(.flow, at: run.now) == Self.refusal)
        run.pass(.seconds(1)) { _ in .pollFailed(Self.refusal) }
        #expect(run.polls == 1 && run.schedule.pauseLeft(.incidents, at: run.now) == .seconds(120))
        run.pass(.seconds(120)) { _ in .modelArrived(model("a"), age: .zero) }
        #expect(run.schedule.problem(.incidents, at: run.now) == nil)
        #expect(run.schedule.mayAsk(.flow, at: run.now))
    }

    @Test func `a pause applies only to the provider that requests it`() {
        var run = ScheduleRun([.flow: .here, .incidents: .tomtom])
        run.send(.visible([.flow, .incidents]))
        run.send(.pollFailed(Self.refusal))
        #expect(run.schedule.mayAsk(.flow, at: run.now) && !run.schedule.mayAsk(.incidents, at: run.now))
    }

    @Test func `a poll without a response is abandoned after a minute`() {
        var run = ScheduleRun()
        run.send(.visible([.incidents]))
        run.pass(.seconds(59))
        #expect(run.polls == 1)
        run.pass(.seconds(1))
        #expect(run.polls == 2)
    }

    @Test func `another style is another set of the same model, and the old one is shown meanwhile`() {
        var run = ScheduleRun.showing("a")
        let old = run.schedule.shown(.incidents)
        run.send(.restyled(.incidents))
        #expect(
            run.schedule.shown(.incidents) == old && run.schedule.pending(.incidents)?.model == model("a"))
    }

    @Test func `another style chosen offline is fetched when the network is back, even for the same model`() {
        var run = ScheduleRun.showing("a")
        run.send(.online(false))
        #expect(run.send(.restyled(.incidents)).isEmpty)
        run.send(.online(true))
        run.send(.modelArrived(model("a"), age: .zero))
        run.send(.modelArrived(model("a"), age: .zero))
        #expect(run.fetched.map(\.model) == [model("a")])
    }

    @Test func `age counts from the creation of the data, which is stale when nothing confirms it`() {
        var run = ScheduleRun.showing("a")
        #expect(run.schedule.age(.incidents, at: run.now) == TrafficAge(.seconds(40), isStale: false))
        run.pass(.seconds(300)) { _ in .modelArrived(model("a"), age: .seconds(300)) }
        #expect(run.schedule.age(.incidents, at: run.now) == TrafficAge(.seconds(340), isStale: false))
        run.send(.online(false))
        run.pass(.seconds(360))
        #expect(run.schedule.age(.incidents, at: run.now) == TrafficAge(.seconds(700), isStale: true))
    }

    @Test(arguments: 1...60)
    func `at most one set of a kind is shown and one pending, in any order of events`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var run = ScheduleRun()
        var live: Set<TrafficSet> = []
        for _ in 0..<400 {
            run.forgetLog()
            run.send(event(&random, run.schedule))
            run.pass(.seconds(Int(random.next() % 40)))
            for entry in run.log {
                if case .fetch(let set) = entry.effect { live.insert(set) }
                if case .drop(let set) = entry.effect { live.remove(set) }
            }
            let known = TrafficKind.allCases.flatMap {
                [run.schedule.shown($0), run.schedule.pending($0)].compactMap(\.self)
            }
            #expect(live == Set(known))
        }
    }

    private func event(_ random: inout SplitMix, _ schedule: TrafficSchedule) -> TrafficSchedule.Event {
        let number = Int(random.next() % 30)
        switch random.next() % 10 {
        case 0: return .visible(Set(TrafficKind.allCases.filter { _ in random.next() % 3 > 0 }))
        case 1: return .online(random.next() % 4 > 0)
        case 2: return .suspended(random.next() % 4 == 0)
        case 3, 4: return .modelArrived(model("\(random.next() % 4)"), age: .seconds(9))
        case 5: return .pollFailed(random.next() % 3 == 0 ? Self.refusal : Self.outage)
        case 6: return .modelRefused(set: schedule.pending(.incidents)?.number ?? number)
        case 7: return .restyled(random.next() % 2 == 0 ? .flow : .incidents)
        case 8: return .setComplete(schedule.pending(.incidents)?.number ?? number)
        default: return .setComplete(schedule.pending(.flow)?.number ?? number)
        }
    }
}
