package import RhumbBase

/// A box of coordinates in degrees. It crosses the antimeridian if `west` is greater than `east`.
public struct Bounds: Hashable, Sendable {
    /// The western edge in degrees of longitude, −180…180.
    public let west: Double
    /// The southern edge in degrees of latitude, negative in the southern hemisphere.
    public let south: Double
    /// The eastern edge in degrees of longitude, −180…180; less than `west` if the box crosses the
    /// antimeridian.
    public let east: Double
    /// The northern edge in degrees of latitude, at least `south`.
    public let north: Double

    /// The whole Web Mercator square.
    public static let world = Bounds(
        unchecked: -180, -Mercator.latitudeLimit, 180, Mercator.latitudeLimit)

    /// Creates a box from its edges. Returns nil if an edge is NaN or out of range, or south is above north.
    public init?(west: Double, south: Double, east: Double, north: Double) {
        let longitudes = -180.0...180.0, latitudes = -90.0...90.0
        guard longitudes.contains(west), longitudes.contains(east),
            latitudes.contains(south), latitudes.contains(north), south <= north
        else { return nil }
        self.init(unchecked: west, south, east, north)
    }

    private init(unchecked west: Double, _ south: Double, _ east: Double, _ north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// True if the box crosses 180°.
    public var crossesAntimeridian: Bool { west > east }

    /// The centre of the box.
    public var center: Coordinate {
        let width = crossesAntimeridian ? east + 360 - west : east - west
        return Coordinate(latitude: (south + north) / 2, longitude: west + width / 2)
    }

    /// Returns true if the box contains a position. Edges belong to the box.
    public func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= south && place.latitude <= north else { return false }
        let longitude = place.longitude
        if crossesAntimeridian { return longitude >= west || longitude <= east }
        return (longitude >= west && longitude <= east) || (longitude == -180 && east == 180)
    }

    /// The box as one or two ranges of the unit square, each with west ≤ east.
    public var worldBoxes: [WorldBox] {
        let top = Mercator.world(Coordinate(latitude: north, longitude: 0)).y
        let bottom = Mercator.world(Coordinate(latitude: south, longitude: 0)).y
        func x(_ longitude: Double) -> Double { (longitude + 180) / 360 }
        if crossesAntimeridian {
            return [
                WorldBox(minX: x(west), minY: top, maxX: 1, maxY: bottom),
                WorldBox(minX: 0, minY: top, maxX: x(east), maxY: bottom),
            ]
        }
        return [WorldBox(minX: x(west), minY: top, maxX: x(east), maxY: bottom)]
    }

    /// Returns true if the tile overlaps the box. Touching an edge is not enough, unless the box has no width
    /// or height.
    public func intersects(_ tile: TileID) -> Bool {
        worldBoxes.contains { $0.overlaps(tile.box) }
    }

    /// Returns true if the boxes share more than an edge.
    package func overlaps(_ other: Bounds) -> Bool {
        worldBoxes.contains { box in other.worldBoxes.contains { $0.overlaps(box) } }
    }
}

/// A box as four numbers: west, south, east and north, as in GeoJSON.
extension Bounds {
    /// The edges in degrees.
    package var edges: [Double] { [west, south, east, north] }
    package var json: JSON { .array(edges.map(JSON.number)) }

    /// Creates a box from four edges in degrees; nil for anything else.
    package init?(edges: [Double]) {
        guard edges.count == 4 else { return nil }
        self.init(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }

    /// Creates a box from an array of four edges in degrees; nil for anything else.
    package init?(json: JSON?) {
        guard let edges = json?.array, edges.count == 4 else { return nil }
        self.init(edges: edges.compactMap(\.double))
    }
}

/// A box on the Web Mercator square; see `WorldPoint` for the axes.
public struct WorldBox: Hashable, Sendable {
    /// The western edge, in widths of the world.
    public var minX: Double
    /// The northern edge, in widths of the world from the top.
    public var minY: Double
    /// The eastern edge, in widths of the world.
    public var maxX: Double
    /// The southern edge, in widths of the world from the top.
    public var maxY: Double

    /// Creates a box from its edges.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Returns true if the boxes share more than an edge. A box without width or height overlaps a box that
    /// contains it.
    public func overlaps(_ other: WorldBox) -> Bool {
        func meet(_ a0: Double, _ a1: Double, _ b0: Double, _ b1: Double) -> Bool {
            a0 == a1 || b0 == b1 ? a0 <= b1 && b0 <= a1 : a0 < b1 && b0 < a1
        }
        return meet(minX, maxX, other.minX, other.maxX) && meet(minY, maxY, other.minY, other.maxY)
    }
}
