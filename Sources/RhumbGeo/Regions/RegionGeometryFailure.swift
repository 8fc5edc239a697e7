internal import RhumbBase

/// The reason why shapes don't form a region.
public enum RegionGeometryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The geometry has no shape, or this shape has too few corners or no area.
    case empty(String)
    /// A number is NaN, infinite or out of range.
    case position(String)
    /// The ring crosses itself near the place.
    case selfCrossing(ring: Int, near: Coordinate)
    /// The whole geometry lies beyond the map's edge at ±85.06°.
    case beyondMap
    /// A ring goes more than once around the world.
    case tooWide
    /// A radius or width is not positive, or larger than `RegionGeometry.largestRadius`.
    case size(String)
    /// The corners exceed `RegionGeometry.cornerLimit`, or there are too many corridor legs, circles or
    /// crossings.
    case tooManyCorners
    /// The text is not valid JSON or XML.
    case text(String)
    /// A member of the GeoJSON or GPX has a wrong type.
    case type(String)

    public var description: String {
        switch self {
        case .empty(let what): "\(what); use a shape with an area, a line or a point"
        case .position(let what):
            "\(what); longitudes come first, from -540 to 540, then latitudes, from -90 to 90"
        case .selfCrossing(let ring, let place):
            "ring \(ring) crosses itself near \(RegionGeometryFailure.text(place)); "
                + "put its corners in order, or split it"
        case .beyondMap:
            "the whole shape is beyond ±85.06°, where Web Mercator maps end; choose another area"
        case .tooWide:
            "a ring goes around the world more than once; split it, or use the box -180,-85,180,85"
        case .size(let what):
            what
        case .tooManyCorners:
            "the shape has more than \(AmountText.count(RegionGeometry.cornerLimit)) corners, or its outline has too many; "
                + "simplify it, or use several regions"
        case .text(let what): "\(what); check the file"
        case .type(let what): "\(what); see RFC 7946 for the GeoJSON format"
        }
    }

    private static func text(_ place: Coordinate) -> String {
        func rounded(_ degrees: Double) -> Double { (degrees * 10_000).rounded() / 10_000 }
        return "\(rounded(place.latitude)),\(rounded(place.longitude))"
    }
}
