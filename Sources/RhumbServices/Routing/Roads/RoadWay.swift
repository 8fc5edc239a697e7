/// The parts of the graph's directions that a path uses, with the bearings at their ends.
struct RoadWay {
    /// The used part of a direction.
    struct Part {
        let direction: Int
        /// The corners in units of the graph.
        let corners: [RoadGeometry.Point]
        /// The length in metres.
        let length: Double
        /// The bearings of the direction where the part begins and ends, in degrees.
        var departure = 0.0, arrival = 0.0
    }

    private(set) var parts: [Part]
    /// The minimum length in metres over which a bearing is measured. Shorter parts are measured together
    /// with the next ones.
    private static let least = 5.0
    /// The length in metres below which the direction of the way between two turns means nothing.
    private static let gap = 3.0
    /// The angle in degrees from which each of two turns to the same side is one of its own.
    private static let corner = 45.0

    init(_ path: RoadPath, _ graph: RoadGraph) {
        let last = path.directions.count - 1
        parts = path.directions.enumerated().map { at, direction in
            let edge = graph.edges[direction >> 1], isForward = direction & 1 == 0
            var corners = graph.line(edge)
            if !isForward { corners.reverse() }
            let total = Self.length(corners)
            func distance(_ snap: RoadSnap) -> Double {
                let share = edge.length > 0 ? snap.along / Double(edge.length) : 0
                return total * (isForward ? share : 1 - share)
            }
            let from = at == 0 ? distance(path.start) : 0, to = at == last ? distance(path.end) : total
            return Part(
                direction: direction, corners: Self.part(of: corners, from, to),
                length: total > 0 ? Double(edge.length) * max(to - from, 0) / total : 0)
        }
        for at in parts.indices {
            let direction = parts[at].direction
            parts[at].departure =
                bearing(along: parts[at...], graph, least: at == 0 ? RoadGraph.reach : Self.least)
                ?? graph.departure(direction)
            parts[at].arrival =
                bearing(along: parts[...at].reversed(), graph, isBackwards: true).map { $0 + 180 }
                ?? graph.arrival(direction)
        }
    }

    /// Returns the bearing at the start of the first part; nil if all parts are points.
    private func bearing(
        along parts: some Collection<Part>, _ graph: RoadGraph, isBackwards: Bool = false,
        least: Double = RoadWay.least
    ) -> Double? {
        guard let first = parts.first else { return nil }
        let limit = first.length < least ? least : RoadGraph.reach
        var corners: [RoadGeometry.Point] = [], length = 0.0
        for part in parts where length < least {
            corners += isBackwards ? part.corners.reversed() : part.corners
            length += part.length
        }
        let way = RoadGeometry.start(of: corners, within: limit / graph.scale(of: first.direction))
        return way.start == way.end ? nil : RoadGeometry.bearing(way.end - way.start)
    }

    // MARK: Angles

    /// Returns the bearing at the start of a part, 0..<360.
    func heading(_ at: Int) -> Double {
        let bearing = parts[at].departure.truncatingRemainder(dividingBy: 360)
        return bearing < 0 ? bearing + 360 : bearing
    }

    /// Returns the angle in degrees from the end of a part to a bearing, positive to the right.
    func angle(from before: Int, toward bearing: Double) -> Double {
        (bearing - parts[before].arrival).remainder(dividingBy: 360)
    }

    /// Returns the angle in degrees by which the way turns between two parts, positive to the right. Over a
    /// way between them, it is the sum of both turns, so that two turns to the left are no turn to the right.
    func angle(from before: Int, to after: Int) -> Double {
        turns(from: before, to: after).reduce(0, +)
    }

    /// True if the way turns around two corners to the same side between two parts.
    func turnsTwice(from before: Int, to after: Int) -> Bool {
        let turns = turns(from: before, to: after)
        return turns.count > 1 && turns.allSatisfy { abs($0) >= Self.corner }
            && (turns[0] > 0) == (turns[1] > 0)
    }

    private func turns(from before: Int, to after: Int) -> [Double] {
        let between = parts[(before + 1)..<after]
        guard between.reduce(0, { $0 + $1.length }) >= Self.gap,
            let start = between.first?.corners.first, let end = between.last?.corners.last, start != end
        else { return [angle(from: before, toward: parts[after].departure)] }
        let middle = RoadGeometry.bearing(end - start)
        return [
            angle(from: before, toward: middle),
            (parts[after].departure - middle).remainder(dividingBy: 360),
        ]
    }

    // MARK: Lines

    private static func length(_ corners: [RoadGeometry.Point]) -> Double {
        zip(corners, corners.dropFirst()).reduce(0) { $0 + RoadGeometry.length($1.1 - $1.0) }
    }

    /// Returns the part of a line between two distances from its start.
    private static func part(
        of corners: [RoadGeometry.Point], _ from: Double, _ to: Double
    ) -> [RoadGeometry.Point] {
        var part: [RoadGeometry.Point] = [], at = 0.0
        for (start, end) in zip(corners, corners.dropFirst()) {
            let step = end - start, length = RoadGeometry.length(step)
            defer { at += length }
            guard length > 0, at + length >= from, at <= to else { continue }
            if part.isEmpty { part.append(start + step * max((from - at) / length, 0)) }
            part.append(start + step * min((to - at) / length, 1))
        }
        return part
    }
}
