/// One part of a region's geometry. Lines between corners are straight on the Mercator map.
public enum RegionShape: Hashable, Sendable {
    /// A box of degrees; it may cross 180°.
    case box(Bounds)
    /// An outer ring and its holes, without a repeated first corner. The longitudes of a ring across the
    /// antimeridian continue beyond ±180.
    case polygon(outer: [Position], holes: [[Position]])
    /// All places within a radius, in metres.
    case circle(center: Coordinate, radius: Double)
    /// All places within half a width of a line, in metres. Legs take the shorter way around the world.
    case corridor([Position], halfWidth: Double)
    /// A line without width; the tiles it touches belong to the region. Legs take the shorter way around the
    /// world.
    case line([Position])
    /// A single point; its tile belongs to the region.
    case point(Position)

    /// The corners of the shape.
    var positions: [Position] {
        switch self {
        case .box(let box):
            [
                Position(longitude: box.west, latitude: box.south),
                Position(longitude: box.east, latitude: box.north),
            ]
        case .polygon(let outer, let holes): outer + holes.joined()
        case .circle(let center, _): [Position(center)]
        case .corridor(let line, _), .line(let line): line
        case .point(let place): [place]
        }
    }

    /// The approximate maximum number of edges of its outlines on the grid.
    var edgeCount: Int {
        switch self {
        case .box: 4
        case .polygon, .line, .point: positions.count
        case .circle: Outlines.circleCorners
        case .corridor(let line, let halfWidth):
            Outlines.legEdges * Outlines.thinned(line, halfWidth: halfWidth).places.count
        }
    }

    /// The distance by which the shape exceeds its corners, in degrees of latitude.
    private var reach: Double {
        switch self {
        case .circle(_, let metres), .corridor(_, let metres): metres / RegionGeometry.metresPerDegree
        case .box, .polygon, .line, .point: 0
        }
    }

    /// The range of its latitudes, in degrees.
    var latitudes: ClosedRange<Double> {
        let all = positions.map(\.latitude)
        let low = (all.min() ?? 0) - reach, high = (all.max() ?? 0) + reach
        return max(low, -90)...min(max(high, -90), 90)
    }

    /// Throws a failure if the shape by itself is invalid.
    func check() throws(RegionGeometryFailure) {
        for (index, position) in positions.enumerated() { try position.check(index) }
        switch self {
        case .box, .point: return
        case .polygon(let outer, let holes): try RegionShape.check([outer] + holes)
        case .line(let line):
            guard line.count > 1 else { throw .empty("a line has fewer than two points") }
        case .circle(_, let radius):
            try RegionShape.check("the radius", radius, upTo: RegionGeometry.largestRadius)
        case .corridor(let line, let halfWidth):
            guard !line.isEmpty else { throw .empty("a corridor has no line") }
            try RegionShape.check("half the width", halfWidth, upTo: RegionGeometry.largestHalfWidth)
        }
    }

    private static func check(
        _ name: String, _ metres: Double, upTo limit: Double
    ) throws(RegionGeometryFailure) {
        guard metres > 0, metres <= limit else {
            throw .size(
                "\(name) is \(metres) m; use more than 0 m and at most "
                    + "\(Int(limit)) m")
        }
    }

    private static func check(_ rings: [[Position]]) throws(RegionGeometryFailure) {
        for (index, ring) in rings.enumerated() {
            guard ring.count > 2 else { throw .empty("ring \(index) has fewer than three corners") }
            let longitudes = ring.map(\.longitude)
            let span = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
            guard span <= 360 else { throw .tooWide }
            if let crossing = try SelfIntersection.first(in: ring) {
                throw .selfCrossing(ring: index, near: crossing.coordinate)
            }
            if index == 0 && signedArea(of: ring.map(\.world)) == 0 {
                throw .empty("ring 0 has no area on the map")
            }
        }
    }
}

extension Position {
    fileprivate func check(_ index: Int) throws(RegionGeometryFailure) {
        guard (-540.0...540).contains(longitude), (-90.0...90).contains(latitude) else {
            throw .position("corner \(index) is at longitude \(longitude), latitude \(latitude)")
        }
    }
}

/// Returns twice the area of a ring; negative if it runs anticlockwise on the map (y downward).
func signedArea(of ring: [WorldPoint]) -> Double {
    guard let origin = ring.first, var before = ring.last else { return 0 }
    var sum = 0.0
    for corner in ring {
        sum += (before.x - origin.x) * (corner.y - origin.y) - (corner.x - origin.x) * (before.y - origin.y)
        before = corner
    }
    return sum
}

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
