/// A place on the earth in degrees (WGS 84).
///
/// A coordinate is always usable: latitude lies in -90…90, longitude in -180..<180, neither is
/// NaN. Values outside are clamped (latitude) and wrapped (longitude) when it is made.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north, -90…90.
    public let latitude: Double
    /// Degrees east, -180..<180.
    public let longitude: Double

    /// The place at these degrees, clamped and wrapped; NaN and infinities become 0.
    public init(latitude: Double, longitude: Double) {
        self.latitude = min(max(latitude.isFinite ? latitude : 0, -90), 90)
        self.longitude = Coordinate.wrapped(longitude: longitude)
    }

    /// The same meridian in -180..<180; 0 for what is not a number.
    public static func wrapped(longitude: Double) -> Double {
        guard longitude.isFinite else { return 0 }
        if longitude >= -180 && longitude < 180 { return longitude }
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        let east = turned < 0 ? turned + 360 : turned
        return east >= 360 ? -180 : east - 180
    }
}
