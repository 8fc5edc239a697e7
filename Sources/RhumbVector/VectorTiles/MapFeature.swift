internal import RhumbBase

/// A feature of a vector tile in readable form. All texts are sanitised for terminals.
public struct MapFeature: Sendable, Hashable {
    /// An attribute of a feature.
    public struct Attribute: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value as text.
        public let value: String

        /// Creates an attribute. Sanitises both texts.
        public init(_ name: String, _ value: String) {
            self.name = SafeText.sanitised(name, limit: 40)
            self.value = SafeText.sanitised(value, limit: 120)
        }
    }

    /// The name of the feature's layer in the tile.
    public let layer: String
    /// The geometry type.
    public let kind: VectorFeature.Kind
    /// The attributes: name first, then kind, then the others by name, without translated names.
    public let attributes: [Attribute]
    /// The ids of the style layers that draw the feature, topmost first.
    public var styleLayers: [String]

    /// Creates a feature of a layer.
    public init(layer: String, kind: VectorFeature.Kind, attributes: [Attribute], styleLayers: [String] = [])
    {
        self.layer = SafeText.sanitised(layer, limit: 40)
        self.kind = kind
        self.attributes = attributes
        self.styleLayers = styleLayers.map { SafeText.sanitised($0, limit: 80) }
    }

    /// Merges the features of overlaid maps, points first. Equal features are merged into one, with all style
    /// layers that draw it.
    /// - Parameter maps: The features of each map, topmost map first.
    public static func merged(_ maps: [[MapFeature]]) -> [MapFeature] {
        var merged: [MapFeature] = []
        for feature in maps.joined() {
            let index = merged.firstIndex {
                ($0.layer, $0.kind) == (feature.layer, feature.kind) && $0.attributes == feature.attributes
            }
            if let index { merged[index].styleLayers += feature.styleLayers } else { merged.append(feature) }
        }
        let kinds: [VectorFeature.Kind] = [.point, .line, .polygon, .unknown]
        return kinds.flatMap { kind in merged.filter { $0.kind == kind } }
    }

    /// Selects and sorts the attributes to show.
    /// - Parameter limit: Maximum number of attributes.
    package static func shown(_ attributes: [String: VectorValue], limit: Int) -> [Attribute] {
        let nameKey = VectorLayer.nameKeys.first { attributes[$0] != nil }
        let kept = attributes.filter { key, value in
            (key == nameKey || !key.contains("name:") && !key.hasPrefix("name_")) && value != .nested(.null)
        }
        return kept.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
            .prefix(limit).map { Attribute($0.key, $0.value.text) }
    }

    /// The attribute with the usual name; nil if there is none.
    package var name: Attribute? { attributes.first { VectorLayer.nameKeys.contains($0.name) } }

    private static let first =
        VectorLayer.nameKeys + ["ref", "kind", "pmap:kind", "class", "subclass", "kind_detail"]

    private static func rank(_ name: String) -> Int { first.firstIndex(of: name) ?? first.count }
}
