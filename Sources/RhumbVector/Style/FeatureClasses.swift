/// A layer of a vector tile with its features grouped by the attributes that a style reads. Expressions run
/// once per group.
public struct FeatureClasses: Sendable {
    /// The decoded layer.
    public let layer: VectorLayer
    /// The group of each feature; -1 if its attributes are damaged.
    public let classes: [Int32]
    /// The first feature of each group.
    public let examples: [VectorFeature]

    /// Groups the features of a layer.
    /// - Parameter use: The parts of features that the style reads.
    public init(_ layer: VectorLayer, by use: StyleDependencies) {
        var sorter = FeatureSorter(layer, use)
        self.layer = layer
        classes = layer.features.map { sorter.number(of: $0) }
        examples = sorter.examples
    }

    /// Evaluates a function once per group.
    /// - Parameters:
    ///   - context: The context, which enters each group's example before the call.
    ///   - value: The function. Its result must depend only on the parts of features that the style reads.
    public func map<Value>(
        _ context: inout StyleContext, _ value: (inout StyleContext) -> Value
    ) -> [Value?] {
        examples.map { context.enter($0) ? value(&context) : nil }
    }
}

extension VectorTile {
    /// Returns the first layer with a name, with its features grouped; nil if there is none or it is damaged.
    public func layer(named name: String, by use: StyleDependencies) -> FeatureClasses? {
        (try? layer(named: name)).flatMap(\.self).map { FeatureClasses($0, by: use) }
    }
}

extension FeatureFaults {
    /// Counts the features of a layer, whose attributes were read when the features were grouped.
    public init(_ tile: FeatureClasses) {
        let layer = tile.layer
        var reader = GeometryReader()
        self.init()
        add(layer.damagedCount, .message)
        for (feature, number) in zip(layer.features, tile.classes) {
            let reason = Self.reason(feature, of: layer, hasAttributes: number >= 0, &reader)
            if let reason { add(1, reason) }
        }
    }
}

/// Assigns features to groups.
private struct FeatureSorter {
    private enum Part { case ignored, presence, value }

    private let layer: VectorLayer
    private let isUnbounded: Bool
    /// The part of each of the layer's attributes that matters.
    private let parts: [Part]
    private var table = KeyTable()
    private(set) var examples: [VectorFeature] = []
    private var tags: [UInt32] = []
    private var key: [UInt32] = []

    init(_ layer: VectorLayer, _ use: StyleDependencies) {
        self.layer = layer
        isUnbounded = use.isUnbounded
        parts = layer.keys.map { key in
            let names = key == layer.nameKey ? [key, "name"] : [key]
            return use.values.isDisjoint(with: names)
                ? use.presences.isDisjoint(with: names) ? .ignored : .presence : .value
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

/// Numbers sequences of integers in order of first appearance. An open-addressing hash table, tuned for many
/// features and few groups.
private struct KeyTable {
    /// All keys, concatenated.
    private var keys: [UInt32] = []
    private var ends: [Int] = []
    /// The key numbers by hash, -1 for empty slots. The count is a power of two and at least twice the number
    /// of keys.
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

    /// Returns the slot of the key, or the empty slot for it.
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
