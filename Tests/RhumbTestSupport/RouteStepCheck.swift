internal import Glibc
public import RhumbCore

/// Checks the steps of a route against its line, without the code that makes them.
public struct RouteStepCheck {
    /// The faults that no route may have: lengths, order and repetitions.
    public private(set) var faults: [String] = []
    /// The turns whose word does not agree with the bearings of the line.
    public private(set) var wrongWords: [String] = []
    private let line: [Coordinate]
    /// The length in metres of a step too short to be announced.
    private static let least = 5.0
    /// The distance in metres over which a corner may be spread, such as that of a crossing.
    private static let corner = 10.0

    public init(_ route: Route) {
        line = route.line
        for leg in route.legs {
            check(leg)
            for at in leg.steps.indices.dropFirst() { checkWord(leg.steps, at) }
        }
        compare("legs", route.legs.reduce(0) { $0 + $1.distance }, route.distance, within: 0.5)
        compare("times", route.legs.reduce(0) { $0 + $1.duration }, route.duration, within: 0.5)
        for (leg, next) in zip(route.legs, route.legs.dropFirst())
        where leg.steps.last?.corner != next.steps.first?.corner {
            faults.append("two legs do not meet")
        }
    }

    private mutating func compare(_ name: String, _ a: Double, _ b: Double, within tolerance: Double) {
        if abs(a - b) > tolerance { faults.append("\(name): \(a) and \(b)") }
    }

    private mutating func check(_ leg: RouteLeg) {
        let steps = leg.steps
        compare("steps", steps.reduce(0) { $0 + $1.distance }, leg.distance, within: 0.5)
        if steps.last?.manoeuvre.kind != .arrive { faults.append("no arrival") }
        for (step, next) in zip(steps, steps.dropFirst()) {
            guard step.corner <= next.corner, line.indices.contains(next.corner) else {
                faults.append("a corner before the last one")
                continue
            }
            let part = line[step.corner...next.corner]
            let length = zip(part, part.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
            compare(step.instruction(), length, step.distance, within: max(2, length / 100))
            if step.instruction() == next.instruction() { faults.append("twice: \(step.instruction())") }
            if next.manoeuvre.kind == .newName, !next.road.isEmpty, step.road == next.road {
                faults.append("\(next.instruction()) is no new name")
            }
            if step.distance < Self.least, steps.count > 2 {
                faults.append("\(step.instruction()): \(step.distance) m")
            }
        }
    }

    // MARK: Turns

    private mutating func checkWord(_ steps: [RouteStep], _ at: Int) {
        let step = steps[at], before = min(steps[at - 1].distance, 15), after = min(step.distance, 15)
        guard [.turn, .endOfRoad, .newName, .fork, .proceed].contains(step.manoeuvre.kind),
            let range = Self.range(step.manoeuvre.direction)
        else { return }
        var angles: [Double] = []
        for back in [min(before, Self.least), before] {
            for offset in stride(from: 0, through: Self.corner, by: Self.least) {
                let start = place(step.corner, offset, 1), end = place(step.corner, offset + after, 1)
                guard let arrival = Self.bearing(place(step.corner, back, -1), line[step.corner]),
                    let departure = Self.bearing(start, end)
                else { continue }
                angles.append((departure - arrival).remainder(dividingBy: 360))
            }
        }
        let isRight = angles.contains { range.contains($0) || range.contains($0 + 360) }
        if !isRight, !angles.isEmpty { wrongWords.append("\(step.instruction()) at \(line[step.corner])") }
    }

    /// The angles in degrees, positive to the right, that a word may mean.
    private static func range(_ direction: Manoeuvre.Direction?) -> ClosedRange<Double>? {
        switch direction {
        case .straight?: -35...35
        case .slightRight?: 5...75
        case .right?: 25...150
        case .sharpRight?: 80...190
        case .slightLeft?: -75 ... -5
        case .left?: -150 ... -25
        case .sharpLeft?: 170...280
        case .uTurn?: 140...220
        case nil: nil
        }
    }

    /// Returns the point at a distance in metres from a corner along the line, or its end.
    private func place(_ corner: Int, _ distance: Double, _ step: Int) -> Coordinate {
        var at = corner, rest = distance
        while line.indices.contains(at + step) {
            let from = line[at], to = line[at + step], length = from.metres(to: to)
            if length >= rest, length > 0 {
                let share = rest / length
                return Coordinate(
                    latitude: from.latitude + (to.latitude - from.latitude) * share,
                    longitude: from.longitude + (to.longitude - from.longitude) * share)
            }
            rest -= length
            at += step
        }
        return line[at]
    }

    /// Returns the bearing between two places in degrees; nil if they are the same.
    private static func bearing(_ from: Coordinate, _ to: Coordinate) -> Double? {
        guard from.metres(to: to) > 0.3 else { return nil }
        let east = (to.longitude - from.longitude) * cos(from.latitude * .pi / 180)
        return atan2(east, to.latitude - from.latitude) * 180 / .pi
    }
}
