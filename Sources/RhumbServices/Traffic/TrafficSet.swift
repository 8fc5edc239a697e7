/// The tiles of one kind of traffic that belong to one moment. Nothing of two sets is ever drawn
/// together.
public struct TrafficSet: Hashable, Sendable {
    /// The kind: flow or incidents.
    public let kind: TrafficKind
    /// No other set has it.
    public let number: Int
    /// The model that its tiles are requested with; nil for the newest, or for a kind without models.
    public let model: TrafficModel?
    /// When it was first asked for.
    public let begun: Duration
    /// When its data was made, as far as is known.
    public let moment: Duration

    /// A set of tiles that are shown together.
    public init(
        kind: TrafficKind, number: Int, model: TrafficModel? = nil, begun: Duration, moment: Duration
    ) {
        self.kind = kind
        self.number = number
        self.model = model
        self.begun = begun
        self.moment = moment
    }
}

/// The set on screen and the one that is to take its place.
struct TrafficSetPair: Hashable, Sendable {
    private(set) var shown: TrafficSet?
    private(set) var pending: TrafficSet?
    /// True if the shown set was complete at some time.
    private(set) var isShownWhole = false
    /// When the shown one was last known to be the newest.
    private(set) var confirmed = Duration.zero

    /// The set of that number, if it is one of the two.
    func set(_ number: Int) -> TrafficSet? {
        [shown, pending].compactMap(\.self).first { $0.number == number }
    }

    /// Starts a set. The first set is shown while it loads; a later one when it is complete.
    mutating func begin(_ set: TrafficSet) -> [TrafficSchedule.Effect] {
        let effects = dropPending() + [.fetch(set)]
        guard shown == nil else {
            pending = set
            return effects
        }
        shown = set
        isShownWhole = false
        confirmed = set.begun
        return effects + [.swap(set)]
    }

    mutating func complete(_ number: Int) -> [TrafficSchedule.Effect] {
        if shown?.number == number { isShownWhole = true }
        guard let new = pending, new.number == number else { return [] }
        let old = shown
        shown = new
        pending = nil
        isShownWhole = true
        confirmed = new.begun
        return [.swap(new)] + (old.map { [.drop($0)] } ?? [])
    }

    mutating func confirm(at now: Duration) { confirmed = now }

    mutating func dropPending() -> [TrafficSchedule.Effect] {
        defer { pending = nil }
        return pending.map { [.drop($0)] } ?? []
    }

    mutating func dropAll() -> [TrafficSchedule.Effect] {
        defer { self = TrafficSetPair() }
        return dropPending() + (shown.map { [.drop($0)] } ?? [])
    }

    /// Removes the sets that are useless once the source refuses requests.
    mutating func dropUnfinished() -> [TrafficSchedule.Effect] { isShownWhole ? dropPending() : dropAll() }
}
