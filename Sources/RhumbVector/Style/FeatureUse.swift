/// What of a feature a style looks at. Features that are alike in this look alike.
public struct FeatureUse: Sendable, Hashable {
    /// Whether it looks at the kind: point, line or polygon.
    var kind = false
    /// The attributes it looks at.
    var values: Set<String> = []
    /// Those of which it looks only whether a feature has them.
    var presences: Set<String> = []
    /// Whether it may look at anything: ids, attributes whose name it works out.
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
    /// What decides which features of a tile's layer are drawn or named, and how they are drawn.
    /// - Parameter source: the style's source that the tile stands for.
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
