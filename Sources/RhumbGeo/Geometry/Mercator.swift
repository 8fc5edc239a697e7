internal import Glibc

/// Spherical Web Mercator (EPSG:3857): coordinates to the unit square and back.
public enum Mercator {
    /// The latitude at which the square ends, in degrees.
    public static let latitudeLimit = 85.05112877980659
    /// The earth's equatorial radius of EPSG:3857, in metres.
    public static let earthRadius = 6_378_137.0
    /// Half the width of the square in EPSG:3857 metres.
    public static let halfWorld = 20_037_508.342789244
    /// The numbers of this projection in the lists of EPSG and Esri, and older ones.
    package static let referenceCodes: Set<Int> = [3857, 3785, 900_913, 102_100, 102_113]

    /// Returns the position of a coordinate on the square. Latitudes beyond the limit are clamped. This is
    /// the inverse of `coordinate(_:)`.
    public static func world(_ place: Coordinate) -> WorldPoint {
        let latitude = min(max(place.latitude, -latitudeLimit), latitudeLimit)
        let point = plane(Coordinate(latitude: latitude, longitude: place.longitude))
        return WorldPoint(x: point.x, y: min(max(point.y, 0), 1))
    }

    /// Returns the position of a coordinate on the plane, which is above or below the square for latitudes
    /// beyond the limit. The poles are less than six widths away. This is the inverse of
    /// `coordinate(onPlane:)`.
    public static func plane(_ place: Coordinate) -> WorldPoint {
        WorldPoint(
            x: (place.longitude + 180) / 360, y: (1 - asinh(tan(place.latitude.radians)) / .pi) / 2)
    }

    /// Returns the coordinate of a point on the square. Points above and below it are clamped to it. This is
    /// the inverse of `world(_:)`.
    public static func coordinate(_ point: WorldPoint) -> Coordinate {
        coordinate(onPlane: WorldPoint(x: point.x, y: min(max(point.y, 0), 1)))
    }

    /// Returns the coordinate of a point on the plane, inside or outside the square. This is the inverse of
    /// `plane(_:)`.
    public static func coordinate(onPlane point: WorldPoint) -> Coordinate {
        let latitude = atan(sinh(.pi * (1 - 2 * point.y))).degrees
        return Coordinate(latitude: latitude, longitude: point.wrapped.x * 360 - 180)
    }

    /// Returns the metres on the ground per map pixel at a latitude. The world is 256·2^zoom map pixels wide.
    public static func metresPerPixel(latitude: Double, zoom: Double) -> Double {
        cos(latitude.radians) * 2 * .pi * earthRadius / (256 * exp2(zoom))
    }

    /// Returns the zoom at which `metres` on the ground span `pixels` map pixels at a latitude.
    public static func zoom(metres: Double, pixels: Double, latitude: Double) -> Double {
        log2(cos(latitude.radians) * 2 * .pi * earthRadius * pixels / (256 * metres))
    }
}

/// A position on the Web Mercator square: x from 0 (180° W) to 1 (180° E), y from 0 (85.0511° N) to 1
/// (85.0511° S).
///
/// x may be outside 0…1 in a viewport across the antimeridian; whole numbers count the copies of the world.
public struct WorldPoint: Hashable, Sendable {
    /// The position from west to east: 0 and 1 are the antimeridian.
    public var x: Double
    /// The position from north (0) to south (1).
    public var y: Double

    /// Creates a point on the square of the world.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The same position in the first copy of the world: 0 ≤ x < 1.
    public var wrapped: WorldPoint {
        let turned = x - x.rounded(.down)
        return WorldPoint(x: turned >= 1 ? 0 : turned, y: y)
    }
}
