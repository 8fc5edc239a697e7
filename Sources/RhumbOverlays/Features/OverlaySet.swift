internal import RhumbBase

/// The features of a live layer. A feature replaces an earlier one of the same id. With a time to live they
/// expire.
public struct OverlaySet: Sendable {
    private var features: [OverlayFeature] = []
    /// When each was last heard of, in seconds on a clock that never goes back.
    private var heard: [Double] = []
    private var slots: [String: Int] = [:]
    /// Seconds after which a feature goes that was not heard of again; nil: never.
    public var timeToLive: Double?
    /// The most features in a set: a table of every street of a country fits, and drawing stays below a
    /// gigabyte.
    public static let limit = 4_000_000
    /// The most memory of features, in bytes, by `OverlayFeature.memory`: enough for `limit` plain points, or
    /// for the 20 million corners that one file may have.
    public static let memoryLimit = 512 << 20
    /// The number of features left out by the limits.
    public private(set) var leftOut = 0
    private var memory = 0

    /// A set without features.
    public init(timeToLive: Double? = nil) { self.timeToLive = timeToLive }

    /// The number of features.
    public var count: Int { features.count }

    /// All of them.
    public var all: [OverlayFeature] { features }

    /// The limit that left features out, as a sentence; nil if none did.
    public var fault: String? {
        guard leftOut > 0 else { return nil }
        let isMemory = features.count < Self.limit, shown = AmountText.count(features.count)
        return
            "showing only the first \(shown) features\(isMemory ? ", as all need more than \(Self.memoryLimit >> 20) MiB" : ""); "
            + "split the file, or use a part of it"
    }

    /// Adds features up to the limits.
    /// - Parameter now: Seconds on a clock that never goes back.
    public mutating func add(_ more: [OverlayFeature], at now: Double) {
        if features.isEmpty { features.reserveCapacity(more.count) }
        for feature in more {
            let slot = feature.id.isEmpty ? nil : slots[feature.id]
            let grown = memory + feature.memory - (slot.map { features[$0].memory } ?? 0)
            guard grown <= Self.memoryLimit, slot != nil || features.count < Self.limit else {
                leftOut += 1
                continue
            }
            memory = grown
            if let slot {
                features[slot] = feature
                heard[slot] = now
                continue
            }
            if !feature.id.isEmpty { slots[feature.id] = features.count }
            features.append(feature)
            heard.append(now)
        }
    }

    /// All are gone.
    public mutating func removeAll() { self = OverlaySet(timeToLive: timeToLive) }

    /// Removes features without news for too long.
    /// - Returns: True if any were removed.
    public mutating func expire(at now: Double) -> Bool {
        guard let timeToLive, heard.contains(where: { now - $0 > timeToLive }) else { return false }
        let kept = features.indices.filter { now - heard[$0] <= timeToLive }
        features = kept.map { features[$0] }
        heard = kept.map { heard[$0] }
        memory = features.reduce(0) { $0 + $1.memory }
        slots = [:]
        for (slot, feature) in features.enumerated() where !feature.id.isEmpty { slots[feature.id] = slot }
        return true
    }
}
