/// A corner of a shape in degrees, as in GeoJSON. Unlike the longitude of a `Coordinate`, its longitude isn't
/// wrapped: a ring across the antimeridian continues beyond ±180.
public struct Position: Hashable, Sendable {
    /// Degrees east, -540…540.
    public var longitude: Double
    /// Degrees north, -90…90.
    public var latitude: Double

    /// A position by its degrees.
    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The position of a coordinate.
    public init(_ place: Coordinate) {
        self.init(longitude: place.longitude, latitude: place.latitude)
    }

    /// The place on earth.
    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// The position on the Mercator square. x lies outside 0…1 beyond ±180°. Latitudes beyond the square are
    /// clamped to its edge.
    package var world: WorldPoint {
        let y = Mercator.world(Coordinate(latitude: latitude, longitude: 0)).y
        return WorldPoint(x: (longitude + 180) / 360, y: y)
    }
}
