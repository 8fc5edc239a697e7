public import RhumbGeo

/// The position of a point relative to a known place: "12 km NE of Turku, FI".
public struct PlaceBearing: Hashable, Sendable {
    /// The reference place.
    public let place: NamedPlace
    /// The distance from the place's centre over the ground, in metres.
    public let metres: Double
    /// The direction from the place to the point, in degrees clockwise from north, 0..<360.
    public let degrees: Double

    /// Computes the position of a point relative to a place.
    public init(_ point: Coordinate, from place: NamedPlace) {
        self.place = place
        let way = place.coordinate.way(to: point)
        (metres, degrees) = (way.metres, way.bearing)
    }

    /// True if the point is within the place, whose radius is estimated from its population.
    public var isWithin: Bool {
        metres < max(500, 12 * Double(max(place.population, 0)).squareRoot())
    }

    /// The compass point, one of eight: "N", "NE", ….
    public var compass: String { PlaceBearing.compass(degrees) }

    /// Returns the compass point of a direction in degrees clockwise from north, 0..<360.
    public static func compass(_ degrees: Double) -> String {
        let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        return names[Int((degrees / 45).rounded()) % 8]
    }

    /// Returns the compass point of a direction in words: "north", "north-east", ….
    /// - Parameter degrees: Degrees clockwise from north, of any size; north if not finite.
    public static func compassWord(_ degrees: Double) -> String {
        let names = [
            "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
        ]
        guard degrees.isFinite else { return names[0] }
        let eighth = (degrees / 45).rounded().truncatingRemainder(dividingBy: 8)
        return names[(Int(eighth) + 8) % 8]
    }
}
