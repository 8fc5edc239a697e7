internal import RhumbGeo

/// The point of a road nearest to a place.
struct RoadSnap {
    let edge: Int
    /// The distance along the edge from its start, in metres.
    let along: Double
    /// The position in units.
    let position: SIMD2<Double>
    /// The distance from the place in metres.
    let distance: Double
}

extension RoadGraph {
    /// The number of directions that can be reached from a road that is no island.
    private static let islandSize = 400
    /// The number of roads near a place that are examined.
    private static let candidates = 40

    /// Returns the nearest road to a place from which many others can be reached, and vice versa; the nearest
    /// road of all if there are only islands.
    /// - Parameter reach: Maximum distance in metres.
    /// - Returns: The road, and nil if none is within reach.
    func snap(_ place: Coordinate, within reach: Double) -> RoadSnap? {
        let near = nearest(place, within: reach)
        var islands: Set<Int> = []
        for snap in near where !profile.isUnsuitable(edges[snap.edge].traits) {
            guard !islands.contains(snap.edge) else { continue }
            guard
                let island = island(around: snap.edge, isEnd: false) ?? island(around: snap.edge, isEnd: true)
            else { return snap }
            islands.formUnion(island)
        }
        return near.first
    }

    /// Returns the roads nearest to a place in order of distance. Tunnels and ferries come after other roads
    /// that are little further.
    func nearest(_ place: Coordinate, within reach: Double) -> [RoadSnap] {
        let spot = position(place), scale = scale(place.latitude), extent = Double(TileRoads.extent)
        let home = TileID(zoom: zoom, containing: Mercator.world(place))
        var found: [RoadSnap] = []
        for ring in 0...max(1, Int(min(reach / scale / extent, 16)) + 1) {
            // The nearest point outside the rings so far.
            let inside = spot / extent - SIMD2(Double(home.x), Double(home.y))
            let margin = (min(inside.min(), 1 - inside.max()) + Double(ring) - 1) * extent * scale
            if ring > 0, margin > min(found.first.map(rank) ?? .infinity, reach) { break }
            for y in -ring...ring {
                for x in -ring...ring where max(abs(x), abs(y)) == ring {
                    if let tile = TileID(zoom: zoom, wrappingX: home.x + x, y: home.y + y) { add(tile) }
                }
            }
            found = edges.indices.compactMap { snap(spot, to: $0, scale, within: reach) }.sorted {
                (rank($0), $0.edge) < (rank($1), $1.edge)
            }
        }
        return Array(found.prefix(RoadGraph.candidates))
    }

    private func rank(_ snap: RoadSnap) -> Double {
        snap.distance + profile.remoteness(edges[snap.edge].traits)
    }

    private func snap(_ spot: SIMD2<Double>, to edge: Int, _ scale: Double, within reach: Double) -> RoadSnap?
    {
        let part = edges[edge], tile = tiles[Int(part.tile)]
        let corners = tile.roads.roads[Int(part.road)].corners
        var best = reach / scale, along = 0.0, found: (along: Double, position: SIMD2<Double>)?
        let origin = RoadGeometry.point(RoadGraph.origin(of: tile.id))
        for at in Int(part.first)..<Int(part.last) {
            let from = RoadGeometry.point(corners[at]) + origin,
                to = RoadGeometry.point(corners[at + 1]) + origin
            let step = to - from, length = RoadGeometry.length(step)
            let (share, distance) = PlaneGeometry.nearest(spot, from, to)
            if distance < best {
                best = distance
                found = (along + share * length, from + step * share)
            }
            along += length
        }
        guard let found, along > 0 else { return nil }
        return RoadSnap(
            edge: edge, along: found.along / along * Double(edges[edge].length), position: found.position,
            distance: best * scale)
    }

    /// Returns the few edges that can be reached from an edge, or from which it can be reached; nil if
    /// they are many.
    private func island(around edge: Int, isEnd: Bool) -> Set<Int>? {
        var seen: Set<Int> = [edge], open: [Int] = []
        for direction in [2 * edge, 2 * edge + 1] where costs[direction].isFinite {
            open.append(node(after: isEnd ? direction ^ 1 : direction))
        }
        while let node = open.popLast() {
            forEachLeaving(node) { direction in
                guard costs[isEnd ? direction ^ 1 : direction].isFinite, seen.insert(direction >> 1).inserted
                else { return }
                open.append(self.node(after: direction))
            }
            if seen.count > RoadGraph.islandSize { return nil }
        }
        return seen
    }
}
