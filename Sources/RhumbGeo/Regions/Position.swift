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
