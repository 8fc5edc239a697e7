internal import Glibc

/// Where a point lies, seen from a place that is known: "12 km NE of Turku, FI".
public struct PlaceBearing: Hashable, Sendable {
    /// The place it is told from.
    public let place: NamedPlace
    /// From the place's middle, over the ground.
    public let metres: Double
    /// The direction from the place to the point, in degrees clockwise from north, 0..<360.
    public let degrees: Double

    /// Where a point lies, seen from a place.
    public init(_ point: Coordinate, from place: NamedPlace) {
        self.place = place
        metres = place.coordinate.metres(to: point)
        degrees = place.coordinate.bearing(to: point)
    }

    /// Whether the point is still in the place, as far as the number of its people tells.
    public var isWithin: Bool {
        metres < max(500, 12 * Double(max(place.population, 0)).squareRoot())
    }

    /// "N", "NE", …: one of eight directions.
    public var compass: String { PlaceBearing.compass(degrees) }

    /// The same for degrees clockwise from north, 0..<360.
    public static func compass(_ degrees: Double) -> String {
        let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        return names[Int((degrees / 45).rounded()) % 8]
    }
}

extension Coordinate {
    /// The way over the ground, on a sphere of the mean radius.
    public func metres(to other: Coordinate) -> Double {
        let (north, east) = ((other.latitude - latitude).radians, (other.longitude - longitude).radians)
        let half = sin(north / 2) * sin(north / 2)
            + cos(latitude.radians) * cos(other.latitude.radians) * sin(east / 2) * sin(east / 2)
        return 2 * 6_371_008.8 * asin(min(half.squareRoot(), 1))
    }

    /// Places along the shortest way to another one, from here to there, on a sphere.
    public func way(to other: Coordinate, steps: Int) -> [Coordinate] {
        let angle = metres(to: other) / 6_371_008.8, count = max(steps, 1)
        guard angle > 1e-9, sin(angle) > 1e-9 else { return [self, other] }
        func vector(_ place: Coordinate) -> SIMD3<Double> {
            SIMD3(
                cos(place.latitude.radians) * cos(place.longitude.radians),
                cos(place.latitude.radians) * sin(place.longitude.radians), sin(place.latitude.radians))
        }
        let (start, end) = (vector(self), vector(other))
        return (0...count).map { step in
            let share = Double(step) / Double(count)
            let point = start * (sin((1 - share) * angle) / sin(angle)) + end * (sin(share * angle) / sin(angle))
            return Coordinate(
                latitude: asin(min(max(point.z, -1), 1)) * 180 / .pi, longitude: atan2(point.y, point.x) * 180 / .pi)
        }
    }

    /// The direction one sets out in, in degrees clockwise from north, 0..<360.
    public func bearing(to other: Coordinate) -> Double {
        let east = (other.longitude - longitude).radians
        let y = sin(east) * cos(other.latitude.radians)
        let x = cos(latitude.radians) * sin(other.latitude.radians)
            - sin(latitude.radians) * cos(other.latitude.radians) * cos(east)
        let degrees = atan2(y, x) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
