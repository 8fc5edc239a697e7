/// Incidents: which model, and how sure that is.
package struct IncidentTrack: Hashable, Sendable {
    var sets = TrafficSetPair()
    var nextPoll = Duration.zero
    /// The time of the request in flight; nil for none.
    package var pollBegan: Duration?
    var usesSmallBox = false
    /// The last model the service named, and when.
    var model: TrafficModel?
    var named: Duration?
    var moment = Duration.zero
    /// Why the last question had no answer.
    var pollFailure: TrafficFailure?
    /// The model that tiles were not available for, and the number of refusals in a row.
    var refused: TrafficModel?
    var refusals = 0
    /// When a set without a model was last begun.
    var newestBegan: Duration?
    /// True if the sets are drawn in an outdated way.
    var isOutmoded = false
}

extension TrafficSchedule {
    /// When incidents have something to do; nil while they are not active.
    var incidentsDue: Duration? {
        guard active.contains(.incidents) else { return nil }
        let poll = incidents.pollBegan.map { $0 + rules.pollPatience } ?? incidents.nextPoll
        let next = min(poll, newestDue ?? poll)
        return max(next, pauseEnd(of: .incidents)?.until ?? .zero)
    }

    mutating func advanceIncidents(at now: Duration) -> [Effect] {
        guard let due = incidentsDue, due <= now else { return [] }
        var effects: [Effect] = []
        if let newestDue, newestDue <= now { effects += beginNewest(at: now) }
        if let began = incidents.pollBegan, began + rules.pollPatience <= now { incidents.pollBegan = nil }
        if incidents.pollBegan == nil && incidents.nextPoll <= now { effects.append(poll(at: now)) }
        return effects
    }

    /// Requests the model on half minutes, counting anew if some were missed.
    private mutating func poll(at now: Duration) -> Effect {
        let next = incidents.nextPoll + rules.pollInterval
        incidents.nextPoll = next > now ? next : now + rules.pollInterval
        incidents.pollBegan = now
        return .poll(isSmall: incidents.usesSmallBox)
    }

    // MARK: Answers

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

    /// Asks for another model once; the second time in a row, and where there is none to give
    /// up, for the newest tiles.
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

    /// When a set without a model is due: at once where there never was one, else when the last
    /// has not been confirmed for its life; not while answers come, or nothing can.
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

    /// The newest tiles are of another model than a moment ago; not more often than the model is
    /// asked for.
    private mutating func renewNewest(at now: Duration) -> [Effect] {
        let last = [incidents.sets.pending, incidents.sets.shown].compactMap { $0?.begun }.max() ?? .zero
        guard now - last >= rules.pollInterval else { return [] }
        return beginNewest(at: now)
    }
}
