internal import RhumbBase
internal import RhumbGeo

/// A way through the graph between two points of its edges.
struct RoadPath {
    /// The directions of the edges in order.
    var directions: [Int]
    var start: RoadSnap
    var end: RoadSnap
    var cost: Double
}

/// A search for the cheapest way with A*, whose states are directions of edges, so that turns have costs.
struct RoadSearch {
    let graph: RoadGraph
    /// The factors by which edges appear longer, to find alternatives.
    var penalties: [Int: Float] = [:]
    /// The most promising exit into tiles that are not stored, with its estimated cost.
    private(set) var gap: (position: SIMD2<Int32>, cost: Double)?
    private var labels: [Float] = []
    private var parents: [Int32] = []
    private var heap = Heap<Entry>()
    private static let maximumSteps = 6_000_000

    private struct Entry: Comparable {
        let key: Float
        /// A direction, or less than 0 for the goal.
        let state: Int32

        static func < (a: Entry, b: Entry) -> Bool { a.key < b.key }
    }

    init(_ graph: RoadGraph) { self.graph = graph }

    /// Returns the cheapest way; nil if there is none.
    /// - Throws: `RouteFailure` if the search is cancelled or too large.
    mutating func path(from start: RoadSnap, to end: RoadSnap) throws(RouteFailure) -> RoadPath? {
        let goal = Goal(graph, end)
        begin(at: start, goal)
        var best = Float.infinity, last: (parent: Int32, direction: Int)?
        func offer(_ cost: Float, _ parent: Int32, _ direction: Int, _ heap: inout Heap<Entry>) {
            guard cost < best else { return }
            best = cost
            last = (parent, direction)
            heap.insert(Entry(key: cost, state: -1))
        }
        for direction in [2 * start.edge, 2 * start.edge + 1] where graph.costs[direction].isFinite {
            let way = direction & 1 == 0 ? end.along - start.along : start.along - end.along
            if start.edge == end.edge, way >= 0 { offer(Float(way) * cost(direction), -2, direction, &heap) }
        }
        var steps = 0
        while let entry = heap.popFirst(), entry.state >= 0 {
            let state = Int(entry.state), label = labels[state]
            guard entry.key <= label + goal.least(at: graph.node(after: state)) + 1e-3, label.isFinite else {
                continue
            }
            steps += 1
            if steps & 1023 == 0, Task.isCancelled { throw .cancelled }
            guard steps < RoadSearch.maximumSteps else {
                throw .unsupported("the route is too long for stored tiles; use a routing engine")
            }
            let node = graph.node(after: state)
            let isWhole = graph.forEachLeaving(node) { direction in
                guard direction != state ^ 1, graph.costs[direction].isFinite else { return }
                let turn = Float(graph.cost(ofTurnFrom: state, to: direction))
                let here = label + turn
                if direction >> 1 == end.edge {
                    let way =
                        direction & 1 == 0 ? end.along : Double(graph.edges[end.edge].length) - end.along
                    offer(here + Float(way) * cost(direction), Int32(state), direction, &heap)
                }
                relax(
                    direction, here + graph.edges[direction >> 1].length * cost(direction), Int32(state), goal
                )
            }
            if !isWhole { note(node, Double(label) + 2 * Double(goal.least(at: node))) }
        }
        guard let last, best.isFinite else { return nil }
        return RoadPath(
            directions: directions(last.parent, last.direction), start: start, end: end, cost: Double(best))
    }

    /// Returns the costs of all directions that can be reached within a limit, from the start to their
    /// ends. The last ones end beyond it.
    mutating func costs(from start: RoadSnap, within limit: Double) throws(RouteFailure) -> [Int: Double] {
        begin(at: start, nil)
        var found: [Int: Double] = [:]
        while let entry = heap.popFirst() {
            let state = Int(entry.state), label = labels[state]
            guard entry.key <= label else { continue }
            found[state] = Double(label)
            if found.count & 1023 == 0, Task.isCancelled { throw .cancelled }
            guard found.count < RoadSearch.maximumSteps, Double(label) < limit else { continue }
            let node = graph.node(after: state)
            let isWhole = graph.forEachLeaving(node) { direction in
                guard direction != state ^ 1, graph.costs[direction].isFinite else { return }
                let turn = Float(graph.cost(ofTurnFrom: state, to: direction))
                relax(
                    direction, label + turn + graph.edges[direction >> 1].length * cost(direction),
                    Int32(state), nil)
            }
            if !isWhole { note(node, Double(label)) }
        }
        return found
    }

    /// Begins a search with both directions of the edge of its start.
    private mutating func begin(at start: RoadSnap, _ goal: Goal?) {
        labels = []
        parents = []
        heap = Heap()
        for direction in [2 * start.edge, 2 * start.edge + 1] where graph.costs[direction].isFinite {
            let rest = direction & 1 == 0 ? Double(graph.edges[start.edge].length) - start.along : start.along
            relax(direction, Float(rest) * cost(direction), -1, goal)
        }
    }

    private func cost(_ direction: Int) -> Float {
        graph.costs[direction] * (penalties.isEmpty ? 1 : penalties[direction >> 1] ?? 1)
    }

    private mutating func relax(_ direction: Int, _ cost: Float, _ parent: Int32, _ goal: Goal?) {
        if labels.count <= direction {
            let missing = max(graph.edges.count * 2, direction + 1) - labels.count
            labels += repeatElement(.infinity, count: missing)
            parents += repeatElement(-1, count: missing)
        }
        guard cost < labels[direction] else { return }
        labels[direction] = cost
        parents[direction] = parent
        heap.insert(
            Entry(key: cost + (goal?.least(at: graph.node(after: direction)) ?? 0), state: Int32(direction)))
    }

    private mutating func note(_ node: Int, _ cost: Double) {
        if cost < gap?.cost ?? .infinity { gap = (graph.positions[node], cost) }
    }

    private func directions(_ parent: Int32, _ last: Int) -> [Int] {
        guard parent != -2 else { return [last] }
        var found = [last], at = parent
        while at >= 0 {
            found.append(Int(at))
            at = parents[Int(at)]
        }
        return found.reversed()
    }

    /// The end of a search.
    private struct Goal {
        private let graph: RoadGraph
        private let position: SIMD2<Int32>
        /// The least cost of a unit, and that of a unit without motorways.
        private let pace, slowPace: Float
        /// The least distance in units from a motorway.
        private let distance: Float

        init(_ graph: RoadGraph, _ end: RoadSnap) {
            self.graph = graph
            position = SIMD2<Int32>(end.position, rounding: .toNearestOrEven)
            // Units are shorter in metres towards the poles. A tenth allows for a degree or two.
            let scale = graph.scale(graph.coordinate(end.position).latitude)
            pace = Float(scale * 3.6 / graph.profile.highestSpeed * 0.95)
            slowPace = Float(scale * 3.6 / graph.profile.usualSpeed * 0.95)
            distance = graph.area?.distance(position) ?? 0
        }

        /// Returns a lower bound of the cost from a node: without motorways, or slowly to the nearest one,
        /// fast, and slowly from the last one.
        func least(at node: Int) -> Float {
            let position = graph.positions[node], step = SIMD2<Float>(position &- self.position)
            let way = (step * step).sum().squareRoot()
            guard let area = graph.area, slowPace > pace else { return way * pace }
            let slow = min(distance + area.distance(position), way)
            return slow * slowPace + (way - slow) * pace
        }
    }
}
