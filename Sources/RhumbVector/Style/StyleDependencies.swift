/// The parts of a feature that a style reads. Features that agree in them look the same.
public struct StyleDependencies: Sendable, Hashable {
    /// True if the style reads the geometry type.
    var kind = false
    /// The attributes whose values the style reads.
    var values: Set<String> = []
    /// The attributes whose presence, but not value, the style tests.
    var presences: Set<String> = []
    /// True if the style may read anything, such as ids or attributes with computed names.
    var isUnbounded = false

    /// Creates a use that reads nothing.
    public init() {}

    mutating func formUnion(_ other: StyleDependencies) {
        kind = kind || other.kind
        values.formUnion(other.values)
        presences.formUnion(other.presences)
        isUnbounded = isUnbounded || other.isUnbounded
    }
}

extension Style {
    /// Returns the parts of features that decide which ones are drawn or labelled, and how they are drawn.
    /// - Parameter source: The style's source to which the tile belongs.
    public func featureUse(ofLayer name: String, source: String) -> StyleDependencies {
        var use = StyleDependencies()
        for layer in layers
        where layer.source == source && [name, Style.anyLayer].contains(layer.sourceLayer) {
            if let filter = layer.filter { use.formUnion(filter.use) }
            guard layer.kind != .symbol else { continue }
            for property in layer.properties.values { use.formUnion(property.use) }
        }
        return use
    }
}
