internal import Glibc
internal import RhumbGeo

/// Turns a way through the graph into a line and steps.
struct RoadLeg {
    private let graph: RoadGraph
    private let path: RoadPath
    private(set) var line: [Coordinate] = []
    private(set) var leg = RouteLeg(distance: 0, duration: 0, steps: [])
    /// The number of corners before the leg in the line of the route.
    private let offset: Int
    /// The direction before each step; that of the first step is its own.
    private var approaches: [Int] = []
    /// The length in metres of a step that people on foot or on a bicycle do not notice as one.
    private static let stride = 10.0

    /// - Parameter offset: The number of corners of the legs before; the first of this leg is their last.
    init(_ path: RoadPath, _ graph: RoadGraph, offset: Int) {
        self.graph = graph
        self.path = path
        self.offset = max(offset - 1, 0)
        build()
    }

    private mutating func build() {
        var exits = 0, entry: Int?
        for (at, direction) in path.directions.enumerated() {
            if at == 0 {
                begin(Manoeuvre(.depart, bearing: heading(direction)), direction, from: direction)
            } else {
                let before = path.directions[at - 1], isRound = isRoundabout(direction),
                    wasRound = isRoundabout(before)
                if isRound {
                    if !wasRound {
                        exits = 0
                        entry = leg.steps.count
                        begin(Manoeuvre(.roundabout, turn(before, direction)), direction, from: before)
                    } else if hasExit(between: before, direction) {
                        exits += 1
                    }
                } else if wasRound, let index = entry {
                    leg.steps[index].manoeuvre.exit = exits + 1
                    setNames(of: &leg.steps[index], direction)
                    entry = nil
                } else if let manoeuvre = manoeuvre(from: before, to: direction) {
                    if !joinsLastStep(direction) { begin(manoeuvre, direction, from: before) }
                } else if leg.steps[leg.steps.count - 1].road.isEmpty {
                    setNames(of: &leg.steps[leg.steps.count - 1], direction)
                }
            }
            append(direction, isFirst: at == 0, isLast: at == path.directions.count - 1)
        }
        let last = RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: corner)
        leg.steps.append(last)
        if line.count == 1 { line.append(line[0]) }
    }

    /// The index of the newest corner in the line of the route.
    private var corner: Int { offset + max(line.count - 1, 0) }

    /// Joins a turn to one a few metres before, such as those that cross a street between two pavements.
    /// - Returns: False if the last step is long enough to announce.
    private mutating func joinsLastStep(_ direction: Int) -> Bool {
        let last = leg.steps.count - 1, old = leg.steps[last]
        guard graph.profile.mode != .car, old.distance < RoadLeg.stride else { return false }
        guard last > 0 else {
            leg.steps[0].manoeuvre = Manoeuvre(.depart, bearing: heading(direction))
            setNames(of: &leg.steps[0], direction)
            return true
        }
        guard [.turn, .newName, .endOfRoad].contains(old.manoeuvre.kind) else { return false }
        if let both = manoeuvre(from: approaches[last], to: direction) {
            leg.steps[last].manoeuvre = both
            setNames(of: &leg.steps[last], direction)
        } else {
            leg.steps.removeLast()
            approaches.removeLast()
            leg.steps[last - 1].distance += old.distance
            leg.steps[last - 1].duration += old.duration
        }
        return true
    }

    private mutating func begin(_ manoeuvre: Manoeuvre, _ direction: Int, from before: Int) {
        approaches.append(before)
        var step = RouteStep(manoeuvre, distance: 0, duration: 0, corner: corner)
        setNames(of: &step, direction)
        leg.steps.append(step)
    }

    private func setNames(of step: inout RouteStep, _ direction: Int) {
        let (name, reference) = names(direction)
        step.name = name
        step.reference = reference
    }

    /// The name of a road; "the stairs" or "the bridge" on foot if it has none.
    private func names(_ direction: Int) -> (name: String, reference: String) {
        let edge = graph.edges[direction >> 1], tile = graph.tiles[Int(edge.tile)].roads
        let road = tile.roads[Int(edge.road)], name = tile.names[road.name]
        guard name.isEmpty, road.reference == 0, graph.profile.mode == .foot else {
            return (name, tile.names[road.reference])
        }
        if edge.traits.kind == .steps { return ("the stairs", "") }
        return (edge.traits[.bridge] ? "the bridge" : "", "")
    }

    private mutating func append(_ direction: Int, isFirst: Bool, isLast: Bool) {
        let edge = graph.edges[direction >> 1], isForward = direction & 1 == 0
        var corners = graph.line(edge)
        if !isForward { corners.reverse() }
        let total = RoadLeg.length(corners)
        var from = 0.0, to = total
        func share(_ snap: RoadSnap) -> Double {
            let share = edge.length > 0 ? snap.along / Double(edge.length) : 0
            return total * (isForward ? share : 1 - share)
        }
        if isFirst { from = share(path.start) }
        if isLast { to = share(path.end) }
        let places = RoadLeg.part(of: corners, from, to).map(graph.coordinate)
        line += line.last == places.first ? Array(places.dropFirst()) : places
        let metres = total > 0 ? Double(edge.length) * max(to - from, 0) / total : 0
        let seconds = metres * graph.profile.time(edge.traits, isForward: isForward)
        leg.distance += metres
        leg.duration += seconds
        leg.steps[leg.steps.count - 1].distance += metres
        leg.steps[leg.steps.count - 1].duration += seconds
    }

    private static func length(_ corners: [SIMD2<Double>]) -> Double {
        zip(corners, corners.dropFirst()).reduce(0) { $0 + RoadGeometry.length($1.1 - $1.0) }
    }

    /// Returns the part of a line between two distances from its start.
    private static func part(of corners: [SIMD2<Double>], _ from: Double, _ to: Double) -> [SIMD2<Double>] {
        var part: [SIMD2<Double>] = [], at = 0.0
        for (start, end) in zip(corners, corners.dropFirst()) {
            let step = end - start, length = RoadGeometry.length(step)
            defer { at += length }
            guard length > 0, at + length >= from, at <= to else { continue }
            if part.isEmpty { part.append(start + step * max((from - at) / length, 0)) }
            part.append(start + step * min((to - at) / length, 1))
        }
        return part
    }

    // MARK: Turns

    private func heading(_ direction: Int) -> Double {
        let bearing = graph.departure(direction).truncatingRemainder(dividingBy: 360)
        return bearing < 0 ? bearing + 360 : bearing
    }

    /// True on a roundabout, whose exits matter to vehicles only.
    private func isRoundabout(_ direction: Int) -> Bool {
        graph.profile.mode != .foot && graph.edges[direction >> 1].traits[.roundabout]
    }

    private func turn(_ before: Int, _ after: Int) -> Manoeuvre.Direction {
        let angle = graph.angle(from: before, to: after), isRight = angle > 0
        switch abs(angle) {
        case ..<20: return .straight
        case ..<50: return isRight ? .slightRight : .slightLeft
        case ..<120: return isRight ? .right : .left
        case ..<170: return isRight ? .sharpRight : .sharpLeft
        default: return .uTurn
        }
    }

    /// The other directions that may be taken at the node between two.
    private func others(_ before: Int, _ after: Int) -> [Int] {
        var found: [Int] = []
        graph.forEachLeaving(graph.node(after: before)) { direction in
            if direction != after, direction != before ^ 1, graph.costs[direction].isFinite {
                found.append(direction)
            }
        }
        return found
    }

    private func hasExit(between before: Int, _ after: Int) -> Bool { !others(before, after).isEmpty }

    /// Returns the manoeuvre between two directions; nil if the road simply continues.
    private func manoeuvre(from before: Int, to after: Int) -> Manoeuvre? {
        let a = graph.edges[before >> 1].traits, b = graph.edges[after >> 1].traits
        let direction = turn(before, after), isStraight = direction == .straight
        let bearing = heading(after)
        func manoeuvre(_ kind: Manoeuvre.Kind) -> Manoeuvre { Manoeuvre(kind, direction, bearing: bearing) }
        if b.kind == .ferry { return a.kind == .ferry ? nil : manoeuvre(.ferry) }
        let isCar = graph.profile.mode == .car, others = others(before, after)
        if isCar, b[.link], !a[.link] { return manoeuvre(a.kind == .motorway ? .offRamp : .onRamp) }
        if isCar, a[.link], b.kind == .motorway, !b[.link] { return manoeuvre(.merge) }
        let old = names(before), new = names(after)
        let isSame = old == new
        guard !others.isEmpty else {
            return isSame || new.name.isEmpty && new.reference.isEmpty
                ? nil : manoeuvre(isStraight ? .newName : .turn)
        }
        let angle = abs(graph.angle(from: before, to: after)),
            rivals = others.map { abs(graph.angle(from: before, to: $0)) }
        if angle >= 40 {
            let isEnd =
                others.count == 1 && rivals[0] > 40
                && (graph.angle(from: before, to: after) > 0)
                    != (graph.angle(from: before, to: others[0]) > 0)
            return manoeuvre(isEnd ? .endOfRoad : .turn)
        }
        if isCar, others.count == 1, rivals[0] < 35, b[.link] || a.kind == .motorway || a.kind == .trunk {
            let isRight = graph.angle(from: before, to: after) > graph.angle(from: before, to: others[0])
            return Manoeuvre(.fork, isRight ? .slightRight : .slightLeft, bearing: bearing)
        }
        if isSame { return rivals.contains { $0 < angle - 5 } && angle >= 25 ? manoeuvre(.turn) : nil }
        if angle >= 25 { return manoeuvre(.turn) }
        return new.name.isEmpty && new.reference.isEmpty ? nil : manoeuvre(.newName)
    }
}
