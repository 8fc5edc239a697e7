internal import RhumbBase
internal import RhumbGeo

/// Finds routes on the roads of vector tiles.
package struct RoadRouter: Sendable {
    /// The maximum distance between consecutive places in metres.
    private static let longest = 300_000.0
    /// The remark of every route about the limits of map tiles.
    static let remark = "from map tiles, which contain no turn restrictions, barriers or speed limits"
    /// The remark of every route for motorcycles.
    private static let motorcycleRemark =
        "map tiles have no rules for motorcycles, so this is a route for cars"
    /// The distance in metres from a place to its road that is worth a remark.
    private static let farSnap = 100.0
    /// The distance in metres of pushing a bicycle that is worth a remark.
    private static let leastPush = 20.0
    private let zoom: Int
    private let load: RoadLoader

    /// - Parameter zoom: The zoom of the tiles.
    package init(zoom: Int, load: @escaping RoadLoader) {
        self.zoom = zoom
        self.load = load
    }

    /// Returns the reason why tiles can't answer a request at all; nil if they can.
    package static func refusal(of request: RouteRequest) -> RouteFailure? {
        let isKnown = RoadProfile(request.mode) != nil
        guard !isKnown || !request.vehicle.isPlain else { return nil }
        return .unsupported(
            "map tiles contain no heights and weights of roads, so there are no routes for mode \(request.mode.rawValue): use Valhalla"
        )
    }

    /// Finds routes, the best first.
    /// - Throws: `RouteFailure`
    package func routes(_ request: RouteRequest) throws(RouteFailure) -> [Route] {
        try request.check()
        guard let profile = RoadProfile(request.mode, avoiding: request.avoids) else {
            throw RoadRouter.refusal(of: request) ?? .noRoute
        }
        for (from, to) in zip(request.places, request.places.dropFirst())
        where from.sphericalMetres(to: to) > RoadRouter.longest {
            throw .unsupported(
                "stored tiles are searched for up to \(AmountText.metres(RoadRouter.longest)) between two places; use a routing engine, or add a via point"
            )
        }
        let graph = graph(profile, request)
        graph.prepare(request.places)
        let snaps = try snaps(of: request, graph)
        var paths: [RoadPath] = [], search = RoadSearch(graph)
        for (start, end) in zip(snaps, snaps.dropFirst()) { paths.append(try path(start, end, &search)) }
        var found = [route(paths, graph)]
        guard found[0].route.line.count > 1, found[0].route.distance > 0 else { throw .samePlace }
        if request.askedAlternatives > 0 {
            found += try alternatives(to: paths[0], graph, limit: request.askedAlternatives).map {
                route([$0], graph)
            }
            // On foot, stairs take longer than they cost.
            found.sort { $0.route.duration + $0.aversion < $1.route.duration + $1.aversion }
        }
        return found.map { found in
            var route = found.route
            if request.mode == .motorcycle { route.remarks.append(RoadRouter.motorcycleRemark) }
            return route
        }
    }

    private func graph(_ profile: RoadProfile, _ request: RouteRequest) -> RoadGraph {
        let isCar = profile.mode == .car, places = request.places
        let isLong = zip(places, places.dropFirst()).contains {
            $0.sphericalMetres(to: $1) > (isCar ? 25_000 : 50_000)
        }
        let near = isCar ? 7000.0 : 12_000
        return graph(profile) { tile in
            isLong && !places.contains { $0.sphericalMetres(to: tile.center) < near }
        }
    }

    func graph(_ profile: RoadProfile, isMainOnly: @escaping (TileID) -> Bool) -> RoadGraph {
        RoadGraph(profile, zoom: zoom, load: load, isMainOnly: isMainOnly)
    }

    private func snaps(of request: RouteRequest, _ graph: RoadGraph) throws(RouteFailure) -> [RoadSnap] {
        var snaps: [RoadSnap] = []
        for (number, place) in request.places.enumerated() {
            guard let snap = graph.snap(place, within: request.reach) else {
                throw .noRoads(place: number, metres: graph.nearest(place, within: 5000).first?.distance)
            }
            snaps.append(snap)
        }
        return snaps
    }

    private func path(
        _ start: RoadSnap, _ end: RoadSnap, _ search: inout RoadSearch
    ) throws(RouteFailure) -> RoadPath {
        let found = try search.path(from: start, to: end), gap = search.gap
        if let gap, found.map({ $0.cost > 2 * gap.cost + 900 }) ?? true {
            throw .notStored(search.graph.coordinate(RoadGeometry.point(gap.position)))
        }
        guard let found else { throw .noRoute }
        return found
    }

    /// Returns a route, and the seconds by which it appears longer because of roads to avoid.
    private func route(_ paths: [RoadPath], _ graph: RoadGraph) -> (route: Route, aversion: Double) {
        var line: [Coordinate] = [], legs: [RouteLeg] = [], pushed: [String: Double] = [:], aversion = 0.0
        for path in paths {
            let leg = RoadLeg(path, graph, offset: line.count)
            line += line.isEmpty ? leg.line : Array(leg.line.dropFirst())
            legs.append(leg.leg)
            aversion += leg.aversion
            pushed.merge(leg.pushed, uniquingKeysWith: +)
        }
        var route = Route(
            line: line, legs: legs, distance: legs.reduce(0) { $0 + $1.distance },
            duration: legs.reduce(0) { $0 + $1.duration })
        route.remarks = [RoadRouter.remark] + Self.gaps(paths) + [Self.pushing(pushed)].compactMap(\.self)
        return (route, aversion)
    }

    /// Returns the sentences about places that are far from the road where the route begins or ends.
    private static func gaps(_ paths: [RoadPath]) -> [String] {
        guard let first = paths.first, let last = paths.last else { return [] }
        let ends =
            [("begins", "start", first.start)] + paths.dropLast().map { ("passes", "via point", $0.end) }
            + [("ends", "destination", last.end)]
        return ends.filter { $0.2.distance > farSnap }.map { verb, place, snap in
            "the route \(verb) \(AmountText.metres(snap.distance)) from the \(place), because no road is nearer"
        }
    }

    /// Returns a sentence about the streets along which a bicycle is pushed; nil if they are short.
    private static func pushing(_ pushed: [String: Double]) -> String? {
        let metres = pushed.values.reduce(0, +)
        guard metres >= leastPush else { return nil }
        let names = pushed.filter { !$0.key.isEmpty }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(3).map(\.key)
        let streets = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
        return "push the bicycle for \(AmountText.metres(metres)), against one-way streets\(streets)"
    }

    /// Returns other ways that share less than two thirds with each one before, and are at most 1.6 times
    /// as long.
    private func alternatives(
        to best: RoadPath, _ graph: RoadGraph, limit: Int
    ) throws(RouteFailure) -> [RoadPath] {
        var search = RoadSearch(graph), found: [RoadPath] = [best]
        for _ in 0..<limit + 2 where found.count <= limit {
            for direction in found[found.count - 1].directions {
                search.penalties[direction >> 1, default: 1] *= 1.5
            }
            guard let other = try search.path(from: best.start, to: best.end) else { break }
            let length = graph.length(other.directions)
            let isOther = found.allSatisfy { earlier in
                let shared = other.directions.filter(Set(earlier.directions).contains)
                return graph.length(shared) < length * 0.66
            }
            if isOther, length < 1.6 * graph.length(best.directions) {
                found.append(other)
            } else {
                for direction in other.directions { search.penalties[direction >> 1, default: 1] *= 1.5 }
            }
        }
        return Array(found.dropFirst())
    }
}

extension RoadGraph {
    fileprivate func length(_ directions: [Int]) -> Double {
        directions.reduce(0) { $0 + Double(edges[$1 >> 1].length) }
    }
}
