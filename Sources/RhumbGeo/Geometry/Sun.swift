internal import Glibc

/// The position of the sun, to about a hundredth of a degree between 1950 and 2050, by the low-precision
/// formulas of the Astronomical Almanac, section C.
public enum Sun {
    /// The elevation of the sun's centre when its upper edge is on the horizon, including refraction.
    private static let rising = -0.833

    /// Returns the sun's elevation above the horizon in degrees; negative below it.
    /// - Parameter time: The seconds since 1970 in UTC.
    public static func elevation(at place: Coordinate, time: Double) -> Double {
        let sun = overhead(at: time)
        let latitude = place.latitude.radians, declination = sun.latitude.radians
        let hourAngle = (place.longitude - sun.longitude).radians
        let height = asin(
            sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle))
        return height.degrees
    }

    /// Returns the position where the sun is at the zenith.
    /// - Parameter time: The seconds since 1970 in UTC.
    public static func overhead(at time: Double) -> Coordinate {
        let days = time / 86400 - 10957.5
        let anomaly = (357.528 + 0.9856003 * days).radians
        let longitude = (280.460 + 0.9856474 * days + 1.915 * sin(anomaly) + 0.020 * sin(2 * anomaly)).radians
        let tilt = (23.439 - 0.0000004 * days).radians
        let declination = asin(sin(tilt) * sin(longitude))
        let ascension = atan2(cos(tilt) * sin(longitude), cos(longitude)).degrees
        let siderealTime = (18.697374558 + 24.06570982441908 * days) * 15
        return Coordinate(
            latitude: declination.degrees,
            longitude: Coordinate.wrapped(longitude: ascension - siderealTime))
    }

    /// Returns true if any part of the sun is above the horizon.
    /// - Parameter time: The seconds since 1970 in UTC.
    public static func isUp(at place: Coordinate, time: Double) -> Bool {
        elevation(at: place, time: time) > rising
    }
}
