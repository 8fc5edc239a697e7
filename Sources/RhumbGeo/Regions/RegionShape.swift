/// One part of a region's geometry. Lines between corners are straight on the Mercator map.
public enum RegionShape: Hashable, Sendable {
    /// A box of degrees; it may cross 180°.
    case box(Bounds)
    /// An outer ring and its holes, each with its first corner not repeated at the end. The
    /// longitudes of a ring across the antimeridian go on beyond ±180.
    case polygon(outer: [Position], holes: [[Position]])
    /// All ground within a radius, in metres.
    case circle(center: Coordinate, radius: Double)
    /// All ground within half a width of a line, in metres. Legs go the short way round the world.
    case corridor([Position], halfWidth: Double)
    /// A bare line: the tiles it touches. Legs go the short way round the world.
    case line([Position])
    /// A bare point: the tile it lies in.
    case point(Position)

    /// The corners it was made of.
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

    /// About the most edges of its outlines on the grid.
    var edgeCount: Int {
        switch self {
        case .box: 4
        case .polygon, .line, .point: positions.count
        case .circle: Outlines.circleCorners
        case .corridor(let line, let halfWidth):
            Outlines.legEdges * Outlines.thinned(line, halfWidth: halfWidth).places.count
        }
    }

    /// How far it reaches beyond its corners, in degrees of latitude.
    private var reach: Double {
        switch self {
        case .circle(_, let metres), .corridor(_, let metres): metres / RegionGeometry.metresPerDegree
        case .box, .polygon, .line, .point: 0
        }
    }

    /// The latitudes it spans, in degrees.
    var latitudes: ClosedRange<Double> {
        let all = positions.map(\.latitude)
        let low = (all.min() ?? 0) - reach, high = (all.max() ?? 0) + reach
        return max(low, -90)...min(max(high, -90), 90)
    }
}
