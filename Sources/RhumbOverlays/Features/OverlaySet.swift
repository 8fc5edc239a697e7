internal import RhumbBase

/// The features of a live layer. A feature replaces an earlier one of the same id. With a time to live they
/// expire. If there are too many, a document keeps its first ones and an endless feed its newest ones.
public struct OverlaySet: Sendable {
    private var features = OverlayFeatureList()
    /// The time of each feature's last update, in seconds of a monotonic clock; empty if it isn't needed.
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
    /// Maximum number of features of an endless feed: all aircraft in the air, or all ships heard in a day.
    static let feedLimit = 50_000
    /// Maximum memory of the features of an endless feed in bytes.
    static let feedMemoryLimit = 64 << 20
    /// The number of features dropped because of the limits.
    public private(set) var leftOut = 0
    private let isEndless: Bool
    private var memory = 0

    /// Creates an empty set.
    /// - Parameter isEndless: True for a feed that never ends.
    public init(timeToLive: Double? = nil, isEndless: Bool = false) {
        self.timeToLive = timeToLive
        self.isEndless = isEndless
    }

    /// The number of features.
    public var count: Int { features.count }

    /// All features.
    public var all: OverlayFeatureList { features }

    /// A sentence about the limit that dropped features; nil if none did.
    public var fault: String? {
        guard leftOut > 0 else { return nil }
        if isEndless {
            return "showing only the newest features, at most \(AmountText.count(Self.feedLimit)); "
                + "\(AmountText.count(leftOut)) older ones are removed"
        }
        let isMemory = features.count < Self.limit, shown = AmountText.count(features.count)
        return
            "showing only the first \(shown) features\(isMemory ? ", as all need more than \(Self.memoryLimit >> 20) MiB" : ""); "
            + "split the file, or use a part of it"
    }

    /// Adds features up to the limits.
    /// - Parameter now: Seconds of a monotonic clock.
    public mutating func add(_ more: [OverlayFeature], at now: Double) {
        for feature in more {
            if isEndless { makeRoom(for: feature) }
            let slot = feature.id.isEmpty ? nil : slots[feature.id]
            let grown = memory + Self.size(feature) - (slot.map { Self.size(features[$0]) } ?? 0)
            guard grown <= memoryLimit, slot != nil || features.count < limit else {
                leftOut += 1
                continue
            }
            memory = grown
            if let slot {
                features[slot] = feature
                if isTimed { heard[slot] = now }
                continue
            }
            if !feature.id.isEmpty { slots[feature.id] = features.count }
            features.append(feature)
            if isTimed { heard.append(now) }
        }
    }

    private var isTimed: Bool { timeToLive != nil || isEndless }
    private var limit: Int { isEndless ? Self.feedLimit : Self.limit }
    private var memoryLimit: Int { isEndless ? Self.feedMemoryLimit : Self.memoryLimit }

    /// Approximate memory of a feature in bytes, with its entry in `slots`.
    private static func size(_ feature: OverlayFeature) -> Int {
        feature.memory + (feature.id.isEmpty ? 0 : feature.id.utf8.count + 48)
    }

    /// Removes the oldest features if there is no room for another one.
    private mutating func makeRoom(for feature: OverlayFeature) {
        let isNew = feature.id.isEmpty || slots[feature.id] == nil
        guard isNew, features.count >= limit || memory + Self.size(feature) > memoryLimit else { return }
        let oldest = features.indices.sorted { (heard[$0], $0) < (heard[$1], $1) }.prefix(
            features.count / 4 + 1)
        leftOut += oldest.count
        keep(Set(features.indices).subtracting(oldest).sorted())
    }

    private mutating func keep(_ kept: [Int]) {
        features = OverlayFeatureList(kept.map { features[$0] })
        if isTimed { heard = kept.map { heard[$0] } }
        memory = features.reduce(0) { $0 + Self.size($1) }
        slots = [:]
        for (slot, feature) in features.enumerated() where !feature.id.isEmpty { slots[feature.id] = slot }
    }

    /// Removes all features.
    public mutating func removeAll() { self = OverlaySet(timeToLive: timeToLive, isEndless: isEndless) }

    /// Removes the features with these ids.
    /// - Returns: True if there were any.
    public mutating func remove(_ ids: [String]) -> Bool {
        let gone = Set(ids.compactMap { slots[$0] })
        guard !gone.isEmpty else { return false }
        keep(features.indices.filter { !gone.contains($0) })
        return true
    }

    /// Removes expired features.
    /// - Returns: True if any was removed.
    public mutating func expire(at now: Double) -> Bool {
        guard let timeToLive, heard.contains(where: { now - $0 > timeToLive }) else { return false }
        keep(features.indices.filter { now - heard[$0] <= timeToLive })
        return true
    }
}
