internal import Glibc

/// The strip that is fetched ahead of somebody who moves without a way: straight on as he is heading, the
/// next one before the end of the one before is reached, or once he turns out of it.
public struct CourseCorridor: Sendable {
    private let length: Double
    private let width: Double
    private let lead: Double
    /// Where the last strip begins, and where it leads, in degrees clockwise from north.
    private var last: (start: Coordinate, course: Double)?

    /// - Parameters:
    ///   - length: of a strip, in metres; 1 km or more.
    ///   - width: from edge to edge; 100 m or more.
    ///   - lead: metres ahead of him that always lie in a strip.
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

    /// The ground of the next strip, where it is due for somebody who is at a place; nil else, and where the
    /// course is no number.
    /// - Parameter course: in degrees clockwise from north.
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

    /// Some kilometres away at most, as on a map that is true to scale there.
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
