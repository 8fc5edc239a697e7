internal import RhumbGeo

/// Turns a way through the graph into a line and steps.
struct RoadLeg {
    private let graph: RoadGraph
    private let way: RoadWay
    private(set) var line: [Coordinate] = []
    private(set) var leg = RouteLeg(distance: 0, duration: 0, steps: [])
    /// The metres on each street along which a bicycle is pushed, by name.
    private(set) var pushed: [String: Double] = [:]
    /// The number of corners before the leg in the line of the route.
    private let offset: Int
    /// The index of the part of the way before each step; that of the first step is its own.
    private var approaches: [Int] = []

    /// The length in metres of the last step before the end that is too short to be announced.
    private static let end = 5.0

    /// The length in metres of a step too short to be announced. On foot and on a bicycle, it is that of a
    /// crossing between two pavements.
    private var stride: Double { graph.profile.mode == .car ? 4 : 10 }

    /// - Parameter offset: The number of corners of the legs before; the first of this leg is their last.
    init(_ path: RoadPath, _ graph: RoadGraph, offset: Int) {
        self.graph = graph
        self.offset = max(offset - 1, 0)
        way = RoadWay(path, graph)
        build()
    }

    private mutating func build() {
        var exits = 0, entry: Int?
        for (at, part) in way.parts.enumerated() {
            if at == 0 {
                let isFerry = graph.edges[part.direction >> 1].traits.kind == .ferry
                begin(Manoeuvre(isFerry ? .ferry : .depart, bearing: way.heading(at)), at, from: at)
            } else {
                let isRound = isRoundabout(at), wasRound = isRoundabout(at - 1)
                if isRound {
                    if !wasRound {
                        exits = 0
                        entry = leg.steps.count
                        begin(Manoeuvre(.roundabout, turn(at - 1, at)), at, from: at - 1)
                    } else if !others(at - 1, at).isEmpty {
                        exits += 1
                    }
                } else if wasRound, let index = entry {
                    leg.steps[index].manoeuvre.exit = exits + 1
                    setNames(of: &leg.steps[index], at)
                    entry = nil
                } else if let manoeuvre = manoeuvre(from: at - 1, to: at), !repeatsLastStep(manoeuvre, at) {
                    if !joinsLastStep(at) { begin(manoeuvre, at, from: at - 1) }
                } else if leg.steps[leg.steps.count - 1].road.isEmpty {
                    setNames(of: &leg.steps[leg.steps.count - 1], at)
                }
            }
            append(part, at)
        }
        joinLastStep()
        let last = RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: corner)
        leg.steps.append(last)
        if line.count == 1 { line.append(line[0]) }
    }

    /// The index of the newest corner in the line of the route.
    private var corner: Int { offset + max(line.count - 1, 0) }

    /// Joins a turn to one a few metres before, such as those that cross a street between two pavements.
    /// - Returns: False if both turns are to be announced.
    private mutating func joinsLastStep(_ at: Int) -> Bool {
        let last = leg.steps.count - 1, old = leg.steps[last]
        guard old.distance < stride else { return false }
        guard last > 0 else {
            leg.steps[0].manoeuvre = Manoeuvre(.depart, bearing: way.heading(at))
            setNames(of: &leg.steps[0], at)
            return true
        }
        guard [.turn, .newName, .endOfRoad].contains(old.manoeuvre.kind),
            !way.turnsTwice(from: approaches[last], to: at)
        else { return false }
        if let both = manoeuvre(from: approaches[last], to: at) {
            leg.steps[last].manoeuvre = both
            setNames(of: &leg.steps[last], at)
        } else {
            leg.steps.removeLast()
            approaches.removeLast()
            leg.steps[last - 1].distance += old.distance
            leg.steps[last - 1].duration += old.duration
        }
        return true
    }

    /// True if a road has its name again after a part without one.
    private func repeatsLastStep(_ manoeuvre: Manoeuvre, _ at: Int) -> Bool {
        let last = leg.steps[leg.steps.count - 1], name = names(at)
        return manoeuvre.kind == .newName && (last.name, last.reference) == name
    }

    /// Removes a turn immediately before the end.
    private mutating func joinLastStep() {
        guard leg.steps.count > 1, let last = leg.steps.last, last.distance < Self.end,
            [.turn, .newName, .endOfRoad].contains(last.manoeuvre.kind)
        else { return }
        leg.steps.removeLast()
        leg.steps[leg.steps.count - 1].distance += last.distance
        leg.steps[leg.steps.count - 1].duration += last.duration
    }

    private mutating func begin(_ manoeuvre: Manoeuvre, _ at: Int, from before: Int) {
        approaches.append(before)
        var step = RouteStep(manoeuvre, distance: 0, duration: 0, corner: corner)
        setNames(of: &step, at)
        leg.steps.append(step)
    }

    private func setNames(of step: inout RouteStep, _ at: Int) {
        let (name, reference) = names(at)
        step.name = name
        step.reference = reference
    }

    /// The name of a road; "the stairs" or "the bridge" on foot if it has none.
    private func names(_ at: Int) -> (name: String, reference: String) {
        let edge = graph.edges[way.parts[at].direction >> 1], tile = graph.tiles[Int(edge.tile)].roads
        let road = tile.roads[Int(edge.road)], name = tile.names[road.name]
        guard name.isEmpty, road.reference == 0, graph.profile.mode == .foot else {
            return (name, tile.names[road.reference])
        }
        if edge.traits.kind == .steps { return ("the stairs", "") }
        return (edge.traits[.bridge] ? "the bridge" : "", "")
    }

    private mutating func append(_ part: RoadWay.Part, _ at: Int) {
        let places = part.corners.map(graph.coordinate)
        line += line.last == places.first ? Array(places.dropFirst()) : places
        let traits = graph.edges[part.direction >> 1].traits
        let seconds = part.length * graph.profile.time(traits, isForward: part.direction & 1 == 0)
        if graph.profile.isPushed(traits, isForward: part.direction & 1 == 0) {
            let (name, reference) = names(at)
            pushed[name.isEmpty ? reference : name, default: 0] += part.length
        }
        leg.distance += part.length
        leg.duration += seconds
        leg.steps[leg.steps.count - 1].distance += part.length
        leg.steps[leg.steps.count - 1].duration += seconds
    }

    // MARK: Turns

    /// True on a roundabout, whose exits matter to vehicles only.
    private func isRoundabout(_ at: Int) -> Bool {
        graph.profile.mode != .foot && graph.edges[way.parts[at].direction >> 1].traits[.roundabout]
    }

    private func turn(_ before: Int, _ after: Int) -> Manoeuvre.Direction {
        let angle = way.angle(from: before, to: after), isRight = angle > 0
        switch abs(angle) {
        case ..<20: return .straight
        case ..<50: return isRight ? .slightRight : .slightLeft
        case ..<120: return isRight ? .right : .left
        case ..<170: return isRight ? .sharpRight : .sharpLeft
        default: return .uTurn
        }
    }

    /// The other directions that may be taken at the nodes between two parts of the way.
    private func others(_ before: Int, _ after: Int) -> [Int] {
        let own = Set(way.parts[before...after].flatMap { [$0.direction, $0.direction ^ 1] })
        var found: [Int] = []
        for part in way.parts[before..<after] {
            graph.forEachLeaving(graph.node(after: part.direction)) { direction in
                if !own.contains(direction), graph.costs[direction].isFinite { found.append(direction) }
            }
        }
        return found
    }

    /// Returns the manoeuvre between two parts of the way; nil if the road simply continues.
    private func manoeuvre(from before: Int, to after: Int) -> Manoeuvre? {
        let a = graph.edges[way.parts[before].direction >> 1].traits,
            b = graph.edges[way.parts[after].direction >> 1].traits
        let direction = turn(before, after), isStraight = direction == .straight
        let bearing = way.heading(after)
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
        let turned = way.angle(from: before, to: after), angle = abs(turned)
        let turnedBy = others.map { way.angle(from: before, toward: graph.broadDeparture($0)) },
            rivals = turnedBy.map(abs)
        if angle >= 40 {
            let isEnd = others.count == 1 && rivals[0] > 40 && (turned > 0) != (turnedBy[0] > 0)
            return manoeuvre(isEnd ? .endOfRoad : .turn)
        }
        if isCar, others.count == 1, rivals[0] < 35, b[.link] || a.kind == .motorway || a.kind == .trunk {
            return Manoeuvre(.fork, turned > turnedBy[0] ? .slightRight : .slightLeft, bearing: bearing)
        }
        if isSame { return rivals.contains { $0 < angle - 5 } && angle >= 25 ? manoeuvre(.turn) : nil }
        if angle >= 25 { return manoeuvre(.turn) }
        return new.name.isEmpty && new.reference.isEmpty ? nil : manoeuvre(.newName)
    }
}
