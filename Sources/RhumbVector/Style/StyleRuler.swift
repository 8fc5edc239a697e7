internal import Glibc
internal import RhumbGeo

/// Measures short distances in metres, on the plane that touches the ellipsoid WGS 84 at a latitude.
struct StyleRuler {
    private typealias Position = StyleShape.Position
    private typealias Segment = (Position, Position)

    /// Metres per degree of longitude and of latitude.
    private let scale: SIMD2<Double>

    private init(latitude: Double) {
        let radians = Double.pi / 180, flattening = 1 / 298.257223563
        let eccentricity = flattening * (2 - flattening), cosine = cos(latitude * radians)
        let squared = 1 / (1 - eccentricity * (1 - cosine * cosine)), degree = radians * Mercator.earthRadius
        scale = SIMD2(
            degree * squared.squareRoot() * cosine,
            degree * squared.squareRoot() * squared * (1 - eccentricity))
    }

    /// Returns the distance between the nearest points of two shapes, 0 if they touch; not a number if one is
    /// empty.
    static func distance(from feature: StyleShape, to other: StyleShape) -> Double {
        guard
            let start = feature.points.first ?? feature.lines.first?.first
                ?? feature.polygons.first?.first?.first
        else { return .nan }
        let ruler = StyleRuler(latitude: start.y)
        if feature.touches(other) || other.touches(feature) { return 0 }
        var least = Double.infinity
        for part in feature.segments {
            for otherPart in other.segments {
                least = min(least, ruler.distance(part, otherPart))
                if least == 0 { return 0 }
            }
        }
        return least
    }

    private func distance(_ a: Segment, _ b: Segment) -> Double {
        if PlanePolygon.cross(a.0, a.1, b.0, b.1) { return 0 }
        let squares = (distance(a.0, b), distance(a.1, b), distance(b.0, a), distance(b.1, a))
        return min(min(squares.0, squares.1), min(squares.2, squares.3)).squareRoot()
    }

    /// Returns the square of the distance of a point from a segment.
    private func distance(_ point: Position, _ segment: Segment) -> Double {
        let along = vector(from: segment.0, to: segment.1), offset = vector(from: segment.0, to: point)
        let length = (along * along).sum()
        let share = length > 0 ? min(max((offset * along).sum() / length, 0), 1) : 0
        let rest = offset - along * share
        return (rest * rest).sum()
    }

    /// Returns the metres to the east and north, the shorter way around the world.
    private func vector(from start: Position, to end: Position) -> SIMD2<Double> {
        let degrees = end - start
        return SIMD2(degrees.x.remainder(dividingBy: 360), degrees.y) * scale
    }
}

extension StyleShape {
    /// The points, as segments without length, and the segments of lines and rings.
    fileprivate var segments: [(Position, Position)] {
        var segments = points.map { ($0, $0) }
        for line in lines + polygons.flatMap(\.self) {
            segments += line.count == 1 ? [(line[0], line[0])] : Array(zip(line, line.dropFirst()))
        }
        return segments
    }

    /// Returns true if a point of another shape is in one of the polygons or on its edge.
    fileprivate func touches(_ other: StyleShape) -> Bool {
        guard !polygons.isEmpty else { return false }
        let others =
            other.points + other.lines.flatMap(\.self) + other.polygons.flatMap { $0.flatMap(\.self) }
        return others.contains { point in polygons.contains { PlaneGeometry.side(of: point, $0) != .outside }
        }
    }
}

/// Tests of lines in a plane.
enum PlanePolygon {
    /// Returns true if a line is inside of a polygon and doesn't cross its edges.
    static func contains(_ line: [SIMD2<Double>], _ rings: [[SIMD2<Double>]]) -> Bool {
        line.allSatisfy { PlaneGeometry.side(of: $0, rings) == .inside }
            && !zip(line, line.dropFirst()).contains { start, end in
                rings.contains { ring in
                    zip(ring, ring.dropFirst()).contains { cross(start, end, $0, $1) }
                }
            }
    }

    /// Returns true if two segments cross each other, not if they only touch.
    static func cross(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>
    ) -> Bool {
        func areSplit(
            _ p: SIMD2<Double>, _ q: SIMD2<Double>, by start: SIMD2<Double>, _ end: SIMD2<Double>
        ) -> Bool {
            let first = PlaneGeometry.cross(p - start, end - start)
            let second = PlaneGeometry.cross(q - start, end - start)
            return first > 0 && second < 0 || first < 0 && second > 0
        }
        return areSplit(a, b, by: c, d) && areSplit(c, d, by: a, b)
    }
}
