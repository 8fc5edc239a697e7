/// The parts of a feature that a style reads. Features with equal parts look alike.
public struct FeatureUse: Sendable, Hashable {
    /// True if it reads the kind: point, line or polygon.
    var kind = false
    /// The attributes it looks at.
    var values: Set<String> = []
    /// The attributes whose presence alone it reads.
    var presences: Set<String> = []
    /// True if it may read anything, such as ids or attributes with computed names.
    var isUnbounded = false

    /// It looks at nothing.
    public init() {}

    mutating func formUnion(_ other: FeatureUse) {
        kind = kind || other.kind
        values.formUnion(other.values)
        presences.formUnion(other.presences)
        isUnbounded = isUnbounded || other.isUnbounded
    }
}

extension Style {
    /// Returns the parts that decide which features of a tile's layer are drawn or named, and how.
    /// - Parameter source: The style's source of the tile.
    public func featureUse(ofLayer name: String, source: String) -> FeatureUse {
        var use = FeatureUse()
        for layer in layers
        where layer.source == source && [name, Style.anyLayer].contains(layer.sourceLayer) {
            if let filter = layer.filter { use.formUnion(filter.use) }
            guard layer.kind != .symbol else { continue }
            for property in layer.properties.values { use.formUnion(property.use) }
        }
        return use
    }
}
