/// A vector tile layer with its features in classes: features of one class are equal in everything that a
/// style reads, so that each class is evaluated once.
public struct ClassedLayer: Sendable {
    /// The layer as it was decoded.
    public let layer: VectorLayer
    /// For each feature its class; -1 where its attributes are damaged.
    public let classes: [Int32]
    /// The first feature of each class.
    public let examples: [VectorFeature]

    /// Sorts the features of a layer into classes.
    /// - Parameter use: The parts of features that a style reads.
    public init(_ layer: VectorLayer, by use: FeatureUse) {
        var sorter = FeatureSorter(layer, use)
        self.layer = layer
        classes = layer.features.map { sorter.number(of: $0) }
        examples = sorter.examples
    }

    /// Returns the value of a function of features for each class.
    /// - Parameters:
    ///   - context: Set to an example of each class before the function is called.
    ///   - value: The function, which depends only on what the style reads.
    public func map<Value>(
        _ context: inout StyleContext, _ value: (inout StyleContext) -> Value
    ) -> [Value?] {
        examples.map { context.enter($0) ? value(&context) : nil }
    }
}

extension VectorTile {
    /// The first layer of a name with its features in classes; nil if there is none or it is damaged.
    public func layer(named name: String, by use: FeatureUse) -> ClassedLayer? {
        (try? layer(named: name)).flatMap(\.self).map { ClassedLayer($0, by: use) }
    }
}

/// Finds the classes of features.
private struct FeatureSorter {
    private enum Part { case ignored, presence, value }

    private let layer: VectorLayer
    private let isUnbounded: Bool
    /// The used parts of each of the layer's attributes.
    private let parts: [Part]
    private var table = KeyTable()
    private(set) var examples: [VectorFeature] = []
    private var tags: [UInt32] = []
    private var key: [UInt32] = []

    init(_ layer: VectorLayer, _ use: FeatureUse) {
        self.layer = layer
        isUnbounded = use.isUnbounded
        parts = layer.keys.map {
            use.values.contains($0) ? .value : use.presences.contains($0) ? .presence : .ignored
        }
    }

    mutating func number(of feature: VectorFeature) -> Int32 {
        guard layer.readTags(of: feature, into: &tags) else { return -1 }
        if isUnbounded { return add(feature) }
        key.removeAll(keepingCapacity: true)
        key.append(UInt32(feature.kind.rawValue))
        for at in stride(from: 0, to: tags.count, by: 2) {
            let part = parts[Int(tags[at])]
            if part == .ignored { continue }
            key.append(tags[at])
            key.append(part == .value ? tags[at + 1] : .max)
        }
        let number = table.number(of: key)
        return number == examples.count ? add(feature) : Int32(number)
    }

    private mutating func add(_ feature: VectorFeature) -> Int32 {
        examples.append(feature)
        return Int32(examples.count - 1)
    }
}

/// Numbers lists of numbers in the order of their first coming: an open hash table, since there are
/// many features and few classes.
private struct KeyTable {
    /// All keys, one behind the other.
    private var keys: [UInt32] = []
    private var ends: [Int] = []
    /// Key numbers by hash, -1 where there is none; a power of two of them, less than half taken.
    private var slots = [Int](repeating: -1, count: 64)

    mutating func number(of key: [UInt32]) -> Int {
        let slot = slot(of: key[...])
        if slots[slot] >= 0 { return slots[slot] }
        slots[slot] = ends.count
        keys += key
        ends.append(keys.count)
        if ends.count * 2 > slots.count { grow() }
        return ends.count - 1
    }

    private func key(_ number: Int) -> ArraySlice<UInt32> {
        keys[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
    }

    /// Returns the slot of a key, existing or free.
    private func slot(of key: ArraySlice<UInt32>) -> Int {
        var slot = Self.hash(key) & (slots.count - 1)
        while slots[slot] >= 0, self.key(slots[slot]) != key { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func grow() {
        slots = [Int](repeating: -1, count: slots.count * 2)
        for number in ends.indices { slots[slot(of: key(number))] = number }
    }

    private static func hash(_ key: ArraySlice<UInt32>) -> Int {
        let mixed = key.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x9E37_79B9_7F4A_7C15 }
        return Int(truncatingIfNeeded: mixed >> 33)
    }
}
