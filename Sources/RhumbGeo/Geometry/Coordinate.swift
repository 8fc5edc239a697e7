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
}
