/// The area of a region, as shapes. Each tile that touches a shape belongs to the region. A geometry is
/// always valid: its numbers are degrees, its rings don't cross themselves, and a part of it is on the map.
public struct RegionGeometry: Hashable, Sendable {
    /// The largest radius of a circle, in metres.
    public static let largestRadius = 5_000_000.0
    /// The largest half width of a corridor, in metres.
    public static let largestHalfWidth = 500_000.0
    /// The maximum number of corners of all shapes together.
    public static let cornerLimit = 1_000_000
    /// The maximum number of edges of all outlines, 16 bytes each: 280,000 legs of corridors, or 60,000
    /// circles.
    static let edgeLimit = 8_000_000
    /// The length of a degree of latitude in metres, on a sphere of the earth's mean radius.
    static let metresPerDegree = 6_371_008.8 * Double.pi / 180

    /// The shapes, in the given order.
    public let shapes: [RegionShape]

    /// Creates a geometry from shapes. A repeated first corner at the end of a ring is removed.
    /// - Throws: `RegionGeometryFailure`
    public init(_ shapes: [RegionShape]) throws(RegionGeometryFailure) {
        let opened = shapes.map(\.withOpenRings)
        guard !opened.isEmpty else { throw .empty("no shape") }
        guard opened.reduce(0, { $0 + $1.positions.count }) <= RegionGeometry.cornerLimit else {
            throw .tooManyCorners
        }
        for shape in opened { try shape.check() }
        guard opened.reduce(0, { $0 + $1.edgeCount }) <= RegionGeometry.edgeLimit else {
            throw .tooManyCorners
        }
        let limit = Mercator.latitudeLimit
        let visible = { (shape: RegionShape) in shape.latitudes.overlaps(-limit...limit) }
        guard opened.contains(where: visible) else { throw .beyondMap }
        self.shapes = opened
    }

    /// Returns a geometry of a single box.
    /// - Throws: `RegionGeometryFailure.beyondMap`
    public static func box(_ bounds: Bounds) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.box(bounds)])
    }

    /// Returns a geometry of all places within `radius` metres of a centre.
    /// - Throws: `RegionGeometryFailure`
    public static func circle(
        around center: Coordinate, radius: Double
    ) throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry([.circle(center: center, radius: radius)])
    }

    /// Returns the geometry with its lines as corridors of `width` metres, and its points as circles of that
    /// diameter. Areas stay unchanged.
    /// - Throws: `RegionGeometryFailure`, also if there is neither a line nor a point.
    public func widened(to width: Double) throws(RegionGeometryFailure) -> RegionGeometry {
        var isChanged = false
        let wide = shapes.map { shape -> RegionShape in
            switch shape {
            case .line(let line), .corridor(let line, _):
                isChanged = true
                return .corridor(line, halfWidth: width / 2)
            case .point(let place):
                isChanged = true
                return .circle(center: place.coordinate, radius: width / 2)
            case .box, .polygon, .circle: return shape
            }
        }
        guard isChanged else { throw .empty("no line for the corridor") }
        return try RegionGeometry(wide)
    }

    /// True if a part lies beyond ±85.06°, where there are no tiles.
    public var reachesBeyondMap: Bool {
        let limit = 85.06
        return shapes.contains { $0.latitudes.lowerBound < -limit || $0.latitudes.upperBound > limit }
    }

    /// The smallest box on the map around all shapes. It crosses 180° if that makes it narrower. Boxes of
    /// circles and corridors may be up to one hundredth larger than necessary.
    public var bounds: Bounds {
        guard shapes.count == 1, case .box(let box) = shapes[0] else { return FixedPointPolygon(self).bounds }
        let limit = Mercator.latitudeLimit
        func cut(_ latitude: Double) -> Double { min(max(latitude, -limit), limit) }
        return Bounds(west: box.west, south: cut(box.south), east: box.east, north: cut(box.north)) ?? box
    }

    /// The centre of its bounds.
    public var center: Coordinate { bounds.center }
}

extension RegionShape {
    fileprivate var withOpenRings: RegionShape {
        guard case .polygon(let outer, let holes) = self else { return self }
        func opened(_ ring: [Position]) -> [Position] {
            ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
        }
        return .polygon(outer: opened(outer), holes: holes.map(opened))
    }
}
