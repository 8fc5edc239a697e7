internal import Glibc

/// The corridor to prefetch for a moving position without a route: straight ahead along its course. The next
/// strip starts before the end of the last one, or after a turn out of it.
public struct CourseCorridor: Sendable {
    private let length: Double
    private let width: Double
    private let lead: Double
    /// The start and the course of the last strip, in degrees clockwise from north.
    private var last: (start: Coordinate, course: Double)?

    /// - Parameters:
    ///   - length: The length of a strip in metres, at least 1 km.
    ///   - width: The width of a strip in metres, at least 100 m.
    ///   - lead: The distance ahead of the position, in metres, that a strip always covers.
    public init?(
        length: Double = MovingCorridor.usualLength, width: Double = MovingCorridor.usualWidth,
        lead: Double = MovingCorridor.usualLead
    ) {
        guard length >= 1000, width >= 100, lead >= 0, lead < length,
            width / 2 <= RegionGeometry.largestHalfWidth
        else { return nil }
        self.length = length
        self.width = width
        self.lead = lead
    }

    /// Returns the area of the next strip if it is due at a position; nil otherwise, and for an invalid
    /// course.
    /// - Parameter course: The course in degrees clockwise from north.
    public mutating func next(at place: Coordinate, course: Double) -> RegionGeometry? {
        guard course.isFinite, !isInside(place.ahead(by: lead, course)) else { return nil }
        last = (place, course)
        let line = [Position(place), Position(place.ahead(by: length, course))]
        return try? RegionGeometry([.corridor(line, halfWidth: width / 2)])
    }

    private func isInside(_ place: Coordinate) -> Bool {
        guard let last else { return false }
        let turn = last.course * .pi / 180, way = last.start.metresEastAndNorth(to: place)
        let along = way.x * sin(turn) + way.y * cos(turn), across = way.x * cos(turn) - way.y * sin(turn)
        return along >= 0 && along <= length && abs(across) <= width / 2
    }
}

extension Coordinate {
    private static let metresPerDegree = RegionGeometry.metresPerDegree

    /// Returns a place at a distance of at most some kilometres, computed on a local flat map.
    fileprivate func ahead(by metres: Double, _ course: Double) -> Coordinate {
        let turn = course * .pi / 180, shrinking = max(cos(latitude * .pi / 180), 0.01)
        return Coordinate(
            latitude: min(max(latitude + metres * cos(turn) / Self.metresPerDegree, -90), 90),
            longitude: Coordinate.wrapped(
                longitude: longitude + metres * sin(turn) / Self.metresPerDegree / shrinking))
    }

    fileprivate func metresEastAndNorth(to other: Coordinate) -> SIMD2<Double> {
        let shrinking = max(cos(latitude * .pi / 180), 0.01)
        return SIMD2(
            Coordinate.wrapped(longitude: other.longitude - longitude) * shrinking, other.latitude - latitude)
            * Self.metresPerDegree
    }
}
