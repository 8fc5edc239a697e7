internal import Glibc

/// A position on the earth in degrees (WGS 84).
///
/// A coordinate is always valid: latitude is in -90…90, longitude in -180..<180, and no number is NaN.
/// Latitudes out of range are clamped, longitudes wrapped.
public struct Coordinate: Hashable, Sendable {
    /// The latitude in degrees north, -90…90.
    public let latitude: Double
    /// The longitude in degrees east, -180..<180.
    public let longitude: Double

    /// Creates a coordinate from degrees, clamped and wrapped; NaN and infinities become 0.
    public init(latitude: Double, longitude: Double) {
        self.latitude = min(max(latitude.isFinite ? latitude : 0, -90), 90)
        self.longitude = Coordinate.wrapped(longitude: longitude)
    }

    /// Returns the same meridian in -180..<180; 0 for NaN and infinity.
    public static func wrapped(longitude: Double) -> Double {
        guard longitude.isFinite else { return 0 }
        if longitude >= -180 && longitude < 180 { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        let east = turned < 0 ? turned + 360 : turned
        return east >= 360 ? -180 : east - 180
    }

    /// The mean radius of the earth in metres.
    package static let meanEarthRadius = 6_371_008.8

    /// Returns the distance over the ground in metres, on the ellipsoid WGS 84.
    public func metres(to other: Coordinate) -> Double { way(to: other).metres }

    /// Returns the distance in metres on a sphere of the mean radius, which is quick and at most 0.6 % wrong:
    /// to compare distances, not to show them.
    package func sphericalMetres(to other: Coordinate) -> Double {
        let north = (other.latitude - latitude).radians
        let east = (other.longitude - longitude).radians
        let half =
            sin(north / 2) * sin(north / 2)
            + cos(latitude.radians) * cos(other.latitude.radians) * sin(east / 2) * sin(east / 2)
        return 2 * Coordinate.meanEarthRadius * asin(min(half.squareRoot(), 1))
    }

    /// Returns the initial bearing to another position, in degrees clockwise from north, 0..<360.
    public func bearing(to other: Coordinate) -> Double {
        let east = (other.longitude - longitude).radians
        let y = sin(east) * cos(other.latitude.radians)
        let x =
            cos(latitude.radians) * sin(other.latitude.radians)
            - sin(latitude.radians) * cos(other.latitude.radians) * cos(east)
        let degrees = atan2(y, x).degrees
        return degrees < 0 ? degrees + 360 : degrees
    }
}

extension Double {
    /// This angle in radians, from degrees.
    @inlinable package var radians: Double { self * .pi / 180 }
    /// This angle in degrees, from radians.
    @inlinable package var degrees: Double { self * 180 / .pi }
}
