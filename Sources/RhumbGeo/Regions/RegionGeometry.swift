public import RhumbBase

/// The area of a region, as shapes. Each tile that touches a shape belongs to the region. A geometry is
/// always valid: its numbers are degrees, its rings don't cross themselves, and a part of it is on the map.
public struct RegionGeometry: Hashable, Sendable {
    /// The largest radius of a circle, in metres.
    public static let largestRadius = 5_000_000.0
    /// The largest half width of a corridor, in metres.
    static let largestHalfWidth = 500_000.0
    /// The maximum number of corners of all shapes together.
    public static let cornerLimit = 1_000_000
    /// The maximum number of edges of all outlines, 16 bytes each: 280,000 legs of corridors, or 60,000
    /// circles.
    static let edgeLimit = 8_000_000
    /// The length of a degree of latitude in metres, on a sphere of the earth's mean radius.
    static let metresPerDegree = Coordinate.meanEarthRadius * Double.pi / 180

    /// The shapes, in the given order.
    public let shapes: [RegionShape]

    /// Creates a geometry from shapes. A repeated first corner at the end of a ring is removed.
    /// - Throws: `RegionGeometryFailure`
    public init(_ shapes: [RegionShape]) throws(RegionGeometryFailure) {
        let opened = shapes.map(\.withOpenRings)
        guard !opened.isEmpty else { throw .empty("no shape") }
        guard opened.reduce(0, { $0 + $1.positions.count }) <= RegionGeometry.cornerLimit else {
            throw .tooManyCorners
        }
        for shape in opened { try shape.check() }
        guard opened.reduce(0, { $0 + $1.edgeCount }) <= RegionGeometry.edgeLimit else {
            throw .tooManyCorners
        }
        let limit = Mercator.latitudeLimit
        let visible = { (shape: RegionShape) in shape.latitudes.overlaps(-limit...limit) }
        guard opened.contains(where: visible) else { throw .beyondMap }
        self.shapes = opened
    }

    /// Returns a geometry of a single box.
    /// - Throws: `RegionGeometryFailure.beyondMap`
    public static func box(_ bounds: Bounds) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.box(bounds)])
    }

    /// Returns a geometry of all places within `radius` metres of a centre.
    /// - Throws: `RegionGeometryFailure`
    public static func circle(
        around center: Coordinate, radius: Double
    ) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.circle(center: center, radius: radius)])
    }

    /// Returns the geometry with its lines as corridors of `width` metres, and its points as circles of that
    /// diameter. Areas stay unchanged.
    /// - Throws: `RegionGeometryFailure`, also if there is neither a line nor a point.
    public func widened(to width: Double) throws(RegionGeometryFailure) -> RegionGeometry {
        var isChanged = false
        let wide = shapes.map { shape -> RegionShape in
            switch shape {
            case .line(let line), .corridor(let line, _):
                isChanged = true
                return .corridor(line, halfWidth: width / 2)
            case .point(let place):
                isChanged = true
                return .circle(center: place.coordinate, radius: width / 2)
            case .box, .polygon, .circle: return shape
            }
        }
        guard isChanged else { throw .empty("no line for the corridor") }
        return try RegionGeometry(wide)
    }

    /// True if a part lies beyond ±85.06°, where there are no tiles.
    public var reachesBeyondMap: Bool {
        let limit = 85.06
        return shapes.contains { $0.latitudes.lowerBound < -limit || $0.latitudes.upperBound > limit }
    }

    /// The smallest box on the map around all shapes. It crosses 180° if that makes it narrower. Boxes of
    /// circles and corridors may be up to one hundredth larger than necessary.
    public var bounds: Bounds {
        guard shapes.count == 1, case .box(let box) = shapes[0] else { return FixedPointPolygon(self).bounds }
        let limit = Mercator.latitudeLimit
        func cut(_ latitude: Double) -> Double { min(max(latitude, -limit), limit) }
        return Bounds(west: box.west, south: cut(box.south), east: box.east, north: cut(box.north)) ?? box
    }

    /// The centre of its bounds.
    public var center: Coordinate { bounds.center }
}

extension RegionShape {
    fileprivate var withOpenRings: RegionShape {
        guard case .polygon(let outer, let holes) = self else { return self }
        func opened(_ ring: [Position]) -> [Position] {
            ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
        }
        return .polygon(outer: opened(outer), holes: holes.map(opened))
    }
}

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
                "bbox": box.json,
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
            guard let box = Bounds(json: feature["bbox"]) else { return nil }
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

/// The reason why shapes don't form a region.
public enum RegionGeometryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The geometry has no shape, or this shape has too few corners or no area.
    case empty(String)
    /// A number is NaN, infinite or out of range.
    case position(String)
    /// The ring crosses itself near the place.
    case selfCrossing(ring: Int, near: Coordinate)
    /// The whole geometry lies beyond the map's edge at ±85.06°.
    case beyondMap
    /// A ring goes more than once around the world.
    case tooWide
    /// A radius or width is not positive, or larger than `RegionGeometry.largestRadius`.
    case size(String)
    /// The corners exceed `RegionGeometry.cornerLimit`, or there are too many corridor legs, circles or
    /// crossings.
    case tooManyCorners
    /// The text is not valid JSON or XML.
    case text(String)
    /// A member of the GeoJSON or GPX has a wrong type.
    case type(String)

    public var description: String {
        switch self {
        case .empty(let what): "\(what); use a shape with an area, a line or a point"
        case .position(let what):
            "\(what); longitudes come first, from -540 to 540, then latitudes, from -90 to 90"
        case .selfCrossing(let ring, let place):
            "ring \(ring) crosses itself near \(RegionGeometryFailure.text(place)); "
                + "put its corners in order, or split it"
        case .beyondMap:
            "the whole shape is beyond ±85.06°, where Web Mercator maps end; choose another area"
        case .tooWide:
            "a ring goes around the world more than once; split it, or use the box -180,-85,180,85"
        case .size(let what):
            what
        case .tooManyCorners:
            "the shape has more than \(AmountText.count(RegionGeometry.cornerLimit)) corners, or its outline has too many; "
                + "simplify it, or use several regions"
        case .text(let what): "\(what); check the file"
        case .type(let what): "\(what); see RFC 7946 for the GeoJSON format"
        }
    }

    private static func text(_ place: Coordinate) -> String {
        "\(place.latitude.rounded(4)),\(place.longitude.rounded(4))"
    }
}

/// A corner of a shape in degrees, as in GeoJSON. Unlike the longitude of a `Coordinate`, its longitude isn't
/// wrapped: a ring across the antimeridian continues beyond ±180.
public struct Position: Hashable, Sendable {
    /// The longitude in degrees east, -540…540.
    public var longitude: Double
    /// The latitude in degrees north, -90…90.
    public var latitude: Double

    /// Creates a position from its degrees.
    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// Creates the position of a coordinate.
    public init(_ place: Coordinate) {
        self.init(longitude: place.longitude, latitude: place.latitude)
    }

    /// The coordinate on earth, with its longitude wrapped.
    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// The position on the Mercator square. x lies outside 0…1 beyond ±180°. Latitudes beyond the square are
    /// clamped to its edge.
    package var world: WorldPoint {
        let y = Mercator.world(Coordinate(latitude: latitude, longitude: 0)).y
        return WorldPoint(x: (longitude + 180) / 360, y: y)
    }
}
