/// The tiles of one kind of traffic at one moment. Tiles of different sets are never drawn together.
public struct TrafficSet: Hashable, Sendable {
    /// The kind of traffic.
    public let kind: TrafficKind
    /// The unique number of the set.
    public let number: Int
    /// The model to request the tiles with; nil for the newest tiles, or for a kind without models.
    public let model: TrafficModel?
    /// The time of the first request.
    public let begun: Duration
    /// The time at which the data was created, as far as known.
    public let moment: Duration

    /// Creates a set of tiles.
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

/// The set on screen and its replacement.
struct TrafficSetPair: Hashable, Sendable {
    private(set) var shown: TrafficSet?
    private(set) var pending: TrafficSet?
    /// True if all tiles of the shown set have arrived.
    private(set) var isShownWhole = false
    /// The time at which the shown set was last confirmed as the newest.
    private(set) var confirmed = Duration.zero

    /// Returns the shown or pending set with a number; nil if it is neither.
    func set(_ number: Int) -> TrafficSet? {
        [shown, pending].compactMap(\.self).first { $0.number == number }
    }

    /// Begins a set. The first one is shown immediately; later ones only when complete.
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

    /// Drops the sets that a refusal by the provider leaves incomplete.
    mutating func dropUnfinished() -> [TrafficSchedule.Effect] { isShownWhole ? dropPending() : dropAll() }
}
