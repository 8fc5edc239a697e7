internal import Glibc
public import RhumbGeo

/// Day and night over the world at one moment, and the lights of its cities.
public struct Daylight: Equatable, Sendable {
    /// A city's light, seen from a distance at night.
    public struct Light: Equatable, Sendable {
        /// The city's position.
        public let point: WorldPoint
        /// The brightness, 0…1, by population.
        public let strength: Double

        /// - Parameters:
        ///   - point: The city's position.
        ///   - strength: The brightness, 0…1.
        public init(point: WorldPoint, strength: Double) {
            self.point = point
            self.strength = strength
        }
    }

    /// The position where the sun is at the zenith.
    public let sun: Coordinate
    /// The strength of the night's shading, 0…1.
    public let strength: Double
    /// The lights of the cities.
    public let lights: [Light]

    /// - Parameters:
    ///   - time: The time in seconds since 1970 in UTC.
    ///   - strength: The strength of the night's shading, 0…1.
    ///   - zoom: The zoom of the map. The farther out, the fewer cities shine.
    public init(time: Double, strength: Double = 1, lights: [Light], zoom: Double = 24) {
        let least = 0.7 - 0.2 * zoom
        self.lights = least > 0 ? lights.filter { $0.strength >= least } : lights
        sun = Sun.overhead(at: time)
        self.strength = min(max(strength, 0), 1)
    }

    /// Returns the share of day at a point of the world: 1 by day, 0 by night, between them at dusk.
    public func share(at point: WorldPoint) -> Double {
        let row = row(point.y)
        return Daylight.share(sine: row.sine + row.cosine * eastness(point.x))
    }

    /// Returns the sine of the sun's height along a parallel, as `sine + cosine * eastness`.
    func row(_ y: Double) -> (sine: Double, cosine: Double) {
        let sine = tanh(.pi * (1 - 2 * y)), declination = sun.latitude.radians
        return (sine * sin(declination), max(1 - sine * sine, 0).squareRoot() * cos(declination))
    }

    /// Returns the cosine of the angular distance east or west of the sun.
    func eastness(_ x: Double) -> Double { cos((x * 360 - 180 - sun.longitude).radians) }

    /// Returns the share of day, which rises smoothly from civil dusk to sunrise.
    static func share(sine: Double) -> Double {
        let night = -0.15
        let day = 0.02
        let share = min(max((sine - night) / (day - night), 0), 1)
        return share * share * (3 - 2 * share)
    }
}
