internal import RhumbBase

/// The geometry types and the attributes of a layer's features, in one tile or in many.
public struct LayerSummary: Sendable, Equatable {
    /// The number of valid features.
    public private(set) var featureCount = 0
    /// The features that can't be drawn.
    public private(set) var faults = FeatureFaults()
    /// The number of features of each geometry type.
    public private(set) var kinds: [VectorFeature.Kind: Int] = [:]
    /// The attributes by name. Names are not sanitised.
    public private(set) var fields: [String: FieldSummary] = [:]
    /// True if the layer has more than `fieldLimit` attributes, so that some are missing from `fields`.
    public private(set) var isTruncated = false

    /// Maximum number of attributes. It limits memory if an archive uses values as names.
    public static let fieldLimit = 10_000

    /// Creates a summary without features.
    public init() {}

    /// Summarises a layer of one tile.
    public init(_ layer: VectorLayer) {
        featureCount = layer.features.count
        faults.add(layer.damagedCount, .message)
        var found = [FieldSummary](repeating: FieldSummary(), count: layer.keys.count)
        var tags: [UInt32] = [], reader = GeometryReader()
        for feature in layer.features {
            kinds[feature.kind, default: 0] += 1
            let isRead = layer.readTags(of: feature, into: &tags)
            let reason = FeatureFaults.reason(feature, of: layer, hasAttributes: isRead, &reader)
            if let reason { faults.add(1, reason) }
            for at in stride(from: 0, to: tags.count, by: 2) {
                guard let value = layer.values[Int(tags[at + 1])] else { continue }
                found[Int(tags[at])].add(value)
            }
        }
        for (name, field) in zip(layer.keys, found) where field.featureCount > 0 { add(name, field) }
    }

    /// Adds the features of another tile.
    public mutating func merge(_ other: LayerSummary) {
        featureCount = featureCount.saturatingAdd(other.featureCount)
        faults.merge(other.faults)
        isTruncated = isTruncated || other.isTruncated
        for (kind, count) in other.kinds { kinds[kind] = (kinds[kind] ?? 0).saturatingAdd(count) }
        for (name, field) in other.fields { add(name, field) }
    }

    private mutating func add(_ name: String, _ field: FieldSummary) {
        guard fields[name] != nil || fields.count < Self.fieldLimit else {
            isTruncated = true
            return
        }
        fields[name, default: FieldSummary()].merge(field)
    }
}

/// The values of an attribute.
public struct FieldSummary: Sendable, Equatable {
    /// The type of a value.
    public enum ValueType: String, Sendable, CaseIterable {
        case string, number, boolean
    }

    /// The number of features with a value.
    public private(set) var featureCount = 0
    /// The types of the values.
    public private(set) var types: Set<ValueType> = []
    /// The smallest finite number; nil if there is none.
    public private(set) var minimum: VectorValue?
    /// The largest finite number; nil if there is none.
    public private(set) var maximum: VectorValue?
    /// The first distinct values, at most three. Long strings are cut off; they are not sanitised.
    public private(set) var samples: [VectorValue] = []

    private static let sampleLimit = 3
    private static let sampleLength = 100

    init() {}

    mutating func add(_ value: VectorValue) {
        featureCount += 1
        types.insert(value.type)
        if value.double?.isFinite == true { include(value) }
        addSample(value)
    }

    mutating func merge(_ other: FieldSummary) {
        featureCount = featureCount.saturatingAdd(other.featureCount)
        types.formUnion(other.types)
        for value in [other.minimum, other.maximum] { value.map { include($0) } }
        for value in other.samples { addSample(value) }
    }

    private mutating func include(_ number: VectorValue) {
        if minimum.map({ number.isLess(than: $0) }) ?? true { minimum = number }
        if maximum.map({ $0.isLess(than: number) }) ?? true { maximum = number }
    }

    private mutating func addSample(_ value: VectorValue) {
        guard samples.count < Self.sampleLimit else { return }
        let short = value.shortened(to: Self.sampleLength)
        if !samples.contains(short) { samples.append(short) }
    }
}

extension VectorValue {
    /// The type of the value.
    public var type: FieldSummary.ValueType {
        switch self {
        case .string, .nested: .string
        case .number, .integer, .unsigned: .number
        case .bool: .boolean
        }
    }

    /// Returns true if this number is smaller than another one.
    fileprivate func isLess(than other: VectorValue) -> Bool {
        let a = double ?? 0, b = other.double ?? 0
        return a == b ? whole < other.whole : a < b
    }

    /// The number as an integer; 0 for others and those that are equal to others as doubles.
    private var whole: Int128 {
        switch self {
        case .integer(let number): Int128(number)
        case .unsigned(let number): Int128(number)
        case .number(let number): Int128(exactly: number) ?? 0
        case .string, .bool, .nested: 0
        }
    }

    fileprivate func shortened(to length: Int) -> VectorValue {
        guard case .string(let text) = self, text.utf8.count > length else { return self }
        return .string(String(text.prefix(length)))
    }
}
