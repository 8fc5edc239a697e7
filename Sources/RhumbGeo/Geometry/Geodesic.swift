internal import Glibc

/// The shortest path between two positions on the WGS 84 ellipsoid, by Vincenty's inverse formula.
public struct Geodesic: Hashable, Sendable {
    /// The length in metres.
    public let metres: Double
    /// The initial bearing, in degrees clockwise from north, 0..<360.
    public let bearing: Double

    /// Creates the path from one position to another.
    public init(from start: Coordinate, to end: Coordinate) {
        (metres, bearing) = Geodesic.inverse(start, end) ?? Geodesic.throughMiddle(start, end)
    }

    /// Returns the path between nearly antipodal positions, where the formula fails: the shortest of those
    /// through the points that are a quarter of the globe from the start.
    private static func throughMiddle(_ start: Coordinate, _ end: Coordinate) -> (Double, Double) {
        func length(_ degrees: Double) -> (Double, Double) {
            let middle = start.quarter(towards: degrees)
            let first = inverse(start, middle) ?? (start.sphericalMetres(to: middle), degrees)
            let second = inverse(middle, end) ?? (middle.sphericalMetres(to: end), 0)
            return (first.0 + second.0, first.1)
        }
        let step = 5.0
        let nearest = stride(from: 0, to: 360, by: step).min { length($0).0 < length($1).0 } ?? 0
        var low = nearest - step, high = nearest + step
        for _ in 0..<60 {
            let third = (high - low) / 3
            if length(low + third).0 < length(high - third).0 { high -= third } else { low += third }
        }
        return length((low + high) / 2)
    }

    private static let equator = Mercator.earthRadius
    private static let flattening = 1 / 298.257223563
    private static let pole = equator * (1 - flattening)

    private static func inverse(_ start: Coordinate, _ end: Coordinate) -> (Double, Double)? {
        let east = Coordinate.wrapped(longitude: end.longitude - start.longitude).radians
        let u1 = reduced(start.latitude)
        let u2 = reduced(end.latitude)
        if east == 0, u1 == u2 { return (0, 0) }
        var lambda = east
        for _ in 0..<100 {
            let arc = Arc(u1, u2, lambda), c = arc.flatteningTerm(flattening)
            let next =
                east + (1 - c) * flattening * arc.sinAzimuth
                * (arc.sigma + c * arc.sin
                    * (arc.cosMiddle + c * arc.cos * (2 * arc.cosMiddle * arc.cosMiddle - 1)))
            guard abs(next) <= .pi else { return nil }
            let isThere = abs(next - lambda) < 1e-12
            lambda = next
            if isThere { return (length(Arc(u1, u2, lambda)), degrees(Arc(u1, u2, lambda).bearing)) }
        }
        return nil
    }

    private static func reduced(_ latitude: Double) -> Double {
        atan((1 - flattening) * tan(latitude.radians))
    }

    private static func degrees(_ radians: Double) -> Double {
        let degrees = radians.degrees
        return degrees < 0 ? degrees + 360 : degrees
    }

    private static func length(_ arc: Arc) -> Double {
        let square = arc.cosSquaredAzimuth * (equator * equator - pole * pole) / (pole * pole)
        let a = 1 + square / 16384 * (4096 + square * (-768 + square * (320 - 175 * square)))
        let b = square / 1024 * (256 + square * (-128 + square * (74 - 47 * square)))
        let m = arc.cosMiddle
        let inner = b / 6 * m * (4 * arc.sin * arc.sin - 3) * (4 * m * m - 3)
        let delta = b * arc.sin * (m + b / 4 * (arc.cos * (2 * m * m - 1) - inner))
        return pole * a * (arc.sigma - delta)
    }
}

/// The arc on the auxiliary sphere for a difference in longitude on it.
private struct Arc {
    let sin: Double
    let cos: Double
    let sigma: Double
    /// The sine of the azimuth at the equator.
    let sinAzimuth: Double
    let cosSquaredAzimuth: Double
    /// The cosine of twice the angle from the equator to the arc's midpoint.
    let cosMiddle: Double
    let bearing: Double

    init(_ u1: Double, _ u2: Double, _ lambda: Double) {
        let s1 = Glibc.sin(u1)
        let c1 = Glibc.cos(u1)
        let s2 = Glibc.sin(u2)
        let c2 = Glibc.cos(u2)
        let across = c2 * Glibc.sin(lambda), along = c1 * s2 - s1 * c2 * Glibc.cos(lambda)
        sin = (across * across + along * along).squareRoot()
        cos = s1 * s2 + c1 * c2 * Glibc.cos(lambda)
        sigma = atan2(sin, cos)
        sinAzimuth = sin == 0 ? 0 : c1 * across / sin
        cosSquaredAzimuth = 1 - sinAzimuth * sinAzimuth
        cosMiddle = cosSquaredAzimuth < 1e-15 ? 0 : cos - 2 * s1 * s2 / cosSquaredAzimuth
        bearing = atan2(across, along)
    }

    func flatteningTerm(_ f: Double) -> Double {
        f / 16 * cosSquaredAzimuth * (4 + f * (4 - 3 * cosSquaredAzimuth))
    }
}

extension Coordinate {
    /// Returns the shortest path over the ellipsoid to another position.
    public func way(to other: Coordinate) -> Geodesic { Geodesic(from: self, to: other) }

    /// Returns positions along the shortest path to another one, including both. They are so close that
    /// straight lines between them look right on a map: at most 50 km apart, in up to 1000 steps.
    public func course(to other: Coordinate) -> [Coordinate] {
        let angle = sphericalMetres(to: other) / Coordinate.meanEarthRadius
        let count = min(max(Int((angle * Coordinate.meanEarthRadius / 50_000).rounded(.up)), 1), 1000)
        guard count > 1, Glibc.sin(angle) > 1e-9 else { return [self, other] }
        let a = direction
        let b = other.direction
        return [self]
            + (1..<count).map { at in
                let share = Double(at) / Double(count)
                let point =
                    (a * Glibc.sin((1 - share) * angle) + b * Glibc.sin(share * angle)) / Glibc.sin(angle)
                return Coordinate(
                    latitude: atan2(point.z, (point.x * point.x + point.y * point.y).squareRoot()).degrees,
                    longitude: atan2(point.y, point.x).degrees)
            } + [other]
    }

    /// Returns the point a quarter of the globe away on a sphere.
    /// - Parameter degrees: The initial bearing, clockwise from north.
    fileprivate func quarter(towards degrees: Double) -> Coordinate {
        let bearing = degrees.radians, north = latitude.radians
        let latitude = asin(Glibc.cos(north) * Glibc.cos(bearing)).degrees
        let east = atan2(Glibc.sin(bearing), -Glibc.sin(north) * Glibc.cos(bearing)).degrees
        return Coordinate(latitude: latitude, longitude: Coordinate.wrapped(longitude: longitude + east))
    }

    /// The unit vector from the centre of the earth.
    private var direction: SIMD3<Double> {
        let north = latitude.radians
        let east = longitude.radians
        return SIMD3(Glibc.cos(north) * Glibc.cos(east), Glibc.cos(north) * Glibc.sin(east), Glibc.sin(north))
    }
}

extension [Coordinate] {
    /// The length of the shortest paths from each position to the next, in metres.
    public var metres: Double { zip(self, dropFirst()).reduce(0) { $0 + $1.0.way(to: $1.1).metres } }

    /// The area within the ring of shortest paths through the positions and back to the first, in square
    /// metres. It is computed on the sphere with the ellipsoid's area, with latitudes converted so that areas
    /// are preserved.
    public var squareMetres: Double {
        guard count > 2, let last else { return 0 }
        var excess = 0.0, turn = 0.0, before = last
        for place in self {
            let east = Coordinate.wrapped(longitude: place.longitude - before.longitude).radians
            let a = tan(before.latitude.authalic / 2)
            let b = tan(place.latitude.authalic / 2)
            excess += 2 * atan2(tan(east / 2) * (a + b), 1 + a * b)
            turn += east
            before = place
        }
        // Around a pole, the sum is the area between the ring and the equator.
        if abs(turn) > .pi { excess = 2 * .pi - abs(excess) }
        let smaller = Swift.min(abs(excess), 4 * .pi - abs(excess))
        return smaller * Double.authalicSquare
    }
}

extension Double {
    private static let eccentricity = (2 / 298.257223563 - 1 / (298.257223563 * 298.257223563)).squareRoot()
    /// The square of the radius of the sphere with the ellipsoid's area.
    fileprivate static let authalicSquare = Mercator.earthRadius * Mercator.earthRadius / 2 * authalicSum(1)

    /// The latitude in radians on the sphere with the ellipsoid's area, from one in degrees.
    fileprivate var authalic: Double {
        asin(Swift.min(Swift.max(Double.authalicSum(Glibc.sin(radians)) / Double.authalicSum(1), -1), 1))
    }

    private static func authalicSum(_ sine: Double) -> Double {
        let e = eccentricity
        return (1 - e * e)
            * (sine / (1 - e * e * sine * sine) - log((1 - e * sine) / (1 + e * sine)) / (2 * e))
    }
}
