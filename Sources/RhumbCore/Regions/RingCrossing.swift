/// Looks for edges of one ring that cross. Edges that only touch, and corners that repeat, are
/// found in sound data and are not counted.
enum RingCrossing {
    /// The most pairs of edges that are compared.
    private static let budget = 200_000_000

    private struct Edge {
        let from: WorldPoint
        let to: WorldPoint
        var west: Double { min(from.x, to.x) }
        var east: Double { max(from.x, to.x) }

        /// Whether the edges cross in a point inside both.
        func crosses(_ other: Edge) -> Bool {
            guard max(from.y, to.y) >= min(other.from.y, other.to.y),
                max(other.from.y, other.to.y) >= min(from.y, to.y)
            else { return false }
            return side(other.from) * side(other.to) < 0 && other.side(from) * other.side(to) < 0
        }

        /// 1, -1 or 0: on which side of the edge's line the point lies.
        func side(_ point: WorldPoint) -> Double {
            let cross = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
            return cross > 0 ? 1 : cross < 0 ? -1 : 0
        }
    }

    /// A place near the first crossing from the west; nil if there is none.
    /// - Throws: `RegionGeometryFailure.tooManyCorners` when too many edges lie side by side.
    static func first(in ring: [WorldPoint]) throws(RegionGeometryFailure) -> WorldPoint? {
        let edges = ring.indices.map { Edge(from: ring[$0], to: ring[($0 + 1) % ring.count]) }
            .sorted { $0.west < $1.west }
        var open: [Edge] = []
        var compared = 0
        for edge in edges {
            open.removeAll { $0.east < edge.west }
            compared += open.count
            guard compared <= budget else { throw .tooManyCorners }
            if let other = open.first(where: edge.crosses) { return meeting(edge, other) }
            open.append(edge)
        }
        return nil
    }

    private static func meeting(_ a: Edge, _ b: Edge) -> WorldPoint {
        let dx = a.to.x - a.from.x, dy = a.to.y - a.from.y
        let ex = b.to.x - b.from.x, ey = b.to.y - b.from.y
        let along = ((b.from.x - a.from.x) * ey - (b.from.y - a.from.y) * ex) / (dx * ey - dy * ex)
        return WorldPoint(x: a.from.x + along * dx, y: a.from.y + along * dy)
    }
}
