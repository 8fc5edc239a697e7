public import RhumbCore

/// How vector tiles name their layers and attributes.
public enum TileSchema: String, Sendable, CaseIterable {
    case openMapTiles = "openmaptiles"
    case protomaps
    case shortbread
    /// Rhumb's own map of the world.
    case world
    /// None of these.
    case other

    /// The schema that most of the layers' names speak for.
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
                "transportation", "transportation_name", "waterway", "landcover", "landuse", "building", "boundary",
                "place", "water_name", "aeroway", "mountain_peak", "housenumber",
            ]
        case .protomaps:
            [
                "earth", "roads", "buildings", "places", "boundaries", "pois", "landuse", "natural", "transit",
                "physical_line", "physical_point",
            ]
        case .shortbread:
            [
                "ocean", "water_polygons", "water_lines", "streets", "street_labels", "street_polygons", "land",
                "sites", "place_labels", "boundary_labels", "public_transport", "addresses",
            ]
        case .world: ["ocean", "lakes", "rivers", "ice", "urban", "borders"]
        case .other: []
        }
    }
}

extension TileSchema {
    /// The names of the layers that an archive's metadata or a TileJSON document speak of; empty
    /// where they don't.
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
    /// The vector source that tiles of a schema stand for: the one named after it, else the one
    /// that most layers draw; nil in a style without any.
    public func source(for schema: TileSchema) -> String? {
        let vector = sources.filter { $0.value.kind == .vector }.keys.sorted()
        if vector.contains(schema.rawValue) { return schema.rawValue }
        return vector.max { a, b in layers.count { $0.source == a } < layers.count { $0.source == b } }
    }
}
