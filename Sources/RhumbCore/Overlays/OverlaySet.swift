/// The features of a live layer as they come and go: one of the same id takes the place of the one before, and with a
/// time to live they go by themselves.
public struct OverlaySet: Sendable {
    private var features: [OverlayFeature] = []
    /// When each was last heard of, in seconds on a clock that never goes back.
    private var heard: [Double] = []
    private var slots: [String: Int] = [:]
    /// Seconds after which a feature goes that was not heard of again; nil: never.
    public var timeToLive: Double?
    /// No more features than that are kept.
    public static let limit = 4_000_000
    /// How many were left out because there are too many.
    public private(set) var leftOut = 0

    /// A set without features.
    public init(timeToLive: Double? = nil) { self.timeToLive = timeToLive }

    /// How many there are.
    public var count: Int { features.count }

    /// All of them.
    public var all: [OverlayFeature] { features }

    /// Takes in features that came.
    /// - Parameter now: in seconds.
    public mutating func add(_ more: [OverlayFeature], at now: Double) {
        if features.isEmpty { features.reserveCapacity(more.count) }
        for feature in more {
            if !feature.id.isEmpty, let slot = slots[feature.id] {
                (features[slot], heard[slot]) = (feature, now)
                continue
            }
            guard features.count < Self.limit else {
                leftOut += 1
                continue
            }
            if !feature.id.isEmpty { slots[feature.id] = features.count }
            features.append(feature)
            heard.append(now)
        }
    }

    /// All are gone.
    public mutating func removeAll() { self = OverlaySet(timeToLive: timeToLive) }

    /// Lets go of what was not heard of for too long.
    /// - Returns: whether anything went.
    public mutating func expire(at now: Double) -> Bool {
        guard let timeToLive, heard.contains(where: { now - $0 > timeToLive }) else { return false }
        let kept = features.indices.filter { now - heard[$0] <= timeToLive }
        (features, heard) = (kept.map { features[$0] }, kept.map { heard[$0] })
        slots = [:]
        for (slot, feature) in features.enumerated() where !feature.id.isEmpty { slots[feature.id] = slot }
        return true
    }
}
