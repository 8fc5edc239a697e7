internal import RhumbBase

/// The features of a layer that can't be drawn, counted by reason.
public struct FeatureFaults: Equatable, Sendable {
    /// The reason why a feature can't be drawn.
    public enum Reason: Sendable, CaseIterable {
        /// Its message is damaged.
        case message
        case attributes
        /// Its geometry type is missing or unknown.
        case type
        case geometry
        /// Its geometry is valid, but has no point, no line of two points, or no ring with an area.
        case shape
    }

    private var counts: [Reason: Int] = [:]

    /// Creates an empty count.
    public init() {}

    /// True if all features can be drawn.
    public var isEmpty: Bool { counts.isEmpty }

    /// The number of features.
    public var total: Int { counts.values.reduce(0) { $0.saturatingAdd($1) } }

    /// The number of features that can't be drawn for a reason.
    public subscript(reason: Reason) -> Int { counts[reason] ?? 0 }

    mutating func add(_ count: Int, _ reason: Reason) {
        if count > 0 { counts[reason] = self[reason].saturatingAdd(count) }
    }

    /// Adds the features of another tile.
    mutating func merge(_ other: FeatureFaults) {
        for (reason, count) in other.counts { add(count, reason) }
    }

    /// Reads a feature's shape, and returns the reason why it can't be drawn; nil if it can.
    /// - Parameters:
    ///   - hasAttributes: True if the attributes are valid.
    ///   - reader: Has the feature's shape afterwards, or an empty one if it can't be read.
    static func reason(
        _ feature: VectorFeature, of layer: VectorLayer, hasAttributes: Bool, _ reader: inout GeometryReader
    ) -> Reason? {
        let hasShape = reader.read(feature, of: layer)
        if !hasAttributes { return .attributes }
        if feature.kind == .unknown { return .type }
        if !hasShape { return .geometry }
        return reader.geometry.isDrawable(as: feature.kind) ? nil : .shape
    }

    /// The number of features for each reason, such as "2 features with a damaged geometry, 1 feature of an
    /// unknown type".
    public var description: String {
        Reason.allCases.filter { self[$0] > 0 }.map { $0.text(self[$0]) }.joined(separator: ", ")
    }
}

extension FeatureFaults: CustomStringConvertible {}

extension FeatureFaults.Reason {
    fileprivate func text(_ count: Int) -> String {
        let features = AmountText.count(count, "feature")
        return switch self {
        case .message: AmountText.count(count, "damaged feature")
        case .attributes: features + " with damaged attributes"
        case .type: features + " of an unknown type"
        case .geometry: features + " with a damaged geometry"
        case .shape: features + " without a point, a length or an area"
        }
    }
}

extension VectorGeometry {
    /// Returns true if a feature of a kind with this shape leaves marks.
    fileprivate func isDrawable(as kind: VectorFeature.Kind) -> Bool {
        kind == .polygon ? (0..<partCount).contains { doubleArea(ofPart: $0) != 0 } : partCount > 0
    }
}
