/// The state of incidents: the current model and its confirmation.
package struct IncidentTrack: Hashable, Sendable {
    var sets = TrafficSetPair()
    var nextPoll = Duration.zero
    /// The time of the model request in flight; nil if there is none.
    package var pollBegan: Duration?
    var usesSmallBox = false
    /// The last model named by the service, and when it was named.
    var model: TrafficModel?
    var named: Duration?
    var moment = Duration.zero
    /// The reason why the last model request failed.
    var pollFailure: TrafficFailure?
    /// The model that the tile service refused, and the number of consecutive refusals.
    var refused: TrafficModel?
    var refusals = 0
    /// The time at which the last set without a model began.
    var newestBegan: Duration?
    /// True if the sets are drawn in an outdated style.
    var isOutmoded = false
}

extension TrafficSchedule {
    /// The time of the next action for incidents; nil while incidents are inactive.
    var incidentsDue: Duration? {
        guard active.contains(.incidents) else { return nil }
        let poll = incidents.pollBegan.map { $0 + rules.pollTimeout } ?? incidents.nextPoll
        let next = min(poll, newestDue ?? poll)
        return max(next, pauseEnd(of: .incidents)?.until ?? .zero)
    }

    mutating func advanceIncidents(at now: Duration) -> [Effect] {
        guard let due = incidentsDue, due <= now else { return [] }
        var effects: [Effect] = []
        if let newestDue, newestDue <= now { effects += beginNewest(at: now) }
        if let began = incidents.pollBegan, began + rules.pollTimeout <= now { incidents.pollBegan = nil }
        if incidents.pollBegan == nil && incidents.nextPoll <= now { effects.append(poll(at: now)) }
        return effects
    }

    /// Requests the model at regular intervals; restarts them if some were missed.
    private mutating func poll(at now: Duration) -> Effect {
        let next = incidents.nextPoll + rules.pollInterval
        incidents.nextPoll = next > now ? next : now + rules.pollInterval
        incidents.pollBegan = now
        return .poll(isSmall: incidents.usesSmallBox)
    }

    // MARK: Responses

    mutating func take(_ model: TrafficModel, age: Duration, at now: Duration) -> [Effect] {
        incidents.pollBegan = nil
        incidents.pollFailure = nil
        incidents.newestBegan = nil
        incidents.model = model
        incidents.named = now
        incidents.moment = now - max(age, .zero)
        endPause(of: .incidents, at: now)
        guard active.contains(.incidents) else { return [] }
        let sets = incidents.sets
        if model == incidents.refused {
            let isNewest = sets.shown != nil && (sets.pending ?? sets.shown)?.model == nil
            return isNewest ? [] : beginNewest(at: now)
        }
        if incidents.isOutmoded { return begin(model, at: now) }
        if sets.pending?.model == model { return [] }
        if sets.shown?.model == model {
            incidents.sets.confirm(at: now)
            return incidents.sets.dropPending()
        }
        return begin(model, at: now)
    }

    mutating func takePollFailure(_ failure: TrafficFailure, at now: Duration) -> [Effect] {
        incidents.pollBegan = nil
        if failure.reason == .badRequest && !incidents.usesSmallBox {
            incidents.usesSmallBox = true
            incidents.nextPoll = now
            return []
        }
        incidents.pollFailure = failure.pausesSource ? nil : failure
        if failure.pausesSource { return pause(failure, at: now) }
        guard incidents.refusals == 1, active.contains(.incidents), failure.reason != .offline else {
            return []
        }
        return beginNewest(at: now)
    }

    /// Handles the refusal of a model: requests another model after the first refusal, and the newest tiles
    /// after the second in a row. Renews the newest tiles if the set has no model.
    mutating func refuseModel(ofSet number: Int, at now: Duration) -> [Effect] {
        guard let set = incidents.sets.set(number) else { return [] }
        guard let model = set.model else { return renewNewest(at: now) }
        guard incidents.refused != model else { return [] }
        incidents.refused = model
        incidents.refusals += 1
        let effects = incidents.sets.pending == set ? incidents.sets.dropPending() : []
        if incidents.refusals > 1 { return effects + beginNewest(at: now) }
        if incidents.pollBegan == nil { incidents.nextPoll = now }
        return effects
    }

    mutating func restyleIncidents(at now: Duration) -> [Effect] {
        incidents.isOutmoded = true
        guard mayAsk(.incidents, at: now) else { return [] }
        guard let model = incidents.model, let named = incidents.named,
            now - named < rules.modelLife, model != incidents.refused
        else { return incidents.sets.shown == nil ? [] : beginNewest(at: now) }
        return begin(model, at: now)
    }

    // MARK: Sets

    private mutating func begin(_ model: TrafficModel, at now: Duration) -> [Effect] {
        let set = TrafficSet(
            kind: .incidents, number: nextNumber(), model: model, begun: now, moment: incidents.moment)
        incidents.isOutmoded = false
        return incidents.sets.begin(set)
    }

    /// The time at which a set without a model is due. Immediately if there was never a model, else when the
    /// last one has expired. nil while model requests succeed or the network is offline.
    private var newestDue: Duration? {
        guard let failure = incidents.pollFailure, failure.reason != .offline else { return nil }
        if let pending = incidents.sets.pending, pending.model == nil { return nil }
        let lost = incidents.named.map { $0 + rules.modelLife } ?? .zero
        return max(lost, incidents.newestBegan.map { $0 + rules.modelLife } ?? .zero)
    }

    private mutating func beginNewest(at now: Duration) -> [Effect] {
        incidents.newestBegan = now
        incidents.isOutmoded = false
        let set = TrafficSet(kind: .incidents, number: nextNumber(), begun: now, moment: now)
        return incidents.sets.begin(set)
    }

    /// Begins a new set because the newest tiles belong to another model now. Limited to the rate of model
    /// requests.
    private mutating func renewNewest(at now: Duration) -> [Effect] {
        let last = [incidents.sets.pending, incidents.sets.shown].compactMap { $0?.begun }.max() ?? .zero
        guard now - last >= rules.pollInterval else { return [] }
        return beginNewest(at: now)
    }
}
