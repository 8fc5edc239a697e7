/// Looks for edges of one ring that cross, drawn straight in degrees as GeoJSON means them. Edges
/// that only touch, and corners that repeat, are found in sound data and are not counted.
enum SelfIntersection {
    /// The most pairs of edges that are compared.
    private static let budget = 200_000_000

    private struct Edge {
        let from: Position
        let to: Position
        var west: Double { min(from.longitude, to.longitude) }
        var east: Double { max(from.longitude, to.longitude) }

        /// Whether the edges cross in a point inside both.
        func crosses(_ other: Edge) -> Bool {
            guard max(from.latitude, to.latitude) >= min(other.from.latitude, other.to.latitude),
                max(other.from.latitude, other.to.latitude) >= min(from.latitude, to.latitude)
            else { return false }
            return side(other.from) * side(other.to) < 0 && other.side(from) * other.side(to) < 0
        }

        /// 1, -1 or 0: on which side of the edge's line the point lies.
        func side(_ point: Position) -> Double {
            let east = to.longitude - from.longitude, north = to.latitude - from.latitude
            let cross = east * (point.latitude - from.latitude) - north * (point.longitude - from.longitude)
            return cross > 0 ? 1 : cross < 0 ? -1 : 0
        }
    }

    /// A place near the first crossing from the west; nil if there is none.
    /// - Throws: `RegionGeometryFailure.tooManyCorners` when too many edges lie side by side.
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
