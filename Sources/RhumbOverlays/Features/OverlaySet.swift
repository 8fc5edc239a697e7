internal import RhumbBase

/// The features of a live layer. A feature replaces an earlier one of the same id. With a time to live they
/// expire.
public struct OverlaySet: Sendable {
    private var features = OverlayFeatureList()
    /// The time of each feature's last update, in seconds of a monotonic clock; empty without a `timeToLive`.
    private var heard: [Double] = []
    private var slots: [String: Int] = [:]
    /// The seconds without an update after which a feature expires; nil for never.
    public let timeToLive: Double?
    /// Maximum number of features: enough for all streets of a country, and drawing needs less than a
    /// gigabyte.
    public static let limit = 4_000_000
    /// Maximum memory of the features in bytes, by `OverlayFeature.memory`: enough for `limit` plain points,
    /// or for the 20 million corners that one file may have.
    public static let memoryLimit = 512 << 20
    /// The number of features dropped because of the limits.
    public private(set) var leftOut = 0
    private var memory = 0

    /// Creates an empty set.
    public init(timeToLive: Double? = nil) { self.timeToLive = timeToLive }

    /// The number of features.
    public var count: Int { features.count }

    /// All features.
    public var all: OverlayFeatureList { features }

    /// A sentence about the limit that dropped features; nil if none did.
    public var fault: String? {
        guard leftOut > 0 else { return nil }
        let isMemory = features.count < Self.limit, shown = AmountText.count(features.count)
        return
            "showing only the first \(shown) features\(isMemory ? ", as all need more than \(Self.memoryLimit >> 20) MiB" : ""); "
            + "split the file, or use a part of it"
    }

    /// Adds features up to the limits.
    /// - Parameter now: Seconds of a monotonic clock.
    public mutating func add(_ more: [OverlayFeature], at now: Double) {
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
                if timeToLive != nil { heard[slot] = now }
                continue
            }
            if !feature.id.isEmpty { slots[feature.id] = features.count }
            features.append(feature)
            if timeToLive != nil { heard.append(now) }
        }
    }

    /// Removes all features.
    public mutating func removeAll() { self = OverlaySet(timeToLive: timeToLive) }

    /// Removes expired features.
    /// - Returns: True if any was removed.
    public mutating func expire(at now: Double) -> Bool {
        guard let timeToLive, heard.contains(where: { now - $0 > timeToLive }) else { return false }
        let kept = features.indices.filter { now - heard[$0] <= timeToLive }
        features = OverlayFeatureList(kept.map { features[$0] })
        heard = kept.map { heard[$0] }
        memory = features.reduce(0) { $0 + $1.memory }
        slots = [:]
        for (slot, feature) in features.enumerated() where !feature.id.isEmpty { slots[feature.id] = slot }
        return true
    }
}
