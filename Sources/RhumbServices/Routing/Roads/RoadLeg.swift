internal import RhumbGeo

/// Turns a way through the graph into a line and steps.
struct RoadLeg {
    private let graph: RoadGraph
    private let way: RoadWay
    private(set) var line: [Coordinate] = []
    private(set) var leg = RouteLeg(distance: 0, duration: 0, steps: [])
    /// The seconds by which the leg appears longer because of roads that should be avoided.
    private(set) var aversion = 0.0
    /// The metres on each street along which a bicycle is pushed, by name.
    private(set) var pushed: [String: Double] = [:]
    /// The number of corners before the leg in the line of the route.
    private let offset: Int
    /// The index of the part of the way before each step; that of the first step is its own.
    private var approaches: [Int] = []

    /// The length in metres below which no step is announced.
    private static let least = 5.0
    /// The kinds of steps that may be joined to others.
    private static let turns: Set<Manoeuvre.Kind> = [.turn, .newName, .endOfRoad, .proceed]

    /// The length in metres below which a step is joined to the next turn. On foot and on a bicycle, it is
    /// that of a crossing between two pavements.
    private var stride: Double { graph.profile.mode == .car ? Self.least : 10 }

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
                        dropShortTurn()
                        exits = 0
                        begin(Manoeuvre(.roundabout, turn(at - 1, at)), at, from: at - 1)
                        entry = leg.steps.count - 1
                    } else if !others(at - 1, at).isEmpty {
                        exits += 1
                    }
                } else if wasRound, let index = entry {
                    leg.steps[index].manoeuvre.exit = exits + 1
                    setNames(of: &leg.steps[index], at)
                    entry = nil
                } else if let manoeuvre = manoeuvre(from: at - 1, to: at), !repeatsLastStep(manoeuvre, at) {
                    if !joinsLastStep(manoeuvre, at) { begin(manoeuvre, at, from: at - 1) }
                } else if leg.steps[leg.steps.count - 1].road.isEmpty {
                    setNames(of: &leg.steps[leg.steps.count - 1], at)
                }
            }
            append(part, at)
        }
        dropShortTurn()
        // A via point at the start has no way to it.
        if leg.distance < 1 { leg.steps = [] }
        let last = RouteStep(Manoeuvre(.arrive), distance: 0, duration: 0, corner: corner)
        leg.steps.append(last)
        if line.count == 1 { line.append(line[0]) }
        setSentences()
    }

    /// Sets the instructions that names and directions don't express: those with "the stairs", which is no
    /// name, and a turn again.
    private mutating func setSentences() {
        let texts = leg.steps.map { $0.instruction() }
        var isAgain = false
        for at in leg.steps.indices {
            isAgain = at > 0 && texts[at] == texts[at - 1] && !isAgain
            let isRepeated = at > 0 && texts[at] == texts[at - 1]
            if Self.descriptions.contains(leg.steps[at].name) || isRepeated {
                leg.steps[at].sentence = texts[at] + (isAgain ? " again" : isRepeated ? " once more" : "")
            }
            if Self.descriptions.contains(leg.steps[at].name) { leg.steps[at].name = "" }
        }
    }

    /// The index of the newest corner in the line of the route.
    private var corner: Int { offset + max(line.count - 1, 0) }

    /// Joins a turn to one a few metres before, such as those that cross a street between two pavements.
    /// - Returns: False if both turns are to be announced.
    private mutating func joinsLastStep(_ manoeuvre: Manoeuvre, _ at: Int) -> Bool {
        let last = leg.steps.count - 1, old = leg.steps[last]
        // Two slight turns to the same side are one turn around a cut corner.
        let isCut =
            [.slightLeft, .slightRight].contains(manoeuvre.direction)
            && old.manoeuvre.direction == manoeuvre.direction
        guard old.distance < (isCut ? 1.5 * stride : stride) else { return false }
        guard Self.turns.contains(manoeuvre.kind) else {
            dropShortTurn()
            return false
        }
        guard last > 0 else {
            leg.steps[0].manoeuvre = Manoeuvre(.depart, bearing: way.heading(at))
            setNames(of: &leg.steps[0], at)
            return true
        }
        guard Self.turns.contains(old.manoeuvre.kind) else {
            // After a short ramp or roundabout, only the name is new.
            if manoeuvre.kind == .newName { setNames(of: &leg.steps[last], at) }
            return manoeuvre.kind == .newName
        }
        guard old.distance < Self.least || !way.turnsTwice(from: approaches[last], to: at) else {
            return false
        }
        if var both = self.manoeuvre(from: approaches[last], to: at),
            both.kind != .newName || (leg.steps[last - 1].name, leg.steps[last - 1].reference) != names(at)
        {
            // Around the end of a wall, the way turns twice.
            if both.direction == .uTurn {
                both.direction = way.angle(from: approaches[last], to: at) > 0 ? .sharpRight : .sharpLeft
            }
            leg.steps[last].manoeuvre = both
            setNames(of: &leg.steps[last], at)
        } else {
            dropLastStep()
        }
        return true
    }

    /// True if a road has its name again after a part without one.
    private func repeatsLastStep(_ manoeuvre: Manoeuvre, _ at: Int) -> Bool {
        let last = leg.steps[leg.steps.count - 1], name = names(at)
        return manoeuvre.kind == .newName && (last.name, last.reference) == name
    }

    /// Removes a turn immediately before the end, or before a manoeuvre that says more.
    private mutating func dropShortTurn() {
        guard leg.steps.count > 1, let last = leg.steps.last, last.distance < Self.least,
            Self.turns.contains(last.manoeuvre.kind)
        else { return }
        dropLastStep()
    }

    private mutating func dropLastStep() {
        let old = leg.steps.removeLast()
        approaches.removeLast()
        leg.steps[leg.steps.count - 1].distance += old.distance
        leg.steps[leg.steps.count - 1].duration += old.duration
    }

    private mutating func begin(_ manoeuvre: Manoeuvre, _ at: Int, from before: Int) {
        var step = RouteStep(manoeuvre, distance: 0, duration: 0, corner: corner)
        if leg.steps.count == 1, leg.distance < Self.least {
            // A roundabout or a ramp at the start says more than the departure.
            step = leg.steps.removeFirst()
            approaches.removeFirst()
            step.manoeuvre = manoeuvre
        }
        approaches.append(before)
        setNames(of: &step, at)
        leg.steps.append(step)
    }

    private func setNames(of step: inout RouteStep, _ at: Int) {
        let (name, reference) = names(at)
        step.name = name
        step.reference = reference
    }

    /// The descriptions of roads without a name, on foot.
    private static let descriptions: Set = ["the stairs", "the bridge"]

    /// The name of a road; a description on foot if it has none.
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
        var seconds = part.length * graph.profile.time(traits, isForward: part.direction & 1 == 0)
        aversion += seconds * (graph.profile.aversion(to: traits) - 1)
        if at > 0 { seconds += graph.cost(ofTurnFrom: way.parts[at - 1].direction, to: part.direction) }
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
        let old = names(before), new = names(after)
        let isSame = old == new, hasName = !new.name.isEmpty || !new.reference.isEmpty
        func manoeuvre(_ kind: Manoeuvre.Kind) -> Manoeuvre {
            Manoeuvre(kind == .turn && isSame && hasName ? .proceed : kind, direction, bearing: bearing)
        }
        if b.kind == .ferry { return a.kind == .ferry ? nil : manoeuvre(.ferry) }
        let isCar = graph.profile.mode == .car, others = others(before, after)
        if isCar, b[.link], !a[.link] { return manoeuvre(a.kind == .motorway ? .offRamp : .onRamp) }
        if isCar, a[.link], b.kind == .motorway, !b[.link] { return manoeuvre(.merge) }
        guard !others.isEmpty else {
            return isSame || !hasName ? nil : manoeuvre(isStraight ? .newName : .turn)
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
        return hasName ? manoeuvre(.newName) : nil
    }
}
