public import RhumbCore

/// Points on the map set by the user, connected by the shortest paths.
public struct MeasuredPath: Equatable, Sendable {
    /// The points in the order in which they were set.
    public private(set) var points: [Coordinate] = []
    /// True if the last point is connected with the first, so that they enclose an area.
    public private(set) var isClosed = false

    /// Creates an empty path.
    public init() {}

    /// Adds a point. If the path is closed, a new one begins.
    public mutating func add(_ point: Coordinate) {
        if isClosed { self = MeasuredPath() }
        if points.last != point, points.count < MeasuredPath.limit { points.append(point) }
    }

    /// Removes the last point, or reopens a closed line.
    public mutating func undo() {
        if isClosed { isClosed = false } else { _ = points.popLast() }
    }

    /// Connects the last point with the first, if there are at least three.
    public mutating func close() { isClosed = points.count > 2 }

    private static let limit = 1000

    /// The length of the path, in metres.
    public var metres: Double { ring.metres }

    /// The enclosed area, in square metres; 0 while the path is open.
    public var squareMetres: Double { isClosed ? points.squareMetres : 0 }

    private var ring: [Coordinate] { isClosed ? points + points.prefix(1) : points }

    /// Returns the line to draw, extended to the pointer.
    /// - Returns: A ring; an open path runs there and back. Longitudes continue beyond 180°.
    func outline(to pointed: Coordinate?) -> [Position] {
        let places = isClosed ? ring : points + [pointed].compactMap(\.self)
        guard let first = places.first, places.count > 1 else { return [] }
        let course = [first] + zip(places, places.dropFirst()).flatMap { $0.course(to: $1).dropFirst() }
        var turns = 0.0, last = first.longitude
        let line = course.map { place in
            if place.longitude - last > 180 { turns -= 360 }
            if last - place.longitude > 180 { turns += 360 }
            last = place.longitude
            return Position(longitude: place.longitude + turns, latitude: place.latitude)
        }
        return isClosed ? line.dropLast() : line + line.reversed().dropFirst().dropLast()
    }

    /// A GeoJSON Feature: a Point, a LineString or a Polygon, with lengths and area.
    public var geoJSON: JSON {
        func positions(_ places: [Coordinate]) -> JSON {
            .array(places.map { [.number($0.longitude.rounded(7)), .number($0.latitude.rounded(7))] })
        }
        // Rings are anticlockwise (RFC 7946).
        let ordered = isClosed && MeasuredPath.runsWithClock(points) ? Array(points.reversed()) : points
        let geometry: JSON =
            isClosed
            ? ["type": "Polygon", "coordinates": [positions(ordered + ordered.prefix(1))]]
            : points.count == 1
                ? ["type": "Point", "coordinates": positions(points).array?.first ?? []]
                : ["type": "LineString", "coordinates": positions(points)]
        var properties = JSONObject()
        properties["metres"] = .number(metres.rounded(1))
        if isClosed { properties["squareMetres"] = .number(squareMetres.rounded()) }
        return ["type": "Feature", "properties": .object(properties), "geometry": geometry]
    }

    private static func runsWithClock(_ ring: [Coordinate]) -> Bool {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { sum, leg in
            sum + Coordinate.wrapped(longitude: leg.1.longitude - leg.0.longitude)
                * (leg.1.latitude + leg.0.latitude)
        } > 0
    }
}
