internal import RhumbBase
package import RhumbGeo

/// The cells of a grid that are within a time of a place.
struct ReachGrid {
    private let side: Double
    private let origin: SIMD2<Double>
    private var cells: Set<SIMD2<Int>> = []

    /// - Parameters:
    ///   - origin: The corner of a cell, in units.
    ///   - side: The side of a cell, in units.
    init(origin: SIMD2<Double>, side: Double) {
        self.origin = origin
        self.side = side
    }

    /// Adds the cells along a segment, and those around them.
    mutating func add(_ from: SIMD2<Double>, _ to: SIMD2<Double>) {
        let step = to - from, length = RoadGeometry.length(step),
            count = max(Int(min(length / side * 2, 10_000)), 1)
        for at in 0...count {
            let position = (from + step * (Double(at) / Double(count)) - origin) / side
            let cell = SIMD2<Int>(position, rounding: .down)
            for y in -1...1 {
                for x in -1...1 { cells.insert(cell &+ SIMD2(x, y)) }
            }
        }
    }

    /// Returns the outlines of the cells: outer rings, each followed by its holes.
    func outlines() -> [[[SIMD2<Double>]]] {
        let rings = rings().map { ring in (ring: ring, area: ReachGrid.area(ring)) }
        var polygons = rings.filter { $0.area > 0 }.map { [$0.ring] }
        for hole in rings where hole.area < 0 {
            // The cell below the north-western corner is in the hole.
            guard let corner = hole.ring.min(by: { ($0.y, $0.x) < ($1.y, $1.x) }) else { continue }
            let inside = polygons.indices.filter { ReachGrid.contains(polygons[$0][0], corner) }
            let smallest = inside.min { ReachGrid.area(polygons[$0][0]) < ReachGrid.area(polygons[$1][0]) }
            if let smallest { polygons[smallest].append(hole.ring) }
        }
        return polygons.map { $0.map { ring in ring.map { origin + SIMD2<Double>($0) * side } } }
    }

    /// Returns the closed borders of the cells, with the cells on the right. No ring visits a corner twice.
    private func rings() -> [[SIMD2<Int>]] {
        var next: [SIMD2<Int>: [SIMD2<Int>]] = [:]
        func add(_ from: SIMD2<Int>, _ to: SIMD2<Int>) { next[from, default: []].append(to) }
        for cell in cells {
            let east = cell &+ SIMD2(1, 0), south = cell &+ SIMD2(0, 1), far = cell &+ SIMD2(1, 1)
            if !cells.contains(cell &- SIMD2(0, 1)) { add(cell, east) }
            if !cells.contains(east) { add(east, far) }
            if !cells.contains(south) { add(far, south) }
            if !cells.contains(cell &- SIMD2(1, 0)) { add(south, cell) }
        }
        var rings: [[SIMD2<Int>]] = []
        for start in next.keys.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
            while next[start]?.isEmpty == false {
                var ring: [SIMD2<Int>] = [], at = start, heading = SIMD2(0, 0),
                    visits: [SIMD2<Int>: Int] = [:]
                while let choices = next[at], !choices.isEmpty {
                    // At a corner of two cells, the border turns to the right, so that rings do not cross.
                    let right = SIMD2(-heading.y, heading.x)
                    let index = choices.firstIndex { $0 &- at == right } ?? 0, to = choices[index]
                    next[at]?.remove(at: index)
                    if to &- at != heading {
                        // The part since the first visit of a corner is a ring of its own.
                        if let first = visits[at] {
                            for corner in ring[first...] { visits[corner] = nil }
                            rings.append(Array(ring[first...]))
                            ring.removeSubrange(first...)
                        }
                        visits[at] = ring.count
                        ring.append(at)
                    }
                    heading = to &- at
                    at = to
                    if at == start { break }
                }
                if ring.count > 3 { rings.append(ring) }
            }
        }
        return rings
    }

    private static func area(_ ring: [SIMD2<Int>]) -> Int {
        zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
    }

    private static func contains(_ ring: [SIMD2<Int>], _ cell: SIMD2<Int>) -> Bool {
        // The middle of a cell is never on a border.
        PlaneGeometry.encloses(ring.lazy.map { SIMD2<Double>($0) }, SIMD2<Double>(cell) + 0.5)
    }
}

extension RoadRouter {
    /// Returns the areas reachable from a place.
    /// - Parameter minutes: The travel times, each at most `Isochrone.longest`.
    /// - Throws: `RouteFailure`
    package func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest
    ) throws(RouteFailure) -> [Isochrone.Area] {
        guard let profile = RoadProfile(request.mode, avoiding: request.avoids) else {
            throw RoadRouter.refusal(of: request) ?? .noRoute
        }
        let longest = minutes.max() ?? 0, range = longest / 60 * profile.highestSpeed * 1000
        guard (1...Isochrone.limit).contains(minutes.count), minutes.allSatisfy({ $0 > 0 }), range <= 160_000
        else {
            throw .unsupported(
                "stored tiles are searched for up to 160 km at the highest speed; use shorter times")
        }
        let graph = graph(profile) { tile in range > 40_000 && start.sphericalMetres(to: tile.center) > 12_000
        }
        guard let snap = graph.snap(start, within: 1000) else {
            throw .noRoads(place: nil, metres: graph.nearest(start, within: 5000).first?.distance)
        }
        var search = RoadSearch(graph)
        let costs = try search.costs(from: snap, within: longest * 60)
        let gap = search.gap?.cost ?? .infinity
        return minutes.map {
            Isochrone.Area(
                minutes: $0,
                shapes: shapes(
                    costs, graph, snap, within: $0 * 60, range: $0 / 60 * profile.highestSpeed * 1000),
                isCut: gap < $0 * 60)
        }
    }

    private func shapes(
        _ costs: [Int: Double], _ graph: RoadGraph, _ start: RoadSnap, within limit: Double, range: Double
    ) -> [RegionShape] {
        let scale = graph.scale(graph.coordinate(start.position).latitude)
        var grid = ReachGrid(origin: start.position, side: max(range / 70, 20) / scale)
        grid.add(start.position, start.position)
        for (direction, cost) in costs.sorted(by: { $0.key < $1.key }) {
            let edge = graph.edges[direction >> 1], line = graph.line(edge)
            let whole = Double(edge.length * graph.costs[direction]), before = cost - whole
            guard before < limit else { continue }
            var rest = Double(edge.length) * (whole > 0 ? min((limit - before) / whole, 1) : 1)
            let corners = direction & 1 == 0 ? line : line.reversed()
            for (from, to) in zip(corners, corners.dropFirst()) where rest > 0 {
                let length = RoadGeometry.length(to - from) * scale,
                    share = length > 0 ? min(rest / length, 1) : 1
                grid.add(from, from + (to - from) * share)
                rest -= length
            }
        }
        return grid.outlines().map { polygon in
            let rings = polygon.map { $0.map { Position(graph.coordinate($0)) } }
            return .polygon(outer: rings[0], holes: Array(rings.dropFirst()))
        }
    }
}
