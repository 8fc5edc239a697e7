/// Schedules the requests for traffic. A value type without I/O or timers: it receives events with their time
/// and returns effects.
///
/// Incidents: while they are visible, the model is requested every half minute. If it is unchanged, no tile
/// is requested. If it is new, a set of all visible tiles is requested, which replaces the old set once it is
/// complete. Without responses, the last model is used for two more minutes, then sets are requested without
/// a model. Flow: a new set is requested at each interval. Invisible kinds are not requested and are
/// refreshed as soon as they become visible again.
///
/// Times are durations since an arbitrary fixed moment.
public struct TrafficSchedule: Hashable, Sendable {
    /// An event that affects the traffic.
    public enum Event: Hashable, Sendable {
        /// The kinds that are now on the map.
        case visible(Set<TrafficKind>)
        case online(Bool)
        /// The kinds that may use the network in offline mode.
        case passThrough(Set<TrafficKind>)
        case suspended(Bool)
        /// The view has changed.
        case viewChanged
        /// The style of a kind has changed.
        case restyled(TrafficKind)
        case modelArrived(TrafficModel, age: Duration)
        case pollFailed(TrafficFailure)
        /// The service doesn't have a set's model (status 400), or a tile belongs to another model.
        case modelRefused(set: Int)
        case tileFailed(set: Int, TrafficFailure)
        /// All visible tiles of a set have arrived.
        case setComplete(Int)
        case tick
    }

    /// An action for the caller.
    public enum Effect: Hashable, Sendable {
        /// Request the model.
        /// - isSmall: True to request the smallest box, because the view's was refused.
        case poll(isSmall: Bool)
        /// Request the visible tiles of a set.
        case fetch(TrafficSet)
        /// Show a set in place of any other of its kind.
        case swap(TrafficSet)
        /// Discard a set and cancel its requests.
        case drop(TrafficSet)
        /// Send `.tick` at this time; nil for never. Replaces the previous one.
        case sleep(until: Duration?)
    }

    /// The intervals of requests. Must not change while traffic is visible.
    public var rules: TrafficRules
    package var incidents = IncidentTrack()
    var flow = FlowTrack()
    package private(set) var active: Set<TrafficKind> = []
    /// The kinds that may use the network in offline mode.
    public private(set) var passesThrough: Set<TrafficKind> = []
    private var visible: Set<TrafficKind> = []
    private var isOnline = true
    private var isSuspended = false
    private var pauses: [TrafficProvider: Pause] = [:]
    private var lastNumber = 0
    /// The time of the last `sleep` effect.
    package private(set) var wake: Duration?

    struct Pause: Hashable, Sendable {
        var until: Duration
        var refusals: Int
        var failure: TrafficFailure
    }

    /// Creates a schedule without visible traffic.
    public init(rules: TrafficRules) { self.rules = rules }

    /// Handles an event.
    /// - Returns: The effects, in the order in which to perform them.
    public mutating func apply(_ event: Event, at now: Duration) -> [Effect] {
        var effects = take(event, at: now) + reconcile(at: now) + advance(at: now)
        let next = nextWake(at: now)
        if next != wake { effects.append(.sleep(until: next)) }
        wake = next
        return effects
    }

    private mutating func take(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .visible(let kinds): visible = kinds
        case .online(let isOnline): self.isOnline = isOnline
        case .passThrough(let kinds): passesThrough = kinds
        case .suspended(let isSuspended): self.isSuspended = isSuspended
        case .viewChanged: incidents.usesSmallBox = false
        case .restyled(.flow): flow.next = now
        case .restyled(.incidents): return restyleIncidents(at: now)
        case .modelArrived(let model, let age): return take(model, age: age, at: now)
        case .pollFailed(let failure): return takePollFailure(failure, at: now)
        case .modelRefused(let number): return refuseModel(ofSet: number, at: now)
        case .tileFailed(let number, let failure):
            guard failure.pausesSource, kind(ofSet: number) != nil else { return [] }
            return pause(failure, at: now)
        case .setComplete(let number): return complete(number, at: now)
        case .tick: break
        }
        return []
    }

    // MARK: Permissions

    /// Returns true if requests for a kind may be sent now.
    public func mayAsk(_ kind: TrafficKind, at now: Duration) -> Bool {
        active.contains(kind) && pause(of: kind, at: now) == nil
    }

    /// Refreshes the kinds that became active. Drops all sets of invisible kinds, and the pending sets of
    /// kinds that became inactive.
    private mutating func reconcile(at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        for kind in TrafficKind.allCases {
            if !visible.contains(kind) {
                effects += dropAll(kind)
            } else if active.contains(kind) && !isAllowed(kind) {
                effects += dropPending(kind)
            } else if isAllowed(kind) && !active.contains(kind) {
                refresh(kind, at: now)
            }
        }
        active = Set(TrafficKind.allCases.filter(isAllowed))
        return effects
    }

    private func isAllowed(_ kind: TrafficKind) -> Bool {
        rules.providers[kind] != nil && visible.contains(kind) && !isSuspended
            && (isOnline || passesThrough.contains(kind))
    }

    private mutating func dropAll(_ kind: TrafficKind) -> [Effect] {
        switch kind {
        case .flow: flow.sets.dropAll()
        case .incidents: incidents.sets.dropAll()
        }
    }

    private mutating func dropPending(_ kind: TrafficKind) -> [Effect] {
        switch kind {
        case .flow: flow.sets.dropPending()
        case .incidents: incidents.sets.dropPending()
        }
    }

    private mutating func refresh(_ kind: TrafficKind, at now: Duration) {
        switch kind {
        case .flow: flow.next = now
        case .incidents:
            incidents.pollFailure = nil
            if incidents.pollBegan == nil { incidents.nextPoll = now }
        }
    }

    private mutating func advance(at now: Duration) -> [Effect] {
        advanceIncidents(at: now) + advanceFlow(at: now)
    }

    private func nextWake(at now: Duration) -> Duration? {
        [incidentsDue, flowDue].compactMap(\.self).min().map { max($0, now) }
    }

    // MARK: Sets

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func kind(ofSet number: Int) -> TrafficKind? {
        (flow.sets.set(number) ?? incidents.sets.set(number))?.kind
    }

    /// Returns the set of a kind on screen; nil if there is none.
    public func shown(_ kind: TrafficKind) -> TrafficSet? { sets(kind).shown }

    /// Returns the set of a kind that will replace the shown one; nil if there is none.
    public func pending(_ kind: TrafficKind) -> TrafficSet? { sets(kind).pending }

    func sets(_ kind: TrafficKind) -> TrafficSetPair { kind == .flow ? flow.sets : incidents.sets }

    private mutating func complete(_ number: Int, at now: Duration) -> [Effect] {
        guard let kind = kind(ofSet: number), let set = sets(kind).set(number) else { return [] }
        endPause(of: kind, at: now)
        if set.model != nil { incidents.refusals = 0 }
        return kind == .flow ? flow.sets.complete(number) : incidents.sets.complete(number)
    }

    // MARK: Pauses

    /// Returns the failure that pauses requests for a kind; nil if none does.
    func pause(of kind: TrafficKind, at now: Duration) -> TrafficFailure? {
        pauseEnd(of: kind).flatMap { $0.until > now ? $0.failure : nil }
    }

    func pauseEnd(of kind: TrafficKind) -> Pause? { rules.providers[kind].flatMap { pauses[$0] } }

    mutating func pause(_ failure: TrafficFailure, at now: Duration) -> [Effect] {
        let last = pauses[failure.provider]
        if let last, last.until > now { return [] }
        let refusals = (last?.refusals ?? 0) + 1
        pauses[failure.provider] = Pause(
            until: now + failure.coolDown(refusals: refusals), refusals: refusals, failure: failure)
        var effects: [Effect] = []
        if rules.providers[.flow] == failure.provider {
            effects += flow.sets.dropUnfinished()
            flow.next = now
        }
        if rules.providers[.incidents] == failure.provider {
            effects += incidents.sets.dropUnfinished()
            incidents.nextPoll = now
        }
        return effects
    }

    /// Ends the pause of a kind's provider, because a request succeeded.
    mutating func endPause(of kind: TrafficKind, at now: Duration) {
        guard pause(of: kind, at: now) == nil, let provider = rules.providers[kind] else { return }
        pauses[provider] = nil
    }

    /// Returns the age of the shown traffic of a kind; nil until its first set is complete.
    public func age(_ kind: TrafficKind, at now: Duration) -> TrafficAge? {
        let sets = sets(kind)
        guard let shown = sets.shown, sets.isShownWhole else { return nil }
        let staleAfter = kind == .flow ? rules.flowInterval + TrafficRules.flowFloor : rules.modelLife
        return TrafficAge(now - shown.moment, isStale: now - sets.confirmed > staleAfter)
    }

    /// Returns true if tiles of a kind are still loading.
    public func isLoading(_ kind: TrafficKind) -> Bool {
        let sets = sets(kind)
        guard active.contains(kind) else { return false }
        return sets.pending != nil || !sets.isShownWhole
    }

    /// Returns the current problem of a kind; nil if there is none.
    public func problem(_ kind: TrafficKind, at now: Duration) -> TrafficFailure? {
        if let pause = pause(of: kind, at: now) { return pause }
        return kind == .incidents && active.contains(kind) ? incidents.pollFailure : nil
    }

    /// Returns the time until requests for a kind may be sent; zero if they may be sent now.
    public func pauseLeft(_ kind: TrafficKind, at now: Duration) -> Duration {
        max((pauseEnd(of: kind)?.until ?? now) - now, .zero)
    }
}

/// The state of flow, whose sets are renewed at regular intervals.
struct FlowTrack: Hashable, Sendable {
    var sets = TrafficSetPair()
    /// The time at which the next set is due.
    var next = Duration.zero
}

extension TrafficSchedule {
    /// The time of the next action for flow; nil while flow is inactive.
    var flowDue: Duration? {
        active.contains(.flow) ? max(flow.next, pauseEnd(of: .flow)?.until ?? .zero) : nil
    }

    mutating func advanceFlow(at now: Duration) -> [Effect] {
        guard let due = flowDue, due <= now else { return [] }
        flow.next = now + rules.flowInterval
        let set = TrafficSet(kind: .flow, number: nextNumber(), begun: now, moment: now)
        return flow.sets.begin(set)
    }
}
