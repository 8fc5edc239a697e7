import RhumbCore

/// A schedule with its clock and its requests.
struct ScheduleRun {
    private(set) var schedule: TrafficSchedule
    private(set) var now = Duration.zero
    private(set) var log: [(at: Duration, effect: TrafficSchedule.Effect)] = []
    private var wake: Duration?

    init(_ providers: [TrafficKind: TrafficProvider] = [.flow: .tomtom, .incidents: .tomtom]) {
        schedule = TrafficSchedule(rules: TrafficRules(providers: providers))
    }

    /// Handles an event, and returns its effects except for sleeping.
    @discardableResult
    mutating func send(_ event: TrafficSchedule.Event) -> [TrafficSchedule.Effect] {
        let effects = schedule.apply(event, at: now)
        for effect in effects {
            if case .sleep(let moment) = effect { wake = moment } else { log.append((now, effect)) }
        }
        return effects.filter { if case .sleep = $0 { false } else { true } }
    }

    /// Advances the clock, and wakes the schedule when it is due.
    /// - Parameter answer: Returns the outcome of a poll; nil for no response.
    mutating func pass(
        _ duration: Duration, answering answer: ((Duration) -> TrafficSchedule.Event)? = nil
    ) {
        let end = now + duration
        while let next = wake, next <= end {
            now = max(next, now)
            for case .poll in send(.tick) { if let answer { send(answer(now)) } }
        }
        now = end
    }

    /// Completes the set that is pending or shown.
    mutating func complete(_ kind: TrafficKind) {
        if let set = schedule.pending(kind) ?? schedule.shown(kind) { send(.setComplete(set.number)) }
    }

    var polls: Int { log.count { if case .poll = $0.effect { true } else { false } } }
    var fetched: [TrafficSet] { log.compactMap { if case .fetch(let set) = $0.effect { set } else { nil } } }
    mutating func forgetLog() { log = [] }

    /// Returns a run that shows complete incidents of a model.
    static func showing(_ id: String) -> ScheduleRun {
        var run = ScheduleRun([.incidents: .tomtom])
        run.send(.visible([.incidents]))
        run.send(.modelArrived(model(id), age: .seconds(40)))
        run.complete(.incidents)
        run.forgetLog()
        return run
    }
}

func model(_ id: String) -> TrafficModel {
    guard let model = TrafficModel(id) else { preconditionFailure("no model: \(id)") }
    return model
}
