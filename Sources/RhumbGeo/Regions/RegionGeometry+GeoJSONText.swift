public import RhumbBase

extension RegionGeometry {
    /// The geometry as a GeoJSON Feature, or as a FeatureCollection of several. Shapes that GeoJSON lacks are
    /// marked in the properties, and have a standard geometry for other programs: a Polygon or MultiPolygon
    /// for a box, a Point for a circle, a LineString for a corridor.
    public var geoJSON: JSON {
        let features = shapes.map(\.feature)
        if features.count == 1 { return features[0] }
        return ["type": "FeatureCollection", "features": .array(features)]
    }
}

extension RegionShape {
    /// The property that marks shapes that GeoJSON lacks.
    static let marker = "rhumb-shape"
    private static let radius = "radius-metres"
    private static let width = "width-metres"

    fileprivate var feature: JSON {
        switch self {
        case .box(let box):
            return [
                "type": "Feature",
                "bbox": [.number(box.west), .number(box.south), .number(box.east), .number(box.north)],
                "properties": [RegionShape.marker: "box"], "geometry": RegionShape.geometry(of: box),
            ]
        case .circle(let center, let metres):
            let properties: JSON = [RegionShape.marker: "circle", RegionShape.radius: .number(metres)]
            return feature("Point", Position(center).json, properties)
        case .corridor(let line, let halfWidth):
            let properties: JSON = [
                RegionShape.marker: "corridor", RegionShape.width: .number(halfWidth * 2),
            ]
            return feature("LineString", .array(line.map(\.json)), properties)
        case .polygon(let outer, let holes):
            return feature("Polygon", .array(([outer] + holes).map(RegionShape.closed)), [:])
        case .line(let line): return feature("LineString", .array(line.map(\.json)), [:])
        case .point(let place): return feature("Point", place.json, [:])
        }
    }

    private func feature(_ type: String, _ coordinates: JSON, _ properties: JSON) -> JSON {
        [
            "type": "Feature", "properties": properties,
            "geometry": ["type": .string(type), "coordinates": coordinates],
        ]
    }

    private static func closed(_ ring: [Position]) -> JSON { .array((ring + ring.prefix(1)).map(\.json)) }

    /// Returns the box with one part on each side of the antimeridian.
    private static func geometry(of box: Bounds) -> JSON {
        func part(_ west: Double, _ east: Double) -> JSON {
            let corners = [
                (west, box.south), (east, box.south), (east, box.north), (west, box.north),
            ]
            return [closed(corners.map { Position(longitude: $0.0, latitude: $0.1) })]
        }
        if !box.crossesAntimeridian { return ["type": "Polygon", "coordinates": part(box.west, box.east)] }
        return ["type": "MultiPolygon", "coordinates": [part(box.west, 180), part(-180, box.east)]]
    }

    /// Creates the shape that a feature's properties declare; nil if the parsed shapes don't match it.
    init?(marked name: String, _ feature: JSON, _ read: [RegionShape]) {
        let properties = feature["properties"]
        switch (name, read.first) {
        case ("box", _):
            let edges = feature["bbox"]?.array?.compactMap(\.double) ?? []
            guard edges.count == 4,
                let box = Bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
            else { return nil }
            self = .box(box)
        case ("circle", .point(let center)):
            guard let metres = properties?[RegionShape.radius]?.double else { return nil }
            self = .circle(center: center.coordinate, radius: metres)
        case ("corridor", .line(let line)):
            guard let metres = properties?[RegionShape.width]?.double else { return nil }
            self = .corridor(line, halfWidth: metres / 2)
        default: return nil
        }
    }
}

extension Position {
    fileprivate var json: JSON { [.number(longitude), .number(latitude)] }
}
