public import RhumbCore

/// The schema of vector tiles, which determines the names of layers and attributes.
public enum TileSchema: String, Sendable, CaseIterable {
    case openMapTiles = "openmaptiles"
    case protomaps
    case shortbread
    /// The schema of Rhumb's built-in world map.
    case world
    /// Any other schema.
    case other

    /// Finds the schema with most of the layer names.
    public init(layerNames: [String]) {
        let names = Set(layerNames)
        let counts = TileSchema.allCases.map { ($0, $0.layers.count(where: names.contains)) }
        let best = counts.max { $0.1 < $1.1 }
        self = best.map { $0.1 >= 2 ? $0.0 : .other } ?? .other
    }

    private var layers: [String] {
        switch self {
        case .openMapTiles:
            [
                "transportation", "transportation_name", "waterway", "landcover", "landuse", "building",
                "boundary",
                "place", "water_name", "aeroway", "mountain_peak", "housenumber",
            ]
        case .protomaps:
            [
                "earth", "roads", "buildings", "places", "boundaries", "pois", "landuse", "natural",
                "transit",
                "physical_line", "physical_point",
            ]
        case .shortbread:
            [
                "ocean", "water_polygons", "water_lines", "streets", "street_labels", "street_polygons",
                "land",
                "sites", "place_labels", "boundary_labels", "public_transport", "addresses",
            ]
        case .world: ["ocean", "lakes", "rivers", "ice", "urban", "borders"]
        case .other: []
        }
    }

    /// Returns the layer names in an archive's metadata or a TileJSON document; empty if there are none.
    public static func layerNames(in metadata: JSON) -> [String] {
        for holder in [metadata, metadata["json"] ?? .null] {
            let listed = holder["vector_layers"]?.array?.compactMap { $0["id"]?.string }
            let counted = holder["tilestats"]?["layers"]?.array?.compactMap { $0["layer"]?.string }
            if let names = listed ?? counted, !names.isEmpty { return names }
        }
        return []
    }
}

extension Style {
    /// Returns the style's vector source for the tiles; nil if the style has none.
    ///
    /// It is the source named after the schema, or else the one that draws most layers of the tiles. Among
    /// equals, a map precedes traffic, and the source with more layers the one with fewer.
    /// - Parameter names: Names of the tiles' layers; empty if unknown.
    public func source(for schema: TileSchema, layerNames names: [String] = []) -> String? {
        let vector = sources.filter { $0.value.kind == .vector }.keys.sorted(), traffic = trafficSources
        if vector.contains(schema.rawValue) { return schema.rawValue }
        func rank(_ source: String) -> [Int] {
            let drawn = layers.filter { $0.source == source }
            let common = Set(drawn.compactMap(\.sourceLayer)).intersection(names)
            return [common.count, traffic.contains(source) ? 0 : 1, drawn.count]
        }
        return vector.max { rank($0).lexicographicallyPrecedes(rank($1)) }
    }
}
