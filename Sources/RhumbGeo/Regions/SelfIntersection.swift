/// Finds crossing edges of a ring. Edges are straight in degrees, as in GeoJSON. Touching edges and repeated
/// corners occur in valid data and are allowed.
enum SelfIntersection {
    /// The maximum number of compared pairs of edges.
    private static let budget = 200_000_000

    private struct Edge {
        let from: Position
        let to: Position
        var west: Double { min(from.longitude, to.longitude) }
        var east: Double { max(from.longitude, to.longitude) }

        /// Returns true if the edges cross in a point inside both.
        func crosses(_ other: Edge) -> Bool {
            guard max(from.latitude, to.latitude) >= min(other.from.latitude, other.to.latitude),
                max(other.from.latitude, other.to.latitude) >= min(from.latitude, to.latitude)
            else { return false }
            return side(other.from) * side(other.to) < 0 && other.side(from) * other.side(to) < 0
        }

        /// Returns the side of the edge's line on which the point lies: 1, -1 or 0.
        func side(_ point: Position) -> Double {
            let east = to.longitude - from.longitude, north = to.latitude - from.latitude
            let cross = east * (point.latitude - from.latitude) - north * (point.longitude - from.longitude)
            return cross > 0 ? 1 : cross < 0 ? -1 : 0
        }
    }

    /// Returns a place near the first crossing from the west; nil if there is none.
    /// - Throws: `RegionGeometryFailure.tooManyCorners` if too many edges lie side by side.
    static func first(in ring: [Position]) throws(RegionGeometryFailure) -> Position? {
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

    private static func meeting(_ a: Edge, _ b: Edge) -> Position {
        let dx = a.to.longitude - a.from.longitude, dy = a.to.latitude - a.from.latitude
        let ex = b.to.longitude - b.from.longitude, ey = b.to.latitude - b.from.latitude
        let fx = b.from.longitude - a.from.longitude, fy = b.from.latitude - a.from.latitude
        let along = (fx * ey - fy * ex) / (dx * ey - dy * ex)
        return Position(longitude: a.from.longitude + along * dx, latitude: a.from.latitude + along * dy)
    }
}
