/// A corner of a shape in degrees, as GeoJSON writes it. Unlike a `Coordinate` its longitude is
/// not wrapped: a ring across the antimeridian goes on beyond ±180.
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

    /// Where it lies on the Mercator square; x outside 0…1 beyond ±180°, latitudes beyond the
    /// square on its edge.
    package var world: WorldPoint {
        let y = Mercator.world(Coordinate(latitude: latitude, longitude: 0)).y
        return WorldPoint(x: (longitude + 180) / 360, y: y)
    }
}
