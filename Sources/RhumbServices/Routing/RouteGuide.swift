internal import Glibc
internal import RhumbBase
public import RhumbGeo

/// Tracks a moving position along a route. Works offline, from positions passed in.
public struct RouteGuide: Sendable {
    /// Distance from the route, in metres, beyond which the position is off the route. Grows with the
    /// position's inaccuracy.
    static let offDistance = 50.0
    /// Distance from the route, in metres, within which an off-route position is on the route again.
    static let backDistance = 30.0
    /// Distance from the end, in metres, within which the route is completed.
    static let endDistance = 25.0
    /// The distances ahead and behind, in metres, that are searched before the rest of the route.
    private static let ahead = 1000.0, behind = 100.0
    /// Penalty in metres for a segment that leads against the direction of travel.
    private static let wrongWay = 40.0

    private let line: [Coordinate]
    /// Metres from the start to each corner.
    private let distances: [Double]
    private let steps: [RouteStep]
    /// Metres from the start to each step, never decreasing.
    private let stepDistances: [Double]
    /// Seconds from each step to the end, followed by 0 for the end itself.
    private let timesLeft: [Double]
    private let duration: Double
    private let legEnds: [Double]
    /// The last progress; nil before the first position on the route.
    public private(set) var progress: RouteProgress?

    /// Creates a guide along a route of at least two corners.
    public init(_ route: Route) {
        line = route.line
        steps = route.steps
        duration = route.duration
        let distances = line.metresFromStart
        self.distances = distances
        var last = 0.0
        stepDistances = steps.map { step in
            if distances.indices.contains(step.corner) { last = max(last, distances[step.corner]) }
            return last
        }
        // The delay applies to the whole route; each step gets its share.
        let sum = steps.reduce(0) { $0 + $1.duration }, share = sum > 0 ? route.duration / sum : 0
        var left = [0.0]
        for step in steps.reversed() { left.append(left[left.count - 1] + step.duration * share) }
        timesLeft = left.reversed()
        legEnds = route.legs.map { leg in
            leg.steps.last.map { distances.indices.contains($0.corner) ? distances[$0.corner] : 0 } ?? 0
        }
    }

    /// Updates the progress for a position.
    /// - Parameters:
    ///   - accuracy: Error of the position in metres; nil if unknown.
    ///   - heading: Degrees clockwise from north; nil if unknown, for example at rest.
    /// - Returns: The progress; nil if no position has been on the route yet.
    @discardableResult
    public mutating func move(
        to place: Coordinate, accuracy: Double? = nil, heading: Double? = nil
    ) -> RouteProgress? {
        guard let spot = spot(place, heading) else { return progress }
        let slack = min(accuracy ?? 0, 150), wasOff = progress?.isOff == true
        let limit = wasOff ? max(Self.backDistance, slack) : max(Self.offDistance, slack * 1.5)
        let isOff = spot.apart > limit
        guard !isOff || progress != nil else { return nil }
        progress = progress(at: spot, isOff: isOff, slack)
        return progress
    }

    // MARK: Position on the route

    private struct Spot {
        let gone: Double
        /// Distance from the line in metres.
        let apart: Double
        /// Distance in metres, plus the penalty if the line leads the wrong way.
        let cost: Double
    }

    /// Returns the nearest position on the route. Searches near the last progress first, then everywhere, so
    /// that a round trip begins at its start and not at its end.
    private func spot(_ place: Coordinate, _ heading: Double?) -> Spot? {
        let flat = Flat(around: place)
        let gone = progress?.distanceGone ?? 0
        let first = corner(before: gone - Self.behind), last = corner(before: gone + Self.ahead) + 1
        if let near = nearest(first..<min(last, line.count - 1), flat, heading),
            near.cost <= Self.offDistance,
            progress != nil || near.cost == near.apart
        {
            return near
        }
        return nearest(0..<max(line.count - 1, 0), flat, heading)
    }

    /// Returns the last corner within a distance from the start, in metres.
    private func corner(before metres: Double) -> Int {
        max(distances.partitioningIndex { $0 > metres } - 1, 0)
    }

    private func nearest(_ segments: Range<Int>, _ flat: Flat, _ heading: Double?) -> Spot? {
        guard !segments.isEmpty else { return nil }
        var best: Spot?, from = flat.point(line[segments.lowerBound])
        for at in segments {
            let to = flat.point(line[at + 1]), along = to - from, square = (along * along).sum()
            let share = square > 0 ? min(max(-(from * along).sum() / square, 0), 1) : 0,
                foot = from + along * share
            let apart = (foot * foot).sum().squareRoot()
            let cost = apart + (heading.map { Self.isAgainst(along, $0) } == true ? Self.wrongWay : 0)
            if cost < (best?.cost ?? .infinity) {
                best = Spot(
                    gone: distances[at] + (distances[at + 1] - distances[at]) * share, apart: apart,
                    cost: cost)
            }
            from = to
        }
        return best
    }

    /// Returns true if a segment leads against a heading.
    private static func isAgainst(_ along: SIMD2<Double>, _ heading: Double) -> Bool {
        let turn = heading.radians, way = SIMD2(sin(turn), cos(turn))
        return (along * way).sum() < 0
    }

    // MARK: Progress

    private func progress(at spot: Spot, isOff: Bool, _ slack: Double) -> RouteProgress {
        let length = distances.last ?? 0, left = max(length - spot.gone, 0)
        let next = stepDistances.firstIndex { $0 > spot.gone } ?? steps.indices.last
        return RouteProgress(
            distanceGone: spot.gone, distanceFromLine: spot.apart, isOff: isOff,
            hasArrived: !isOff && left <= max(Self.endDistance, min(slack, 100)), next: next,
            distanceToNext: next.map { max(stepDistances[$0] - spot.gone, 0) } ?? left, distanceLeft: left,
            timeLeft: timeLeft(spot.gone, next, length),
            legsGone: legEnds.dropLast().prefix { $0 <= spot.gone }.count)
    }

    private func timeLeft(_ gone: Double, _ next: Int?, _ length: Double) -> Double {
        guard let next, next > 0 else { return length > 0 ? duration * max(length - gone, 0) / length : 0 }
        let span = stepDistances[next] - stepDistances[next - 1]
        let share = span > 0 ? min(max((stepDistances[next] - gone) / span, 0), 1) : 0
        return timesLeft[next] + (timesLeft[next - 1] - timesLeft[next]) * share
    }
}

/// The position on a route, with the next step and the rest of the way.
public struct RouteProgress: Hashable, Sendable {
    /// Metres from the start.
    public let distanceGone: Double
    /// Metres from the line.
    public let distanceFromLine: Double
    /// True if the position is too far from the line to be on the route.
    public let isOff: Bool
    /// True if the end has been reached.
    public let hasArrived: Bool
    /// The index of the next step, which at the end is the last one; nil if the route has no steps.
    public let next: Int?
    /// Metres to the next step.
    public let distanceToNext: Double
    /// Metres to the end.
    public let distanceLeft: Double
    /// Seconds to the end.
    public let timeLeft: Double
    /// The number of intermediate places that have been passed.
    public let legsGone: Int
}

/// A plane around a place, in metres east and north of it.
private struct Flat {
    private let middle: Coordinate
    private let east: Double
    private static let degree = 111_195.0

    init(around place: Coordinate) {
        middle = place
        east = Self.degree * max(cos(place.latitude.radians), 0.001)
    }

    func point(_ place: Coordinate) -> SIMD2<Double> {
        SIMD2(
            Self.turn(place.longitude - middle.longitude) * east,
            (place.latitude - middle.latitude) * Self.degree)
    }

    private static func turn(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }
}
