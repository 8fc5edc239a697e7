internal import Glibc

/// The corridor along a route to prefetch for a moving position. It is divided into parts; each becomes due
/// before the end of the previous one is reached.
public struct MovingCorridor: Sendable {
    /// The default length of a part along the route, in metres.
    public static let usualLength = 10_000.0
    /// The default width in metres.
    public static let usualWidth = 5_000.0
    /// The default distance before the end of a part, in metres, at which the next one is due.
    public static let usualLead = 1_000.0

    private let way: [Coordinate]
    /// The distance from the beginning to each corner, in metres.
    private let distances: [Double]
    private let length: Double
    private let width: Double
    private let lead: Double
    /// The end of the last returned part, in metres from the beginning.
    private var end = 0.0

    /// - Parameters:
    ///   - way: The corners of the route, at least two.
    ///   - length: The length of a part in metres, at least 1 km.
    ///   - width: The width in metres, at least 100 m.
    ///   - lead: The distance before the end of a part at which the next one is due.
    public init?(
        along way: [Coordinate], length: Double = usualLength, width: Double = usualWidth,
        lead: Double = usualLead
    ) {
        guard way.count > 1, length >= 1000, width >= 100, lead >= 0, lead < length,
            width / 2 <= RegionGeometry.largestHalfWidth
        else { return nil }
        self.way = way
        self.length = length
        self.width = width
        self.lead = lead
        distances = zip(way, way.dropFirst()).reduce(into: [0]) {
            $0.append($0[$0.count - 1] + $1.0.metres(to: $1.1))
        }
        guard wholeLength > 0 else { return nil }
    }

    /// The length of the whole route in metres.
    public var wholeLength: Double { distances.last ?? 0 }
    /// True if all parts were returned.
    public var isAtEnd: Bool { end >= wholeLength }

    /// Returns the area of the next part if it is due at a position, at once for the first; nil otherwise,
    /// and after the last part. For a position beyond the part, it returns the part around it.
    public mutating func next(at place: Coordinate) -> RegionGeometry? {
        let along = distance(along: place)
        guard !isAtEnd, end == 0 || along >= end - lead else { return nil }
        let start = end == 0 || along > end ? along : end
        end = min(start + length, wholeLength)
        return ground(from: start, to: end)
    }

    /// The area along the whole route.
    public var whole: RegionGeometry? { ground(from: 0, to: wholeLength) }

    private func ground(from start: Double, to end: Double) -> RegionGeometry? {
        let inside = way.indices.filter { distances[$0] > start && distances[$0] < end }.map { way[$0] }
        let line = ([point(at: start)] + inside + [point(at: end)]).map { Position($0) }
        return try? RegionGeometry([.corridor(line, halfWidth: width / 2)])
    }

    private func point(at distance: Double) -> Coordinate {
        let leg = max(min((distances.firstIndex { $0 >= distance } ?? way.count - 1), way.count - 1), 1)
        let span = distances[leg] - distances[leg - 1]
        return way[leg - 1].toward(way[leg], share: span > 0 ? (distance - distances[leg - 1]) / span : 0)
    }

    /// Returns the distance along the route to its nearest point, in metres.
    private func distance(along place: Coordinate) -> Double {
        var best = (distance: Double.infinity, along: 0.0)
        for leg in 1..<way.count {
            let share = place.share(from: way[leg - 1], to: way[leg])
            let distance = place.metres(to: way[leg - 1].toward(way[leg], share: share))
            let along = distances[leg - 1] + share * (distances[leg] - distances[leg - 1])
            if distance < best.distance { best = (distance, along) }
        }
        return best.along
    }
}

extension Coordinate {
    /// Returns the degrees of latitude to the east and north of another place, by the shorter way around the
    /// world, on a flat map that is true to scale between the two. Legs are short.
    private func offset(to other: Coordinate) -> (x: Double, y: Double) {
        let shrinking = cos((latitude + other.latitude) / 2 * .pi / 180)
        return (
            Coordinate.wrapped(longitude: other.longitude - longitude) * shrinking, other.latitude - latitude
        )
    }

    fileprivate func toward(_ other: Coordinate, share: Double) -> Coordinate {
        let longitude = longitude + share * Coordinate.wrapped(longitude: other.longitude - self.longitude)
        return Coordinate(
            latitude: latitude + share * (other.latitude - latitude),
            longitude: Coordinate.wrapped(longitude: longitude))
    }

    /// Returns the nearest place on a leg, 0 at its start and 1 at its end.
    fileprivate func share(from a: Coordinate, to b: Coordinate) -> Double {
        let leg = a.offset(to: b), own = a.offset(to: self), square = leg.x * leg.x + leg.y * leg.y
        return square == 0 ? 0 : min(max((own.x * leg.x + own.y * leg.y) / square, 0), 1)
    }
}
