public import RhumbBase

extension RegionGeometry {
    /// Creates a geometry from GeoJSON (RFC 7946): a geometry, a GeometryCollection, a Feature or a
    /// FeatureCollection. Boxes, circles and corridors are restored from the output of `geoJSON`. Edges are
    /// not shortened across the antimeridian: their longitudes are taken literally.
    /// - Throws: `RegionGeometryFailure`, with the location in the document.
    public init(geoJSON document: JSON) throws(RegionGeometryFailure) {
        var reader = GeoJSONReader()
        try reader.read(document, at: "the document")
        guard !reader.shapes.isEmpty else { throw .empty("the GeoJSON has no geometry") }
        try self.init(reader.shapes)
    }

    /// Reads GeoJSON text; see `init(geoJSON:)`.
    /// - Throws: `RegionGeometryFailure`
    public init(geoJSONText bytes: [UInt8]) throws(RegionGeometryFailure) {
        let document: JSON
        do throws(JSONFailure) { document = try JSON.parse(bytes) } catch { throw .text(error.description) }
        try self.init(geoJSON: document)
    }
}

/// Collects the shapes of a GeoJSON document. The depth of JSON is limited, so that recursion is safe.
private struct GeoJSONReader {
    var shapes: [RegionShape] = []

    mutating func read(_ value: JSON, at location: String) throws(RegionGeometryFailure) {
        guard value.object != nil else { throw .type("\(location) is not a JSON object") }
        guard let type = value["type"]?.string else { throw .type("\(location) has no \"type\"") }
        switch type {
        case "FeatureCollection": try readAll(value, "features", location)
        case "GeometryCollection": try readAll(value, "geometries", location)
        case "Feature": try read(feature: value, location)
        default: try read(geometry: value, type, location)
        }
    }

    private mutating func readAll(
        _ value: JSON, _ name: String, _ location: String
    ) throws(RegionGeometryFailure) {
        guard let items = value[name]?.array else {
            throw .type("\"\(name)\" of \(location) is not an array")
        }
        for (index, item) in items.enumerated() { try read(item, at: "\(name)[\(index)]") }
    }

    private mutating func read(feature: JSON, _ location: String) throws(RegionGeometryFailure) {
        guard let geometry = feature["geometry"] else { throw .type("\(location) has no \"geometry\"") }
        if geometry == .null { return }
        let first = shapes.count
        try read(geometry, at: "the geometry of \(location)")
        guard let shape = feature["properties"]?[RegionShape.marker]?.string else { return }
        let read = Array(shapes[first...])
        guard let known = RegionShape(marked: shape, feature, read) else {
            throw .type("\(location) is marked as \(SafeText.sanitised(shape, limit: 20)), but is not one")
        }
        shapes.replaceSubrange(first..., with: [known])
    }

    private mutating func read(
        geometry: JSON, _ type: String, _ location: String
    ) throws(RegionGeometryFailure) {
        let readers: [String: (JSON, String) throws(RegionGeometryFailure) -> [RegionShape]] = [
            "Point": { (value, location) throws(RegionGeometryFailure) in
                [.point(try position(value, location))]
            },
            "LineString": { (value, location) throws(RegionGeometryFailure) in
                [.line(try positions(value, location))]
            },
            "Polygon": { (value, location) throws(RegionGeometryFailure) in [try polygon(value, location)] },
        ]
        guard let coordinates = geometry["coordinates"] else {
            guard readers[type] != nil || type.hasPrefix("Multi") else { throw unknown(type, location) }
            throw .type("\(location) has no \"coordinates\"")
        }
        if let read = readers[type] {
            shapes += try read(coordinates, location)
        } else if type.hasPrefix("Multi"), let read = readers[String(type.dropFirst(5))] {
            for (index, item) in try items(coordinates, location).enumerated() {
                shapes += try read(item, "part \(index) of \(location)")
            }
        } else {
            throw unknown(type, location)
        }
    }
}

private func unknown(_ type: String, _ location: String) -> RegionGeometryFailure {
    .type("the type of \(location) is \"\(SafeText.sanitised(type, limit: 40))\"")
}

private func items(_ value: JSON, _ location: String) throws(RegionGeometryFailure) -> [JSON] {
    guard let items = value.array else { throw .type("the coordinates of \(location) are not an array") }
    return items
}

private func position(_ value: JSON, _ location: String) throws(RegionGeometryFailure) -> Position {
    let numbers = try items(value, location)
    guard numbers.count >= 2, let longitude = numbers[0].double, let latitude = numbers[1].double else {
        throw .type("a position of \(location) is not two numbers")
    }
    return Position(longitude: longitude, latitude: latitude)
}

private func positions(_ value: JSON, _ location: String) throws(RegionGeometryFailure) -> [Position] {
    var line: [Position] = []
    for item in try items(value, location) { line.append(try position(item, location)) }
    return line
}

private func polygon(_ value: JSON, _ location: String) throws(RegionGeometryFailure) -> RegionShape {
    var rings: [[Position]] = []
    for item in try items(value, location) { rings.append(try positions(item, location)) }
    guard let outer = rings.first else { throw .empty("\(location) has no ring") }
    return .polygon(outer: outer, holes: Array(rings.dropFirst()))
}
