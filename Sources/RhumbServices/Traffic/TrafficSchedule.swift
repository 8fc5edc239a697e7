/// The schedule of traffic requests, as a value: it takes events with their time, returns effects, and never
/// waits or sends anything.
///
/// Incidents: while they are visible, the model is requested every half minute. For an unchanged model no
/// tile is requested. A new model starts a set of all visible tiles, which replaces the old set when it is
/// complete. Without responses the last model is used for two minutes, then sets are requested without a
/// model. Flow: a new set starts whenever its interval is over. Invisible kinds are not requested, and are
/// renewed as soon as they become visible.
///
/// Times are relative to any fixed moment.
public struct TrafficSchedule: Hashable, Sendable {
    /// An event that changes the schedule.
    public enum Event: Hashable, Sendable {
        /// Which kinds are on the map now.
        case visible(Set<TrafficKind>)
        case online(Bool)
        /// Which kinds may use the network while Rhumb is switched offline.
        case passThrough(Set<TrafficKind>)
        case suspended(Bool)
        /// Another view.
        case viewChanged
        /// Tiles of a kind are to be drawn in another way from now on.
        case restyled(TrafficKind)
        case modelArrived(TrafficModel, age: Duration)
        case pollFailed(TrafficFailure)
        /// The service does not have a set's model (400), or a tile came of another.
        case modelRefused(set: Int)
        case tileFailed(set: Int, TrafficFailure)
        /// Every visible tile of a set is there.
        case setComplete(Int)
        case tick
    }

    /// An action to perform.
    public enum Effect: Hashable, Sendable {
        /// Ask for the model.
        /// - isSmall: with the smallest box, since the view's was refused.
        case poll(isSmall: Bool)
        /// Ask for a set's visible tiles.
        case fetch(TrafficSet)
        /// Show a set from now on, instead of any other of its kind.
        case swap(TrafficSet)
        /// Remove a set, and cancel its requests.
        case drop(TrafficSet)
        /// Send `.tick` at that time, or never if nil. Replaces an earlier time.
        case sleep(until: Duration?)
    }

    /// The intervals; must not change while traffic is visible.
    public var rules: TrafficRules
    package var incidents = IncidentTrack()
    var flow = FlowTrack()
    package private(set) var active: Set<TrafficKind> = []
    /// The kinds that may use the network while Rhumb is switched offline.
    public private(set) var passesThrough: Set<TrafficKind> = []
    private var visible: Set<TrafficKind> = []
    private var isOnline = true
    private var isSuspended = false
    private var pauses: [TrafficProvider: Pause] = [:]
    private var lastNumber = 0
    /// When it last asked to be woken.
    package private(set) var wake: Duration?

    struct Pause: Hashable, Sendable {
        var until: Duration
        var refusals: Int
        var failure: TrafficFailure
    }

    /// A schedule on which nothing is shown yet.
    public init(rules: TrafficRules) { self.rules = rules }

    /// Applies an event.
    /// - Returns: The actions to perform, in order.
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

    // MARK: What may be asked

    /// Returns true if requests for a kind may be sent now.
    public func mayAsk(_ kind: TrafficKind, at now: Duration) -> Bool {
        active.contains(kind) && pause(of: kind, at: now) == nil
    }

    /// Starts kinds that became visible, and removes those that became invisible.
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

    /// The set of a kind that is on screen.
    public func shown(_ kind: TrafficKind) -> TrafficSet? { sets(kind).shown }

    /// The set of a kind that is to take its place.
    public func pending(_ kind: TrafficKind) -> TrafficSet? { sets(kind).pending }

    func sets(_ kind: TrafficKind) -> TrafficSetPair { kind == .flow ? flow.sets : incidents.sets }

    private mutating func complete(_ number: Int, at now: Duration) -> [Effect] {
        guard let kind = kind(ofSet: number), let set = sets(kind).set(number) else { return [] }
        endPause(of: kind, at: now)
        if set.model != nil { incidents.refusals = 0 }
        return kind == .flow ? flow.sets.complete(number) : incidents.sets.complete(number)
    }

    // MARK: Pauses

    /// The refusal a kind waits out; nil if it waits for none.
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

    /// A request of this kind's provider succeeded.
    mutating func endPause(of kind: TrafficKind, at now: Duration) {
        guard pause(of: kind, at: now) == nil, let provider = rules.providers[kind] else { return }
        pauses[provider] = nil
    }
}
