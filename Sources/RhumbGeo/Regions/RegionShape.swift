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
}
